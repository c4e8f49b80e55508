package thrift_test

import (
	"bytes"
	"context"
	"errors"
	"log"
	"net"
	"strings"
	"sync"
	"testing"

	"hone/go/codec"
	"hone/go/internal/sample/shop/api"
	"hone/go/thrift"
)

// panics calls functions whose handlers panic, and then one more function on the same connection.
func panics(t *testing.T, client *api.ShopClient) {
	t.Helper()
	for range 2 {
		_, err := client.Find(background, -5, nil)
		if typeOf(err) != thrift.InternalError || !strings.HasPrefix(err.Error(), "find: ") {
			t.Fatal(err)
		}
		if text := err.Error(); strings.Contains(text, "roof") || strings.Contains(text, ".go") || len(text) > 60 {
			t.Fatal("the caller is told of the server's inside:", text)
		}
		if err := client.Forget(background, -8); err != nil {
			t.Fatal(err)
		}
		if alive, err := client.Alive(background); !alive || err != nil {
			t.Fatal("after a panic:", alive, err)
		}
	}
}

// isTold checks the reports to the owner of the server: two panics of an ordinary function, and two of a oneway function.
func isTold(t *testing.T, told <-chan error) {
	t.Helper()
	for _, method := range []string{"find", "forget", "find", "forget"} {
		err := <-told
		var panicked *thrift.PanicError
		if !errors.As(err, &panicked) || panicked.Value != "the roof fell in" || panicked.Method != method || !strings.Contains(err.Error(), "shop_test.go") {
			t.Fatal(err)
		}
	}
	select {
	case err := <-told:
		t.Fatal("told once more:", err)
	default:
	}
}

// A panic once only ended the connection, and callers saw nothing else.
func TestAPanicIsAnsweredAndTold(t *testing.T) {
	eachWire(t, func(t *testing.T, s *server) {
		client, _ := s.client(t)
		panics(t, client)
		isTold(t, s.failed)
		if len(s.lost) > 0 {
			t.Fatal("told twice:", <-s.lost)
		}
	})
}

// alone serves one connection by ServeConn, so that a panic can be reported only to Lost and to the log.
func alone(t *testing.T, processor *thrift.Processor, wire thrift.Wire) *api.ShopClient {
	t.Helper()
	here, there := net.Pipe()
	ctx, cancel := context.WithCancel(background)
	ended := make(chan error, 1)
	go func() { ended <- processor.ServeConn(ctx, there, wire) }()
	t.Cleanup(func() {
		cancel()
		here.Close()
		<-ended
	})
	return api.NewShopClient(thrift.NewClient(here, wire))
}

func TestAPanicIsToldToLostWhereNobodyElseIs(t *testing.T) {
	processor, lost := api.NewShopProcessor(newShop()), make(chan error, 100)
	processor.Lost = func(_ string, err error) { lost <- err }
	panics(t, alone(t, processor, thrift.Wire{Framed: true, Protocol: codec.Compact{}}))
	isTold(t, lost)
}

// text is a log that several goroutines may write.
type text struct {
	sync.Mutex
	bytes.Buffer
}

func (l *text) Write(b []byte) (int, error) {
	l.Lock()
	defer l.Unlock()
	return l.Buffer.Write(b)
}

func TestAPanicIsLoggedWhereNobodyIsTold(t *testing.T) {
	var logged text
	before := log.Default().Writer()
	defer log.SetOutput(before)
	log.SetOutput(&logged)
	panics(t, alone(t, api.NewShopProcessor(newShop()), thrift.Wire{}))
	logged.Lock()
	defer logged.Unlock()
	if n := strings.Count(logged.String(), "the handler panicked: the roof fell in"); n != 4 {
		t.Fatalf("%d times: %s", n, logged.String())
	}
}

// A panic of a result while it is written counts as the handler's; the bytes that were written before the panic are not sent.
func TestAResultThatPanicsIsAnsweredAndTold(t *testing.T) {
	processor, lost := api.NewShopProcessor(newShop()), make(chan error, 100)
	processor.Lost = func(_ string, err error) { lost <- err }
	processor.Handle("torn", thrift.Handler{
		Args:  func() thrift.Reader { return new(api.Empty) },
		Serve: func(context.Context, thrift.Reader) (thrift.Writer, error) { return new(torn), nil },
	})
	here, there := net.Pipe()
	defer here.Close()
	go processor.ServeConn(background, there, thrift.Wire{})
	caller := thrift.NewClient(here, thrift.Wire{})
	if err := caller.Call(background, "torn", new(api.Empty), new(api.Empty)); typeOf(err) != thrift.InternalError || !strings.HasPrefix(err.Error(), "torn: ") {
		t.Fatal(err)
	}
	var panicked *thrift.PanicError
	if err := <-lost; !errors.As(err, &panicked) || panicked.Value != "torn" || panicked.Method != "torn" {
		t.Fatal(err)
	}
	if alive, err := api.NewShopClient(caller).Alive(background); !alive || err != nil {
		t.Fatal(alive, err)
	}
}
