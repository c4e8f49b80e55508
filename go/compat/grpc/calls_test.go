package grpc

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	grpcgo "google.golang.org/grpc"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/stats"
	"google.golang.org/protobuf/proto"

	"hone/go/internal/greeter"
	"hone/go/rpc"
)

func TestCallsOfAllKinds(t *testing.T) {
	for _, network := range []string{"tcp", "unix"} {
		eachDirection(t, setting{network: network}, func(t *testing.T, _ *world, c client) {
			ctx := within(t, patience)
			for _, name := range []string{"", "Ada", strings.Repeat("long", 100_000)} {
				if text, _, _, err := c.hello(ctx, name); err != nil || text != "Hello, "+name {
					t.Fatal(len(text), err)
				}
			}
			for _, shape := range [][2]int64{{0, 0}, {1, 0}, {1000, 10}, {20, 300_000}} {
				testList(t, c, shape[0], shape[1])
				testUpload(t, c, shape[0], shape[1])
			}
			testChat(t, c)
		})
	}
}

func testList(t *testing.T, c client, count, bytes int64) {
	t.Helper()
	stream, err := c.list(within(t, patience), count, bytes)
	if err != nil {
		t.Fatal(err)
	}
	for i := range count {
		if item, err := stream.Recv(); err != nil || item.Number != i || int64(len(item.Body)) != bytes {
			t.Fatal(i, err)
		}
	}
	for range 2 {
		if _, err := stream.Recv(); err != io.EOF {
			t.Fatal(err)
		}
	}
}

func testUpload(t *testing.T, c client, count, bytes int64) {
	t.Helper()
	stream, err := c.upload(within(t, patience))
	if err != nil {
		t.Fatal(err)
	}
	for range count {
		if err := stream.Send(&greeter.Chunk{Body: make([]byte, bytes)}); err != nil {
			t.Fatal(err)
		}
	}
	if summary, err := stream.CloseAndRecv(); err != nil || summary.Chunks != count || summary.Bytes != count*bytes {
		t.Fatal(summary, err)
	}
}

func testChat(t *testing.T, c client) {
	t.Helper()
	stream, err := c.chat(within(t, patience))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"a", "", strings.Repeat("b", 200_000)} {
		if err := stream.Send(&greeter.Note{Text: text}); err != nil {
			t.Fatal(err)
		}
		if note, err := stream.Recv(); err != nil || note.Text != text {
			t.Fatal(err)
		}
	}
	if err := stream.CloseSend(); err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); err != io.EOF {
		t.Fatal(err)
	}
}

func TestMetadataGoesBothWays(t *testing.T) {
	eachDirection(t, setting{}, func(t *testing.T, _ *world, c client) {
		ctx := within(t, patience)
		for _, pair := range [][2]string{{"x-text", "a, b"}, {"x-twice", "1"}, {"x-twice", "2"}, {"x-bytes-bin", "\x00\xff,\n"}, {"x-empty", ""}} {
			ctx = c.with(ctx, pair[0], pair[1])
		}
		_, header, trailer, err := c.hello(ctx, meta)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string][]string{"x-text": {"a, b"}, "x-twice": {"1", "2"}, "x-bytes-bin": {"\x00\xff,\n"}, "x-empty": {""}} {
			if !slices.Equal(header[name], want) || !slices.Equal(trailer[name], want) {
				t.Errorf("%s: %q and %q, not %q", name, header[name], trailer[name], want)
			}
		}
	})
}

func TestErrorsHaveDetailsAndTrailers(t *testing.T) {
	eachDirection(t, setting{}, func(t *testing.T, _ *world, c client) {
		_, _, trailer, err := c.hello(within(t, patience), fail)
		expectRefusal(t, c, err)
		if !slices.Equal(trailer["why"], []string{"because"}) {
			t.Error(trailer)
		}
		stream, err := c.chat(within(t, patience))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"first", fail} {
			if err := stream.Send(&greeter.Note{Text: text}); err != nil {
				t.Fatal(err)
			}
		}
		if note, err := stream.Recv(); err != nil || note.Text != "first" {
			t.Fatal(err)
		}
		_, err = stream.Recv()
		expectRefusal(t, c, err)
		// Messages that are sent after that fail for want of a reader.
		for err = nil; err == nil; {
			err = stream.Send(new(greeter.Note))
		}
		if err != io.EOF {
			t.Error(err)
		}
	})
}

func expectRefusal(t *testing.T, c client, err error) {
	t.Helper()
	told := c.told(err)
	if told.code != rpc.FailedPrecondition || told.text != "nö: 100 %\n" || len(told.details) != 1 || !proto.Equal(told.details[0], violation()) {
		t.Errorf("%+v", told)
	}
}

func TestUnknownMethodsAndServicesAreUnimplemented(t *testing.T) {
	eachDirection(t, setting{}, func(t *testing.T, _ *world, c client) {
		for path, text := range map[string]string{
			"/hone.greeter.v1.Greeter/None": "unknown method", "/none.None/None": "unknown service none.None", "/hone.greeter.v1.Greeter/Look": "not implemented",
		} {
			if told := c.told(c.call(within(t, patience), path)); told.code != rpc.Unimplemented || !strings.Contains(told.text, text) {
				t.Errorf("%s: %+v", path, told)
			}
		}
	})
}

func TestDeadlinesReachHandlers(t *testing.T) {
	eachDirection(t, setting{}, func(t *testing.T, w *world, c client) {
		if _, _, _, err := c.hello(background, "no deadline"); err != nil || <-w.deadlines {
			t.Fatal("a deadline that nobody set", err)
		}
		// A busy machine may take all of a deadline before the handler is called.
		for timeout := 50 * time.Millisecond; len(w.entered) == 0; timeout *= 2 {
			_, _, _, err := c.hello(within(t, timeout), wait)
			if told := c.told(err); told.code != rpc.DeadlineExceeded {
				t.Fatal(err)
			}
		}
		if !<-w.deadlines {
			t.Error("the handler's context has no deadline")
		}
		if err := <-w.gone; !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

func TestCancellationReachesHandlers(t *testing.T) {
	eachDirection(t, setting{}, func(t *testing.T, w *world, c client) {
		ctx, cancel := context.WithCancel(background)
		result := make(chan error)
		go func() {
			_, _, _, err := c.hello(ctx, wait)
			result <- err
		}()
		<-w.entered
		cancel()
		if told := c.told(<-result); told.code != rpc.Canceled {
			t.Errorf("%+v", told)
		}
		if err := <-w.gone; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		ctx, cancel = context.WithCancel(background)
		stream, err := c.chat(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := stream.Send(&greeter.Note{Text: "a"}); err != nil {
			t.Fatal(err)
		}
		if _, err := stream.Recv(); err != nil {
			t.Fatal(err)
		}
		cancel()
		if _, err := stream.Recv(); c.told(err).code != rpc.Canceled {
			t.Error(err)
		}
		if err := <-w.gone; err == nil {
			t.Error("the handler of the stream does not know")
		}
	})
}

// sizes counts the messages that a side of grpc-go receives, compressed and plain.
type sizes struct{ compressed, plain chan int }

func newSizes() *sizes { return &sizes{make(chan int, 100), make(chan int, 100)} }

func (*sizes) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context   { return ctx }
func (*sizes) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (*sizes) HandleConn(context.Context, stats.ConnStats)                       {}
func (s *sizes) HandleRPC(_ context.Context, told stats.RPCStats) {
	if in, ok := told.(*stats.InPayload); ok {
		if in.CompressedLength < in.Length {
			s.compressed <- in.Length
		} else {
			s.plain <- in.Length
		}
	}
}

func TestLongMessagesAreCompressedBothWays(t *testing.T) {
	for _, d := range directions {
		t.Run(d.name, func(t *testing.T) {
			seen := newSizes()
			const least = 1000
			c := d.start(t, newWorld(), setting{
				ourServer:   func(server *rpc.Server) { server.Compress = least },
				ourClient:   func(client *rpc.Client) { client.Compress = least },
				theirServer: []grpcgo.ServerOption{grpcgo.StatsHandler(seen)},
				theirClient: []grpcgo.DialOption{grpcgo.WithStatsHandler(seen), grpcgo.WithDefaultCallOptions(grpcgo.UseCompressor(gzip.Name))},
			})
			long := strings.Repeat("long", 10_000)
			if text, _, _, err := c.hello(within(t, patience), long); err != nil || text != "Hello, "+long {
				t.Fatal(len(text), err)
			}
			if length := <-seen.compressed; length < len(long) {
				t.Error(length)
			}
			if text, _, _, err := c.hello(within(t, patience), "short"); err != nil || text != "Hello, short" {
				t.Fatal(text, err)
			}
			if length := <-seen.plain; length > least {
				t.Error(length)
			}
			testList(t, c, 5, 10_000)
			testUpload(t, c, 5, 10_000)
		})
	}
}

func TestMessagesThatAreTooLongFailTheirCall(t *testing.T) {
	const most = 100_000
	long := strings.Repeat("x", 2*most)
	for name, s := range map[string]setting{
		"the server's limit": {ourServer: func(server *rpc.Server) { server.MessageBytes = most },
			theirServer: []grpcgo.ServerOption{grpcgo.MaxRecvMsgSize(most), grpcgo.MaxSendMsgSize(most)}},
		"the client's limit": {ourClient: func(client *rpc.Client) { client.MessageBytes = most },
			theirClient: []grpcgo.DialOption{grpcgo.WithDefaultCallOptions(grpcgo.MaxCallRecvMsgSize(most), grpcgo.MaxCallSendMsgSize(most))}},
		"what is long only when it is decompressed": {
			ourServer:   func(server *rpc.Server) { server.MessageBytes, server.Compress = most, 1000 },
			theirServer: []grpcgo.ServerOption{grpcgo.MaxRecvMsgSize(most), grpcgo.MaxSendMsgSize(most)},
			ourClient:   func(client *rpc.Client) { client.MessageBytes, client.Compress = most, 1000 },
			theirClient: []grpcgo.DialOption{grpcgo.WithDefaultCallOptions(grpcgo.UseCompressor(gzip.Name), grpcgo.MaxCallRecvMsgSize(most),
				grpcgo.MaxCallSendMsgSize(most))},
		},
	} {
		t.Run(name, func(t *testing.T) {
			eachDirection(t, s, func(t *testing.T, _ *world, c client) {
				for _, name := range []string{long, size + "200000"} {
					if _, _, _, err := c.hello(within(t, patience), name); c.told(err).code != rpc.ResourceExhausted {
						t.Errorf("%.20s: %v", name, err)
					}
				}
				stream, err := c.upload(within(t, patience))
				if err != nil {
					t.Fatal(err)
				}
				if err = stream.Send(&greeter.Chunk{Body: make([]byte, 2*most)}); err == nil || err == io.EOF {
					_, err = stream.CloseAndRecv()
				}
				if c.told(err).code != rpc.ResourceExhausted {
					t.Error("a stream:", err)
				}
				if text, _, _, err := c.hello(within(t, patience), "after"); err != nil || text != "Hello, after" {
					t.Error("the connection:", err)
				}
			})
		})
	}
}

func TestAHandlerThatPanicsFailsItsCallAlone(t *testing.T) {
	s := setting{ourServer: func(server *rpc.Server) { server.Lost = func(error) {} }}
	_, address := s.serveOurs(t, newWorld())
	for _, c := range []client{s.dialByTheirs(t, address), s.dialByOurs(t, address)} {
		_, _, _, err := c.hello(within(t, patience), "panic")
		if told := c.told(err); told.code != rpc.Internal || strings.Contains(told.text, "roof") {
			t.Errorf("%+v", told)
		}
		if _, _, _, err := c.hello(within(t, patience), "after"); err != nil {
			t.Error(err)
		}
	}
}
