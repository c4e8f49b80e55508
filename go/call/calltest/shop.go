// Package calltest serves a shop to tests of commands.
package calltest

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"hone/go/call/definitions"
	"hone/go/internal/sample/shop/api"
	"hone/go/internal/sample/shop/base"
	"hone/go/internal/sample/talk"
	"hone/go/rpc"
)

// The shop's definitions, from a directory two below this module's.
const (
	IDL   = "../../../idl/testdata/shop.thrift"
	Proto = "../../../generic/pb/testdata/shop/shop.proto"
	// ProtoRoot is the directory to which the import paths of Proto are relative.
	ProtoRoot = "../../../generic/pb/testdata"
)

// shop answers by generated code.
type shop struct{ api.Shop }

func (shop) Find(ctx context.Context, id api.ItemID, of *base.Context) (*api.Item, error) {
	switch {
	case id == -2:
		return nil, rpc.Errorf(rpc.PermissionDenied, "not you")
	case id < 0:
		return nil, &base.NotFound{Key: "no such item"}
	}
	item := api.NewItem()
	item.ID, item.Name = id, of.GetCaller()+rpc.Incoming(ctx).Get("caller")
	return item, nil
}

func (shop) Forget(context.Context, api.ItemID) error { return nil }

func (shop) Nothing(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

// Serve serves a shop and a talker over all wires until the test ends: over TCP at a free port, over a Unix socket or through shared memory; over TLS
// if secure is not nil. It returns the address.
func Serve(t testing.TB, network string, secure *tls.Config) string {
	t.Helper()
	place := "127.0.0.1:0"
	if network != "tcp" {
		place = filepath.Join(t.TempDir(), "shop")
	}
	listener, err := rpc.Listen(network + "://" + place)
	if err != nil {
		t.Fatal(err)
	}
	server := rpc.NewServer()
	server.TLS, server.Lost = secure, func(error) {}
	server.RegisterThrift("Shop", api.NewShopProcessor(shop{}))
	server.Register(protoShop(t))
	talk.RegisterTalk(server, talker{})
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Close()
		<-ended
	})
	return network + "://" + listener.Addr().String()
}

// protoShop returns the shop of protobuf, made from its definition alone.
func protoShop(t testing.TB) rpc.Service {
	t.Helper()
	d, err := definitions.Load(Proto, os.ReadFile, []string{ProtoRoot})
	if err != nil {
		t.Fatal(err)
	}
	functions := map[string]*definitions.Function{}
	for _, name := range []string{"Find", "Keep", "Watch", "Fill", "Talk"} {
		if functions[name], err = d.Function("shop.v1.Shop." + name); err != nil {
			t.Fatal(err)
		}
	}
	find := func(ctx context.Context, request any) (any, error) {
		text, err := request.(definitions.Message).MarshalJSON()
		if err != nil {
			return nil, err
		}
		if string(text) == `{"itemId":"-2"}` {
			return nil, rpc.Errorf(rpc.PermissionDenied, "not you")
		}
		if caller := rpc.Incoming(ctx).Get("caller"); caller != "" {
			text = fmt.Appendf(nil, `{"name":%q}`, caller)
		}
		item := functions["Find"].Result()
		return item, item.UnmarshalJSON(text)
	}
	keep := func(ctx context.Context, _ any) (any, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	watch := func(stream *rpc.ServerStream) error {
		if err := stream.Only(functions["Watch"].Args()); err != nil {
			return err
		}
		for i := range 3 {
			item := functions["Watch"].Result()
			if err := item.UnmarshalJSON(fmt.Appendf(nil, `{"itemId":%d}`, i)); err != nil {
				return err
			}
			if err := stream.Send(item); err != nil {
				return err
			}
		}
		return rpc.Errorf(rpc.Aborted, "closing time")
	}
	fill := func(stream *rpc.ServerStream) error {
		for item, count := functions["Fill"].Args(), 0; ; count++ {
			err := stream.Receive(item)
			if err == io.EOF {
				point := functions["Fill"].Result()
				if err := point.UnmarshalJSON(fmt.Appendf(nil, `{"x":%d}`, count)); err != nil {
					return err
				}
				return stream.Send(point)
			}
			if err != nil {
				return err
			}
		}
	}
	echo := func(stream *rpc.ServerStream) error {
		for message := functions["Talk"].Args(); ; {
			if err := stream.Receive(message); err != nil {
				return endOf(err)
			}
			if err := stream.Send(message); err != nil {
				return err
			}
		}
	}
	return rpc.Service{Name: "shop.v1.Shop", Methods: []rpc.Method{
		{Name: "Find", NewRequest: func() any { return functions["Find"].Args() }, Serve: find},
		{Name: "Keep", NewRequest: func() any { return functions["Keep"].Args() }, Serve: keep},
		{Name: "Watch", ServerStreams: true, Stream: watch},
		{Name: "Fill", ClientStreams: true, Stream: fill},
		{Name: "Talk", ClientStreams: true, ServerStreams: true, Stream: echo},
	}}
}
