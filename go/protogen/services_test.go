package protogen_test

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

// withService returns a .proto file with these messages, and with one service that has these methods.
func withService(messages []string, service string, methods ...string) *descriptorpb.FileDescriptorProto {
	f := file()
	f.MessageType = []*descriptorpb.DescriptorProto{{Name: proto.String("Order")}}
	for _, name := range messages {
		f.MessageType = append(f.MessageType, &descriptorpb.DescriptorProto{Name: proto.String(name)})
	}
	made := &descriptorpb.ServiceDescriptorProto{Name: proto.String(service)}
	for _, name := range methods {
		made.Method = append(made.Method, &descriptorpb.MethodDescriptorProto{
			Name: proto.String(name), InputType: proto.String(".shop.Order"), OutputType: proto.String(".shop.Order"),
		})
	}
	f.Service = []*descriptorpb.ServiceDescriptorProto{made}
	f.SourceCodeInfo.Location = append(f.SourceCodeInfo.Location,
		&descriptorpb.SourceCodeInfo_Location{Path: []int32{4, 1}, Span: []int32{8, 0, 20}},
		&descriptorpb.SourceCodeInfo_Location{Path: []int32{6, 0}, Span: []int32{19, 0, 20}, LeadingComments: proto.String(" Shop sells.\n")},
		&descriptorpb.SourceCodeInfo_Location{Path: []int32{6, 0, 2, 1}, Span: []int32{21, 2, 20}, LeadingComments: proto.String(" In this way.\n")})
	return f
}

func namesOf(response *pluginpb.CodeGeneratorResponse) (names []string) {
	for _, file := range response.File {
		names = append(names, file.GetName())
	}
	return names
}

func TestServicesGoWhereTheOptionSays(t *testing.T) {
	const messages, beside = "example.com/shop/order_hone.pb.go", "example.com/shop/order_hone_rpc.pb.go"
	for option, want := range map[string][]string{
		"": {messages, beside}, "services=on": {messages, beside}, "services=off": {messages},
		"services=package":                               {messages, "example.com/shop/shoprpc/order_hone_rpc.pb.go"},
		"services=package,module=example.com/shop":       {"order_hone.pb.go", "shoprpc/order_hone_rpc.pb.go"},
		"services=package,paths=source_relative":         {"shop/order_hone.pb.go", "shop/shoprpc/order_hone_rpc.pb.go"},
		"services=package,Mshop/order.proto=a.b/c;other": {"a.b/c/order_hone.pb.go", "a.b/c/otherrpc/order_hone_rpc.pb.go"},
	} {
		response, err := generate(t, option, withService(nil, "Shop", "Sell"))
		if err != nil || !slices.Equal(namesOf(response), want) {
			t.Errorf("%q: %v, not %v (%v)", option, namesOf(response), want, err)
		}
	}
	if _, err := generate(t, "services=elsewhere", file()); err == nil || !strings.Contains(err.Error(), "write services=on, services=package or services=off") {
		t.Error(err)
	}
	if _, err := generate(t, "service=off", file()); err == nil || !strings.Contains(err.Error(), `option "service" is not known`) {
		t.Error(err)
	}
}

func TestServicesOfTheirOwnPackageTakeMessagesFromTheOther(t *testing.T) {
	response, err := generate(t, "services=package", withService(nil, "Shop", "Sell", "Return"))
	if err != nil {
		t.Fatal(err)
	}
	code := response.File[1].GetContent()
	for _, want := range []string{"package shoprpc\n", "shop \"example.com/shop\"\n", "*shop.Order) (*shop.Order, error)", "File: shop.File_shop_order_proto,",
		"// Shop sells.\ntype Shop interface {", "\t// In this way.\n\tReturn("} {
		if !strings.Contains(code, want) {
			t.Errorf("the code has not %q:\n%s", want, code)
		}
	}
}

// The variables in the code have the same names as these packages, and so hide them.
func TestPackagesMayHaveTheNamesOfVariables(t *testing.T) {
	for _, name := range []string{"server", "implementation", "c", "ctx", "request"} {
		response, err := generate(t, "services=package,Mshop/order.proto=example.com/"+name, withService(nil, "Shop", "Sell"))
		if err != nil {
			t.Fatal(err)
		}
		code := response.File[1].GetContent()
		switch name {
		case "server", "implementation":
			if !strings.Contains(code, "func RegisterShop(server_ rpc.Registrar, implementation_ Shop) {") {
				t.Error(code)
			}
		default:
			if strings.Contains(code, "rpc.CallUnary["+name+".") || !strings.Contains(code, "= "+name+".Order\n") {
				t.Error(code)
			}
		}
	}
}

func TestNamesThatServicesShareWithOthersAreErrors(t *testing.T) {
	const order = "example.com/shop"
	other := withService(nil, "stock", "Count")
	other.Name, other.MessageType, other.Package = proto.String("shop/stock.proto"), nil, proto.String("shop")
	other.Dependency = []string{"shop/order.proto"}
	first := withService(nil, "Stock", "Count")
	for name, c := range map[string]struct {
		files []*descriptorpb.FileDescriptorProto
		want  string
	}{
		"a message": {[]*descriptorpb.FileDescriptorProto{withService([]string{"ShopClient"}, "Shop", "Sell")},
			"shop/order.proto:20:1: shop.Shop gets the Go name ShopClient, which shop.ShopClient (shop/order.proto:9:1) has too: rename one of them, or pass services=package"},
		"two methods": {[]*descriptorpb.FileDescriptorProto{withService(nil, "Shop", "sell", "Sell")},
			"shop/order.proto:22:3: shop.Shop.Sell gets the Go name Sell, which shop.Shop.sell (shop/order.proto) has too"},
		"a message that is written otherwise": {[]*descriptorpb.FileDescriptorProto{withService([]string{"register_shop"}, "Shop", "Sell")},
			"shop.Shop gets the Go name RegisterShop, which shop.register_shop (shop/order.proto:9:1) has too"},
		"a message of the service's name": {[]*descriptorpb.FileDescriptorProto{withService([]string{"shop"}, "Shop", "Sell")},
			"gets the Go name Shop, which shop.shop (shop/order.proto:9:1) has too"},
		"services of two files": {[]*descriptorpb.FileDescriptorProto{first, other},
			"shop/stock.proto:20:1: shop.stock gets the Go name Stock, which shop.Stock (shop/order.proto:20:1) has too"},
		"none": {[]*descriptorpb.FileDescriptorProto{withService([]string{"Client"}, "Shop", "Sell")}, ""},
	} {
		_, err := generate(t, "Mshop/stock.proto="+order, c.files...)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, not %q", name, err, c.want)
		}
	}
	if _, err := generate(t, "services=package", withService([]string{"ShopClient"}, "Shop", "Sell")); err != nil {
		t.Errorf("in a package of their own: %v", err)
	}
	if _, err := generate(t, "services=off", withService([]string{"ShopClient"}, "Shop", "Sell")); err != nil {
		t.Errorf("without services: %v", err)
	}
}
