package thrift_test

import (
	"context"
	"net"
	"runtime"
	"sync"
	"testing"
	"weak"

	"hone/go/internal/sample/shop/api"
	"hone/go/thrift"
)

// watched is a protocol that remembers the memory of all messages by weak pointers, so that it does not keep the memory.
type watched struct {
	thrift.Binary
	*sync.Mutex
	seen *[]weak.Pointer[byte]
}

func newWatched() watched { return watched{Mutex: new(sync.Mutex), seen: new([]weak.Pointer[byte])} }

func (w watched) note(message []byte) {
	if len(message) > 1<<20 {
		w.Lock()
		defer w.Unlock()
		*w.seen = append(*w.seen, weak.Make(&message[0]))
	}
}

func (w watched) AppendMessage(to []byte, header thrift.Header, body thrift.Writer) []byte {
	message := w.Binary.AppendMessage(to, header, body)
	w.note(message)
	return message
}

func (w watched) ReadHeader(message []byte) (thrift.Header, int, error) {
	w.note(message)
	return w.Binary.ReadHeader(message)
}

// awaited is a connection that tells when its user, who has written to it, waits for bytes from it again.
type awaited struct {
	net.Conn
	hasWritten *bool
	waits      chan struct{}
}

func (a awaited) Write(b []byte) (int, error) {
	n, err := a.Conn.Write(b)
	*a.hasWritten = true
	return n, err
}

func (a awaited) Read(b []byte) (int, error) {
	if *a.hasWritten {
		*a.hasWritten = false
		close(a.waits)
	}
	return a.Conn.Read(b)
}

// A connection that waited for its next call once kept the memory of the last call and of its answer, however long these were.
func TestIdleConnectionsKeepNoLongMessages(t *testing.T) {
	for name, isFramed := range map[string]bool{"framed": true, "unframed": false} {
		t.Run(name, func(t *testing.T) {
			atClient, atServer := newWatched(), newWatched()
			here, there := net.Pipe()
			defer here.Close()
			waits := make(chan struct{})
			ended := make(chan error, 1)
			processor := api.NewShopProcessor(newShop())
			processor.Handle("echo", thrift.Handler{
				Args:  func() thrift.Reader { return new(api.Item) },
				Serve: func(_ context.Context, args thrift.Reader) (thrift.Writer, error) { return args.(*api.Item), nil },
			})
			go func() {
				ended <- processor.ServeConn(background, awaited{there, new(bool), waits}, thrift.Wire{Framed: isFramed, Protocol: atServer})
			}()
			caller := thrift.NewClient(here, thrift.Wire{Framed: isFramed, Protocol: atClient})
			if err := caller.Call(background, "echo", &api.Item{Raw: make([]byte, 2<<20)}, new(api.Item)); err != nil {
				t.Fatal(err)
			}
			<-waits
			for range 3 {
				runtime.GC()
			}
			for side, protocol := range map[string]watched{"client": atClient, "server": atServer} {
				protocol.Lock()
				if len(*protocol.seen) != 2 {
					t.Errorf("%s: %d messages", side, len(*protocol.seen))
				}
				for i, message := range *protocol.seen {
					if message.Value() != nil {
						t.Errorf("the %s keeps message %d", side, i)
					}
				}
				protocol.Unlock()
			}
			runtime.KeepAlive(caller)
			here.Close()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}
