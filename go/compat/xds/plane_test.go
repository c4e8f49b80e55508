package xds

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"sync"
	"testing"
	"time"

	cluster "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpoint "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	listener "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	route "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	router "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/router/v3"
	manager "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	discovery "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"github.com/envoyproxy/go-control-plane/pkg/cache/types"
	"github.com/envoyproxy/go-control-plane/pkg/cache/v3"
	"github.com/envoyproxy/go-control-plane/pkg/resource/v3"
	"github.com/envoyproxy/go-control-plane/pkg/server/v3"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"hone/go/rpc"
	"hone/go/rpc/resolve"
	"hone/go/xds"
)

var background = context.Background()

// testPatience is the time limit for an event that must happen, on a slow machine too.
const testPatience = 2 * time.Minute

const (
	node    = "host-17"
	service = "shop"
)

// world is the state that the control plane sends: the endpoints of clusters by name.
type world struct {
	clusters map[string][]*endpoint.LocalityLbEndpoints
	// change, if not nil, changes the resources that are made from the clusters.
	change func(l *listener.Listener, m *manager.HttpConnectionManager, r *route.RouteConfiguration, c *cluster.Cluster)
	// isGone leaves the listener out.
	isGone bool
}

// plane is a control plane, which can be stopped and started again at the same address.
type plane struct {
	t       *testing.T
	path    string
	cache   cache.SnapshotCache
	version int
	server  *grpc.Server
	mu      sync.Mutex
	// refused receives the errors with which clients refuse resources.
	refused chan string
}

func startPlane(t *testing.T) *plane {
	p := &plane{t: t, path: filepath.Join(t.TempDir(), "plane"), cache: cache.NewSnapshotCache(true, cache.IDHash{}, nil), refused: make(chan string, 1000)}
	p.begin()
	t.Cleanup(func() { p.server.Stop() })
	return p
}

func (p *plane) begin() {
	told := server.CallbackFuncs{
		StreamRequestFunc: func(_ int64, r *discovery.DiscoveryRequest) error { p.note(r.ErrorDetail.GetMessage()); return nil },
		StreamDeltaRequestFunc: func(_ int64, r *discovery.DeltaDiscoveryRequest) error {
			p.note(r.ErrorDetail.GetMessage())
			return nil
		},
	}
	p.server = grpc.NewServer()
	discovery.RegisterAggregatedDiscoveryServiceServer(p.server, server.NewServer(background, p.cache, told))
	at, err := net.Listen("unix", p.path)
	if err != nil {
		p.t.Fatal(err)
	}
	go p.server.Serve(at)
}

func (p *plane) note(message string) {
	if message != "" {
		p.refused <- message
	}
}

// inAny wraps a message in an Any.
func inAny(t *testing.T, message proto.Message) *anypb.Any {
	made, err := anypb.New(message)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func ads() *core.ConfigSource {
	return &core.ConfigSource{ResourceApiVersion: core.ApiVersion_V3, ConfigSourceSpecifier: &core.ConfigSource_Ads{Ads: &core.AggregatedConfigSource{}}}
}

// say makes the control plane send another state.
func (p *plane) say(w world) {
	p.t.Helper()
	m := &manager.HttpConnectionManager{
		RouteSpecifier: &manager.HttpConnectionManager_Rds{Rds: &manager.Rds{ConfigSource: ads(), RouteConfigName: "to-" + service}},
		HttpFilters:    []*manager.HttpFilter{{Name: "router", ConfigType: &manager.HttpFilter_TypedConfig{TypedConfig: inAny(p.t, &router.Router{})}}},
	}
	r := &route.RouteConfiguration{Name: "to-" + service, VirtualHosts: []*route.VirtualHost{
		{Name: "all", Domains: []string{"*"}},
		{Name: service, Domains: []string{service}, Routes: []*route.Route{{Match: &route.RouteMatch{PathSpecifier: &route.RouteMatch_Prefix{}}}}},
	}}
	weighted := &route.WeightedCluster{}
	var clusters, assignments []types.Resource
	for name, localities := range w.clusters {
		c := &cluster.Cluster{Name: name, ClusterDiscoveryType: &cluster.Cluster_Type{Type: cluster.Cluster_EDS}, EdsClusterConfig: &cluster.Cluster_EdsClusterConfig{EdsConfig: ads(), ServiceName: "at-" + name}}
		if w.change != nil {
			w.change(new(listener.Listener), new(manager.HttpConnectionManager), new(route.RouteConfiguration), c)
		}
		clusters = append(clusters, c)
		assignments = append(assignments, &endpoint.ClusterLoadAssignment{ClusterName: "at-" + name, Endpoints: localities})
		weighted.Clusters = append(weighted.Clusters, &route.WeightedCluster_ClusterWeight{Name: name, Weight: wrapperspb.UInt32(uint32(len(name)))})
	}
	r.VirtualHosts[1].Routes[0].Action = &route.Route_Route{Route: &route.RouteAction{ClusterSpecifier: &route.RouteAction_WeightedClusters{WeightedClusters: weighted}}}
	l := &listener.Listener{Name: service}
	if w.change != nil {
		w.change(l, m, r, new(cluster.Cluster))
	}
	l.ApiListener = &listener.ApiListener{ApiListener: inAny(p.t, m)}
	listeners := []types.Resource{l}
	if w.isGone {
		listeners = nil
	}
	p.version++
	snapshot, err := cache.NewSnapshot(fmt.Sprint(p.version), map[resource.Type][]types.Resource{
		resource.ListenerType: listeners, resource.RouteType: {r}, resource.ClusterType: clusters, resource.EndpointType: assignments,
	})
	if err == nil {
		err = p.cache.SetSnapshot(background, node, snapshot)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// locality returns a locality with addresses.
func locality(zone string, weight uint32, addresses ...string) *endpoint.LocalityLbEndpoints {
	l := &endpoint.LocalityLbEndpoints{Locality: &core.Locality{Zone: zone}}
	if weight > 0 {
		l.LoadBalancingWeight = wrapperspb.UInt32(weight)
	}
	for _, one := range addresses {
		at := &core.Address{Address: &core.Address_SocketAddress{SocketAddress: &core.SocketAddress{Address: one, PortSpecifier: &core.SocketAddress_PortValue{PortValue: 9090}}}}
		if filepath.IsAbs(one) {
			at = &core.Address{Address: &core.Address_Pipe{Pipe: &core.Pipe{Path: one}}}
		}
		l.LbEndpoints = append(l.LbEndpoints, &endpoint.LbEndpoint{HostIdentifier: &endpoint.LbEndpoint_Endpoint{Endpoint: &endpoint.Endpoint{Address: at}}})
	}
	return l
}

// resolver returns a resolver that uses the control plane.
func (p *plane) resolver(options xds.Options) *xds.Resolver {
	client := rpc.Dial("unix://" + p.path)
	client.Wire = rpc.GRPC
	p.t.Cleanup(func() { client.Close() })
	options.Node = node
	options.Retry = 10 * time.Millisecond
	return xds.NewResolver(client, options)
}

// watch follows a service, and returns a function that returns the next update.
func (p *plane) watch(options xds.Options) func() string {
	told := make(chan resolve.Update, 100)
	ctx, stop := context.WithCancel(background)
	ended := make(chan error)
	go func() { ended <- p.resolver(options).Watch(ctx, service, func(u resolve.Update) { told <- u }) }()
	p.t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			p.t.Error(err)
		}
	})
	return func() string {
		p.t.Helper()
		select {
		case u := <-told:
			if u.Err != nil {
				return "error: " + u.Err.Error()
			}
			text := ""
			for _, one := range u.Instances {
				text += fmt.Sprintf("%s*%d@%s ", one.Address, one.Weight, one.Tags[resolve.Zone])
			}
			return text
		case <-time.After(testPatience):
			p.t.Fatal("nothing is told")
			return ""
		}
	}
}
