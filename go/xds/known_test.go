package xds

import (
	"math"
	"testing"

	cluster3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	endpoint3 "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	listener3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	route3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	"hone/go/rpc/resolve"
)

func TestTheBestDomainIsTheLongestAndAnExactOneFirst(t *testing.T) {
	for _, is := range []struct{ name, better, worse string }{
		{"shop.example.org", "shop.example.org", "*.example.org"},
		{"shop.example.org", "*.example.org", "*.org"},
		{"shop.example.org", "*.org", "shop.example.*"},
		{"shop.example.org", "shop.*", "*"},
		{"shop.example.org", "*", "other"},
	} {
		if matches(is.better, is.name) <= matches(is.worse, is.name) {
			t.Errorf("%s: %s is not better than %s", is.name, is.better, is.worse)
		}
	}
}

// Whatever a control plane sends, all reported addresses can be dialled and have a share.
func FuzzTake(f *testing.F) {
	for i, message := range []proto.Message{&listener3.Listener{Name: "shop"}, &route3.RouteConfiguration{Name: "r"}, &cluster3.Cluster{Name: "c"}, &endpoint3.ClusterLoadAssignment{
		ClusterName: "e", Endpoints: []*endpoint3.LocalityLbEndpoints{{Priority: math.MaxUint32, LbEndpoints: []*endpoint3.LbEndpoint{{}}}}}} {
		bytes, err := proto.Marshal(message)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), bytes)
	}
	f.Fuzz(func(t *testing.T, of uint8, bytes []byte) {
		k := newKnown("shop")
		k.listeners["shop"] = listener{routeName: "r"}
		k.routes["r"] = route{{"c", 1}}
		k.clusters["c"] = cluster{"e"}
		k.endpoints["e"] = assignment{{"10.0.0.1:1", "", 1}}
		at := kinds[int(of)%len(kinds)]
		k.take(answer{kind: at, resources: []*anypb.Any{{TypeUrl: string(at), Value: bytes}}, isWhole: of > 128})
		k.wanted()
		instances, _ := k.instances()
		for _, one := range instances {
			if err := resolve.CheckAddress(one.Address); err != nil || one.Weight == 0 {
				t.Fatal(one, err)
			}
		}
	})
}
