package rpc_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hone/go/internal/greeter"
	"hone/go/internal/sample/talk"
	"hone/go/rpc"
	"hone/go/stream"
)

// stalling is a service whose streams stand still: it sends more than its clients read, and reads nothing. It counts streams that have ended.
type stalling struct {
	polite
	ended atomic.Int64
}

func (s *stalling) List(request *greeter.ListRequest, out rpc.ServerStreamingServer[greeter.Item]) error {
	defer s.ended.Add(1)
	return s.polite.List(request, out)
}

func (s *stalling) Upload(in rpc.ClientStreamingServer[greeter.Chunk, greeter.Summary]) error {
	defer s.ended.Add(1)
	<-in.Context().Done()
	return in.Context().Err()
}

// stallingTalk is a service of Thrift whose streams stand still in the same way.
type stallingTalk struct {
	*talker
	ended atomic.Int64
}

func (s *stallingTalk) Repeat(said *talk.Words, out stream.ServerStreamingServer[talk.Words]) error {
	defer s.ended.Add(1)
	for {
		if err := out.Send(said); err != nil {
			return err
		}
		// A connection of Thrift keeps only a limited number of messages that nobody reads, so the handler sends no more than that.
		if said.Times--; said.Times == 0 {
			<-out.Context().Done()
			return out.Context().Err()
		}
	}
}

const stalledStreams = 50

// stalled are streams that stand still beside a client's calls: of gRPC over the same connection.
var stalled = map[string]func(t *testing.T, ctx context.Context) (client *rpc.Client, ended *atomic.Int64){
	"gRPC read by no client": func(t *testing.T, ctx context.Context) (*rpc.Client, *atomic.Int64) {
		s, service := setStalling(t)
		client := greeter.NewGreeterClient(s.client)
		for range stalledStreams {
			items, err := client.List(ctx, &greeter.ListRequest{Count: 1 << 40, Bytes: 1000})
			if err == nil {
				_, err = items.Recv()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		return s.client, &service.ended
	},
	"gRPC read by no server": func(t *testing.T, ctx context.Context) (*rpc.Client, *atomic.Int64) {
		s, service := setStalling(t)
		client := greeter.NewGreeterClient(s.client)
		for range stalledStreams {
			upload, err := client.Upload(ctx)
			if err != nil {
				t.Fatal(err)
			}
			chunk := &greeter.Chunk{Body: make([]byte, 1000)}
			if err := upload.Send(chunk); err != nil {
				t.Fatal(err)
			}
			go func() {
				for upload.Send(chunk) == nil {
				}
			}()
		}
		return s.client, &service.ended
	},
	"Thrift read by no client": func(t *testing.T, ctx context.Context) (*rpc.Client, *atomic.Int64) {
		service := &stallingTalk{talker: newTalker()}
		s := set(t, "unix", rpc.TTHeader, func(server *rpc.Server, client *rpc.Client) {
			talk.RegisterTalk(server, service)
			client.Connections = 1
		})
		client := talk.NewTalkClient(s.client)
		for range stalledStreams {
			words, err := client.Repeat(ctx, &talk.Words{Text: strings.Repeat("x", 1000), Times: 1000})
			if err == nil {
				_, err = words.Recv()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		return s.client, &service.ended
	},
}

func setStalling(t *testing.T) (*setting, *stalling) {
	service := new(stalling)
	s := set(t, "unix", rpc.GRPC, func(server *rpc.Server, client *rpc.Client) {
		greeter.RegisterGreeter(server, service)
		client.Connections = 1
	})
	return s, service
}

// waits holds the times that calls beside stalled streams took.
type waits struct {
	Stalled                 string
	P50Us, P99Us, LongestUs int64
}

func TestCallsBesideStalledStreamsAreAnswered(t *testing.T) {
	for name, stall := range stalled {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(background)
			client, ended := stall(t, ctx)
			call := callOf(client)
			var took []time.Duration
			for range 1000 {
				began := time.Now()
				if err := call(within(t, testPatience)); err != nil {
					t.Fatal(err)
				}
				took = append(took, time.Since(began))
			}
			if n := ended.Load(); n > 0 {
				t.Fatalf("%d streams have ended", n)
			}
			slices.Sort(took)
			report(t, waits{name, took[500].Microseconds(), took[990].Microseconds(), took[999].Microseconds()})
			cancel()
			for late := time.Now().Add(testPatience); ended.Load() < stalledStreams; time.Sleep(time.Millisecond) {
				if time.Now().After(late) {
					t.Fatalf("%d streams of %d have ended with their context", ended.Load(), stalledStreams)
				}
			}
		})
	}
}
