package codec_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"

	"hone/go/codec"
	"hone/go/internal/sample/shop/api"
	"hone/go/internal/sample/shop/base"
	"hone/go/thrift"
)

// shop answers calls of the sample's service.
type shop struct {
	forgotten chan api.ItemID
}

func (s *shop) Alive(context.Context) (bool, error) { return true, nil }

func (s *shop) Find(_ context.Context, id api.ItemID, of *base.Context) (*api.Item, error) {
	if id < 0 {
		return nil, &base.NotFound{Key: "no such item"}
	}
	item := api.NewItem()
	item.ID, item.Name = id, of.GetCaller()
	return item, nil
}

func (s *shop) Order(_ context.Context, order *api.Order, limit int32) (int64, error) {
	return int64(len(order.Items)) + int64(limit), nil
}

func (s *shop) Forget(_ context.Context, id api.ItemID) error {
	s.forgotten <- id
	return nil
}

func (s *shop) Nothing(context.Context) error { return errors.New("it went wrong") }

func (s *shop) All(context.Context) (map[string][]*api.Item, error) {
	return map[string][]*api.Item{"long": {{ID: 1, Name: strings.Repeat("x", 100_000)}}}, nil
}

// connected returns a client of a shop over a pipe.
func connected(t *testing.T, wire thrift.Wire, s *shop) *api.ShopClient {
	here, there := net.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- api.NewShopProcessor(s).ServeConn(context.Background(), there, wire) }()
	client := thrift.NewClient(here, wire)
	t.Cleanup(func() {
		client.Close()
		if err := <-ended; err != nil && !errors.Is(err, io.ErrClosedPipe) {
			t.Error(err)
		}
	})
	return api.NewShopClient(client)
}

func TestGeneratedClientsAndServersSpeakCompact(t *testing.T) {
	for _, wire := range []thrift.Wire{{Protocol: codec.Compact{}}, {Protocol: codec.Compact{}, Framed: true}} {
		s := &shop{make(chan api.ItemID, 1)}
		client, ctx := connected(t, wire, s), context.Background()
		item, err := client.Find(ctx, 7, &base.Context{Caller: "me"})
		if err != nil || item.ID != 7 || item.Name != "me" || item.Severity != api.NewItem().Severity {
			t.Fatal(item, err)
		}
		var missing *base.NotFound
		if _, err := client.Find(ctx, -1, nil); !errors.As(err, &missing) || missing.Key != "no such item" {
			t.Fatal(err)
		}
		if n, err := client.Order(ctx, &api.Order{Items: []api.ItemID{1, 2}}, 40); n != 42 || err != nil {
			t.Fatal(n, err)
		}
		if err := client.Forget(ctx, -5); err != nil || <-s.forgotten != -5 {
			t.Fatal(err)
		}
		var exception *thrift.ApplicationException
		if err := client.Nothing(ctx); !errors.As(err, &exception) || exception.Type != thrift.InternalError {
			t.Fatal(err)
		}
		if all, err := client.All(ctx); err != nil || len(all["long"][0].Name) != 100_000 {
			t.Fatal(len(all), err)
		}
	}
}
