package compat_test

import (
	"testing"

	kitex "github.com/cloudwego/gopkg/protocol/thrift"

	"hone/go/compat/ours/gowords"
	"hone/go/compat/ours/recursive"
	"hone/go/compat/ours/shop/api"
	"hone/go/compat/ours/shop/base"
)

// Structs, unions, exceptions, arguments and results implement the interfaces of Kitex's codec.
var (
	_ kitex.FastCodec = (*api.Item)(nil)
	_ kitex.FastCodec = (*api.Payment)(nil)
	_ kitex.FastCodec = (*api.OutOfStock)(nil)
	_ kitex.FastCodec = (*api.ShopFindArgs)(nil)
	_ kitex.FastCodec = (*api.ShopFindResult)(nil)
	_ kitex.FastCodec = (*api.ShopForgetArgs)(nil)
	_ kitex.FastCodec = (*base.HealthAliveResult)(nil)
	_ kitex.FastCodec = (*gowords.Type)(nil)
	_ kitex.FastCodec = (*recursive.Node)(nil)
)

// defaulter is the interface that thriftgo's code, and other code for it, calls on every struct.
type defaulter interface{ InitDefault() }

var (
	_ defaulter = (*api.Item)(nil)
	_ defaulter = (*api.Empty)(nil)
	_ defaulter = (*api.Payment)(nil)
	_ defaulter = (*base.NotFound)(nil)
	_ defaulter = (*api.ShopOrderArgs)(nil)
	_ defaulter = (*api.ShopFindResult)(nil)
)

// kitexArgs and kitexResult are the interfaces KitexArgs and KitexResult of Kitex's package utils.
type kitexArgs interface{ GetFirstArgument() any }

type kitexResult interface {
	GetResult() any
	SetSuccess(any)
}

var (
	_ kitexArgs   = (*api.ShopFindArgs)(nil)
	_ kitexArgs   = (*api.ShopNothingArgs)(nil)
	_ kitexResult = (*api.ShopFindResult)(nil)
	_ kitexResult = (*api.ShopNothingResult)(nil)
)

func TestKitexSeesRequestsAndResponses(t *testing.T) {
	args := api.NewShopFindArgs()
	args.ID = 5
	if args.GetFirstArgument() != int64(5) {
		t.Fatal(args.GetFirstArgument())
	}
	result, item := api.NewShopFindResult(), api.NewItem()
	if result.SetSuccess(item); result.GetResult() != item || result.GetSuccess() != item {
		t.Fatal(result.GetResult())
	}
}
