package thrift_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"

	"hone/go/internal/sample/shop/api"
	"hone/go/thrift"
)

func TestAServerThatEndsAnswersWhatItHas(t *testing.T) {
	eachWire(t, func(t *testing.T, s *server) {
		client, _ := s.client(t)
		idle, _ := s.client(t)
		result := make(chan error)
		go func() { result <- client.Nothing(background) }()
		<-s.entered
		s.stop()
		if err := <-result; typeOf(err) != thrift.InternalError || !strings.Contains(err.Error(), "canceled") {
			t.Fatal(err)
		}
		if _, err := idle.Alive(background); err == nil {
			t.Fatal("a server that has ended answers")
		}
	})
}

// scarce is a listener whose first calls of Accept fail for want of something.
type scarce struct {
	net.Listener
	failures int
}

func (s *scarce) Accept() (net.Conn, error) {
	if s.failures--; s.failures >= 0 {
		return nil, &net.OpError{Op: "accept", Err: scarcity{}}
	}
	return s.Listener.Accept()
}

type scarcity struct{}

func (scarcity) Error() string   { return "too many open files" }
func (scarcity) Temporary() bool { return true }
func (scarcity) Timeout() bool   { return false }

func TestAServerOutlivesWantOfFiles(t *testing.T) {
	listener := &scarce{listen(t, "tcp"), 2}
	ctx, cancel := context.WithCancel(background)
	ended := make(chan error)
	go func() { ended <- api.NewShopProcessor(newShop()).Serve(ctx, listener, thrift.Wire{}, nil) }()
	stream, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if alive, err := api.NewShopClient(thrift.NewClient(stream, thrift.Wire{})).Alive(background); !alive || err != nil {
		t.Fatal(alive, err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	listener.Close()
	if err := api.NewShopProcessor(newShop()).Serve(background, listener, thrift.Wire{}, nil); !errors.Is(err, net.ErrClosed) {
		t.Fatal("a listener that another has closed:", err)
	}
}

func TestAListenerThatFailsEndsTheServer(t *testing.T) {
	listener := listen(t, "tcp")
	ended := make(chan error)
	go func() { ended <- api.NewShopProcessor(newShop()).Serve(background, listener, thrift.Wire{}, nil) }()
	idle, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	if alive, err := api.NewShopClient(thrift.NewClient(idle, thrift.Wire{})).Alive(background); !alive || err != nil {
		t.Fatal(alive, err)
	}
	listener.Close()
	if err := <-ended; !errors.Is(err, net.ErrClosed) {
		t.Fatal(err)
	}
}
