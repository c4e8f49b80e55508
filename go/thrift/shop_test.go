package thrift_test

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"testing"

	"hone/go/internal/sample/shop/api"
	"hone/go/internal/sample/shop/base"
	"hone/go/thrift"
)

// shop is an implementation of the sample's service. The arguments of a call decide what it does.
type shop struct {
	// entered receives a value for each call of Nothing. The call then waits for its context, or for release.
	entered, release chan struct{}
	forgotten        chan api.ItemID
}

func newShop() *shop {
	return &shop{make(chan struct{}, 100), make(chan struct{}), make(chan api.ItemID, 100)}
}

func (s *shop) Alive(context.Context) (bool, error) { return true, nil }

func (s *shop) Find(_ context.Context, id api.ItemID, asked *base.Context) (*api.Item, error) {
	switch id {
	case -1:
		return nil, &base.NotFound{Key: "of " + asked.GetCaller()}
	case -2:
		return nil, errors.New("the shelf fell over")
	case -3:
		return nil, &thrift.ApplicationException{Type: thrift.UnsupportedClientType, Message: "not you"}
	case -4:
		return nil, nil
	case -5:
		panic("the roof fell in")
	case -6:
		return nil, (*thrift.ApplicationException)(nil)
	case -9:
		return nil, (*base.NotFound)(nil)
	case -10:
		return nil, (*speechless)(nil)
	}
	item := api.NewItem()
	item.ID, item.Raw = id, make([]byte, max(0, id))
	return item, nil
}

// speechless is an error with methods that panic.
type speechless struct{ text string }

func (e *speechless) Error() string { return e.text }

func (s *shop) Order(_ context.Context, order *api.Order, limit int32) (int64, error) {
	if len(order.Items) > int(limit) {
		return 0, &api.OutOfStock{ID: order.Items[0], Text: "too many"}
	}
	return int64(len(order.Items)), nil
}

func (s *shop) Forget(_ context.Context, id api.ItemID) error {
	s.forgotten <- id
	if id == -8 {
		panic("the roof fell in")
	}
	if id == -6 {
		return (*thrift.ApplicationException)(nil)
	}
	if id < 0 {
		return errors.New("never")
	}
	return nil
}

func (s *shop) Nothing(ctx context.Context) error {
	s.entered <- struct{}{}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-s.release:
		return nil
	}
}

func (s *shop) All(context.Context) (map[string][]*api.Item, error) { return nil, nil }

// server is a shop that answers on a socket.
type server struct {
	*shop
	listener net.Listener
	wire     thrift.Wire
	// failed has the errors of connections, lost has the errors of oneway functions.
	failed, lost chan error
	// stop ends the server and waits for its end.
	stop func()
}

// listen opens a socket of a network; a Unix socket is in a directory of the test.
func listen(t *testing.T, network string) net.Listener {
	t.Helper()
	address := "127.0.0.1:0"
	if network == "unix" {
		address = filepath.Join(t.TempDir(), "s")
	}
	listener, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	return listener
}

func serve(t *testing.T, network string, wire thrift.Wire) *server {
	t.Helper()
	s := &server{newShop(), listen(t, network), wire, make(chan error, 1000), make(chan error, 1000), nil}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	processor := api.NewShopProcessor(s.shop)
	processor.Lost = func(_ string, err error) { s.lost <- err }
	go func() {
		ended <- processor.Serve(ctx, s.listener, wire, func(err error) { s.failed <- err })
	}()
	s.stop = func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the server ended by %v", err)
		}
		ended <- nil
	}
	t.Cleanup(s.stop)
	return s
}

// dial opens a connection to a server.
func (s *server) dial(t *testing.T) net.Conn {
	t.Helper()
	stream, err := net.Dial(s.listener.Addr().Network(), s.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stream.Close() })
	return stream
}

// client makes a client of the service, and returns it with the client of the connection.
func (s *server) client(t *testing.T) (*api.ShopClient, *thrift.Client) {
	t.Helper()
	caller := thrift.NewClient(s.dial(t), s.wire)
	return api.NewShopClient(caller), caller
}

// eachWire runs a test with all sorts of sockets and messages.
func eachWire(t *testing.T, test func(t *testing.T, s *server)) {
	for _, network := range []string{"tcp", "unix"} {
		for name, isFramed := range map[string]bool{"framed": true, "unframed": false} {
			t.Run(network+"/"+name, func(t *testing.T) { test(t, serve(t, network, thrift.Wire{Framed: isFramed})) })
		}
	}
}

// typeOf returns the type of an application exception, or -1 for another error.
func typeOf(err error) thrift.ExceptionType {
	var exception *thrift.ApplicationException
	if !errors.As(err, &exception) {
		return -1
	}
	return exception.Type
}
