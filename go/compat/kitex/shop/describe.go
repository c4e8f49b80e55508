package shop

import (
	"context"
	"reflect"

	"github.com/cloudwego/kitex/pkg/serviceinfo"

	"hone/go/compat/kitex/ours/shop/api"
	"hone/go/compat/kitex/ours/shop/base"
	"hone/go/thrift"
)

// results are the result structs of the shop's functions.
var results = map[string]func() any{
	"alive":   func() any { return new(base.HealthAliveResult) },
	"find":    func() any { return new(api.ShopFindResult) },
	"order":   func() any { return new(api.ShopOrderResult) },
	"nothing": func() any { return new(api.ShopNothingResult) },
	"all":     func() any { return new(api.ShopAllResult) },
	"forget":  func() any { return nil },
}

// Describe returns the description of the shop for Kitex under the name of a service, as the code of Kitex's tool does. unknown are further
// functions, which a client may call though the shop lacks them.
func Describe(service string, handler *Handler, unknown ...string) *serviceinfo.ServiceInfo {
	methods := map[string]serviceinfo.MethodInfo{}
	processor := api.NewShopProcessor(handler)
	for _, name := range processor.Methods() {
		handler, _ := processor.Handler(name)
		methods[name] = serviceinfo.NewMethodInfo(func(ctx context.Context, _, args, result any) error {
			answer, err := handler.Serve(ctx, args.(thrift.Reader))
			if err == nil && answer != nil {
				reflect.ValueOf(result).Elem().Set(reflect.ValueOf(answer).Elem())
			}
			return err
		}, func() any { return handler.Args() }, results[name], handler.IsOneway)
	}
	for _, name := range unknown {
		methods[name] = serviceinfo.NewMethodInfo(nil, func() any { return new(api.ShopNothingArgs) }, results["nothing"], false)
	}
	return &serviceinfo.ServiceInfo{ServiceName: service, PackageName: "shop", HandlerType: (*api.Shop)(nil), Methods: methods,
		PayloadCodec: serviceinfo.Thrift, Extra: map[string]any{}}
}
