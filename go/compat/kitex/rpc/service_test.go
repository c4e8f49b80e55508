package rpc

import (
	"context"
	"io"
	"net"
	"sync"
	"testing"

	"github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/klog"
	"github.com/cloudwego/kitex/pkg/rpcinfo"
	"github.com/cloudwego/kitex/pkg/transmeta"
	"github.com/cloudwego/kitex/server"

	"hone/go/compat/kitex/ours/shop/api"
	"hone/go/compat/kitex/shop"
	"hone/go/rpc"
)

var background = context.Background()

func init() { klog.SetOutput(io.Discard) }

// services holds shops by the names of their services.
type services map[string]*shop.Handler

// serveKitex answers calls by Kitex's server until the test ends, or it is stopped.
func serveKitex(t *testing.T, handlers services, options ...server.Option) (address string, stop func()) {
	t.Helper()
	listener := listen(t)
	options = append([]server.Option{server.WithListener(listener), server.WithMetaHandler(transmeta.ServerTTHeaderHandler),
		server.WithMetaHandler(transmeta.MetainfoServerHandler), server.WithServerBasicInfo(&rpcinfo.EndpointBasicInfo{ServiceName: "shop"})},
		options...)
	serving := server.NewServer(options...)
	for name, handler := range handlers {
		if err := serving.RegisterService(shop.Describe(name, handler), handler); err != nil {
			t.Fatal(err)
		}
	}
	ended := make(chan error, 1)
	go func() { ended <- serving.Run() }()
	stop = sync.OnceFunc(func() {
		if err := serving.Stop(); err != nil {
			t.Error(err)
		}
		<-ended
	})
	t.Cleanup(stop)
	awaitServing(t, listener.Addr().String())
	return listener.Addr().String(), stop
}

// awaitServing waits until Kitex's server has begun, since it may be stopped only then.
func awaitServing(t *testing.T, address string) {
	t.Helper()
	if alive, err := api.NewShopClient(dial(t, address, rpc.TTHeader)).Alive(background); !alive || err != nil {
		t.Fatal(err)
	}
}

// dialKitex returns a Kitex client, which is closed when the test ends.
func dialKitex(t *testing.T, service, address string, options ...client.Option) shop.Caller {
	t.Helper()
	caller, err := shop.Dial(service, address, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(caller.Close)
	return caller
}

// serve answers calls by our server until the test ends.
func serve(t *testing.T, handlers services) (address string, server *rpc.Server) {
	t.Helper()
	server = rpc.NewServer()
	for name, handler := range handlers {
		server.RegisterThrift(name, api.NewShopProcessor(handler))
	}
	listener := listen(t)
	ended := make(chan error)
	go func() { ended <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Close()
		<-ended
	})
	return listener.Addr().String(), server
}

// dial returns a client of ours, which is closed when the test ends.
func dial(t *testing.T, address string, wire rpc.Wire) *rpc.Client {
	t.Helper()
	client := rpc.Dial(address)
	client.Wire = wire
	t.Cleanup(func() { client.Close() })
	return client
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return listener
}
