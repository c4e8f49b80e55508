package peer_test

import (
	"context"
	"errors"
	"net"
	"reflect"
	"testing"

	"github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/server"

	"hone/go/thrift"
	"peer/kitex_gen/odd/types"
	"peer/kitex_gen/tricky/api"
	"peer/kitex_gen/tricky/api/mysvc"
)

// handler returns its arguments.
type handler struct{ oneway chan string }

func (handler) Ping(ctx context.Context, id int32) (bool, error) { return id == 7, nil }

func (handler) GetNew(ctx context.Context, id int64, url string, userId int32, httpUrl string) (*types.Item_1, error) {
	if id == 0 {
		return nil, &types.NotFound{Error_: url, UserId: userId}
	}
	return &types.Item_1{Id: id, Id_: url, HttpUrl: &httpUrl, GetId_: []*types.Item_1{{Id: int64(userId)}}}, nil
}

func (handler) NewArgs_(ctx context.Context, new *api.NewThing_, args *api.Args_, result *api.One_Result_) (*api.NewThing_, error) {
	return &api.NewThing_{A_1: new.A_1 + int32(args.Id), A_1_: new.A_1_ + int32(args.Id_), Type: *result.CountSetFields_}, nil
}

func (handler) V1_2(ctx context.Context, a1, x1y2, a2 int32) (int32, error) {
	return a1*100 + x1y2*10 + a2, nil
}

func (handler) Type(ctx context.Context, kind api.UrlKind, text string, isTrue bool, list []string) (api.UrlKind, error) {
	if text != "func" || !isTrue || len(list) != 1 {
		return 0, errors.New("wrong arguments")
	}
	return kind, nil
}

func (handler) Packages(ctx context.Context, a, b, c, d, e string) ([]string, error) {
	return []string{a, b, c, d, e}, nil
}

func (handler) String(ctx context.Context, args *api.Args_, a, b, c, d int32) (map[string]*api.Args_, error) {
	return map[string]*api.Args_{args.String_: args}, nil
}

func (handler) Error(ctx context.Context, text string, length int32) error {
	if len(text) == int(length) {
		return nil
	}
	return &types.NotFound{Error_: text}
}

func (handler) Reset(ctx context.Context) error { return nil }

func (h handler) GetResult_(ctx context.Context, success string, lead int32) error {
	h.oneway <- success
	return nil
}

func (handler) IDs(ctx context.Context, a, b string) (string, error) { return a + b, nil }

func TestCallsThroughKitex(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &handler{make(chan string, 1)}
	running := mysvc.NewServer(h, server.WithListener(listener))
	ended := make(chan error, 1)
	go func() { ended <- running.Run() }()
	c, err := mysvc.NewClient("tricky", client.WithHostPorts(listener.Addr().String()))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	equal := func(err error, got, want any) {
		t.Helper()
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v, not %v (%v)", got, want, err)
		}
	}
	isThere, err := c.Ping(ctx, 7)
	equal(err, isThere, true)
	item, err := c.GetNew(ctx, 1, "url", 3, "http")
	equal(err, item, &types.Item_1{Id: 1, Id_: "url", HttpUrl: thrift.PointerTo("http"), GetId_: []*types.Item_1{{Id: 3, GetId_: []*types.Item_1{}}}})
	_, err = c.GetNew(ctx, 0, "none", 3, "")
	var notFound *types.NotFound
	if !errors.As(err, &notFound) || notFound.Error_ != "none" || notFound.UserId != 3 {
		t.Fatal(err)
	}
	thing, err := c.NewArgs_(ctx, &api.NewThing_{A_1: 1, A_1_: 2}, &api.Args_{Id: 10, Id_: 20}, &api.One_Result_{CountSetFields_: thrift.PointerTo[int32](5)})
	equal(err, thing, &api.NewThing_{A_1: 11, A_1_: 22, Type: 5})
	number, err := c.V1_2(ctx, 1, 2, 3)
	equal(err, number, int32(123))
	kind, err := c.Type(ctx, api.UrlKind_http_url, "func", true, []string{"x"})
	equal(err, kind, api.UrlKind_http_url)
	texts, err := c.Packages(ctx, "a", "b", "c", "d", "e")
	equal(err, texts, []string{"a", "b", "c", "d", "e"})
	args := &api.Args_{String_: "key", Read_: "read", GetId__: "g", Url: "other", NewArgs_: map[int32]*api.Args_{}}
	byKey, err := c.String(ctx, args, 1, 2, 3, 4)
	equal(err, byKey, map[string]*api.Args_{"key": args})
	equal(c.Error(ctx, "four", 4), nil, nil)
	if err = c.Error(ctx, "five", 5); !errors.As(err, &notFound) || notFound.Error_ != "five" {
		t.Fatal(err)
	}
	equal(c.Reset(ctx), nil, nil)
	equal(c.GetResult_(ctx, "sent", 1), <-h.oneway, "sent")
	text, err := c.IDs(ctx, "a", "b")
	equal(err, text, "ab")
	if err := running.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
}
