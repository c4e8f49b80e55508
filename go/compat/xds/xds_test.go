package xds

import (
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	cluster "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpoint "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	listener "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	route "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	manager "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"

	"hone/go/rpc"
	"hone/go/rpc/health"
	"hone/go/xds"
)

// eachForm runs a test with both forms of the protocol.
func eachForm(t *testing.T, test func(t *testing.T, p *plane, options xds.Options)) {
	for _, world := range []bool{false, true} {
		name := "delta"
		if world {
			name = "state of the world"
		}
		t.Run(name, func(t *testing.T) { test(t, startPlane(t), xds.Options{StateOfTheWorld: world}) })
	}
}

// until reads updates up to the wanted list: kinds of resources come one after the other, so that other lists and errors come before it.
func until(t *testing.T, next func() string, wanted string) {
	t.Helper()
	for got := next(); got != wanted; got = next() {
	}
}

func want(t *testing.T, got, wanted string) {
	t.Helper()
	if !strings.HasPrefix(got, wanted) {
		t.Fatalf("\n got %s\nwant %s", got, wanted)
	}
}

type localities = []*endpoint.LocalityLbEndpoints

func TestInstancesFollowTheControlPlane(t *testing.T) {
	eachForm(t, func(t *testing.T, p *plane, options xds.Options) {
		p.say(world{clusters: map[string]localities{"one": {locality("a", 0, "10.0.0.1", "10.0.0.2")}}})
		next := p.watch(options)
		want(t, next(), "10.0.0.1:9090*500000@a 10.0.0.2:9090*500000@a ")
		p.say(world{clusters: map[string]localities{"one": {locality("a", 0, "10.0.0.2"), locality("b", 0, "fd00::1", "/run/shop")}}})
		until(t, next, "10.0.0.2:9090*333333@a [fd00::1]:9090*333333@b unix:/run/shop*333333@b ")
		// Localities with weights, of which the last has none.
		p.say(world{clusters: map[string]localities{"one": {locality("a", 3, "10.0.0.2"), locality("b", 1, "10.0.0.3", "10.0.0.4"), locality("c", 0, "10.0.0.5")}}})
		until(t, next, "10.0.0.2:9090*750000@a 10.0.0.3:9090*125000@b 10.0.0.4:9090*125000@b ")
		// Ill instances, and instances that stand by until all others are ill.
		ill, standby := locality("a", 0, "10.0.0.2", "10.0.0.3"), locality("b", 0, "10.0.0.9")
		ill.LbEndpoints[0].HealthStatus, standby.Priority = core.HealthStatus_UNHEALTHY, 1
		p.say(world{clusters: map[string]localities{"one": {ill, standby}}})
		until(t, next, "10.0.0.3:9090*1000000@a ")
		ill.LbEndpoints[1].HealthStatus = core.HealthStatus_DRAINING
		p.say(world{clusters: map[string]localities{"one": {ill, standby}}})
		until(t, next, "10.0.0.9:9090*1000000@b ")
		if len(p.refused) > 0 {
			t.Error(<-p.refused)
		}
	})
}

func TestARouteMayHaveSeveralClusters(t *testing.T) {
	eachForm(t, func(t *testing.T, p *plane, options xds.Options) {
		// The weight of a cluster is the length of its name.
		p.say(world{clusters: map[string]localities{"one": {locality("a", 0, "10.0.0.1")}, "other": {locality("a", 0, "10.0.0.1", "10.0.0.2")}}})
		next := p.watch(options)
		want(t, next(), "10.0.0.1:9090*687500@a 10.0.0.2:9090*312500@a ")
		p.say(world{clusters: map[string]localities{"other": {locality("a", 0, "10.0.0.2")}}})
		until(t, next, "10.0.0.2:9090*1000000@a ")
	})
}

func TestWhatIsNotSupportedIsRefusedByItsPathAndTheLastListStays(t *testing.T) {
	for text, change := range map[string]func(l *listener.Listener, m *manager.HttpConnectionManager, r *route.RouteConfiguration, c *cluster.Cluster){
		`listener "shop": api_listener.api_listener.http_filters[0] "fault" is not supported`: func(_ *listener.Listener, m *manager.HttpConnectionManager, _ *route.RouteConfiguration, _ *cluster.Cluster) {
			m.HttpFilters = []*manager.HttpFilter{{Name: "fault"}}
		},
		`route "to-shop": virtual_hosts[1].routes[0].match.prefix is not supported`: func(_ *listener.Listener, _ *manager.HttpConnectionManager, r *route.RouteConfiguration, _ *cluster.Cluster) {
			if len(r.VirtualHosts) > 0 {
				r.VirtualHosts[1].Routes[0].Match.PathSpecifier = &route.RouteMatch_Prefix{Prefix: "/shop.Stock/"}
			}
		},
		`cluster "one": lb_policy RING_HASH is not supported`: func(_ *listener.Listener, _ *manager.HttpConnectionManager, _ *route.RouteConfiguration, c *cluster.Cluster) {
			c.LbPolicy = cluster.Cluster_RING_HASH
		},
	} {
		t.Run(text[:9], func(t *testing.T) {
			eachForm(t, func(t *testing.T, p *plane, options xds.Options) {
				good := world{clusters: map[string]localities{"one": {locality("a", 0, "10.0.0.1")}}}
				p.say(good)
				next := p.watch(options)
				want(t, next(), "10.0.0.1:9090*1000000@a ")
				p.say(world{clusters: good.clusters, change: change})
				want(t, next(), `error: xds: service "shop": refused what the control plane sent: resources[0] `+text)
				if told := <-p.refused; !strings.Contains(told, text) {
					t.Error(told)
				}
				p.say(good)
				until(t, next, "10.0.0.1:9090*1000000@a ")
			})
		})
	}
}

func TestTheLastListStaysWhileTheControlPlaneIsGoneOrLacksTheService(t *testing.T) {
	eachForm(t, func(t *testing.T, p *plane, options xds.Options) {
		p.say(world{clusters: map[string]localities{"one": {locality("a", 0, "10.0.0.1")}}})
		next := p.watch(options)
		want(t, next(), "10.0.0.1:9090*1000000@a ")
		p.server.Stop()
		if got := next(); !strings.HasPrefix(got, "error: ") || !strings.HasSuffix(got, "(the last 1 instances stay in use)") {
			t.Fatal(got)
		}
		p.say(world{clusters: map[string]localities{"one": {locality("a", 0, "10.0.0.2")}}})
		p.begin()
		until(t, next, "10.0.0.2:9090*1000000@a ")
		p.say(world{clusters: map[string]localities{"one": {locality("a", 0, "10.0.0.2")}}, isGone: true})
		until(t, next, `error: xds: service "shop": the control plane has no listener "shop" (the last 1 instances stay in use)`)
		p.say(world{clusters: map[string]localities{"one": {locality("a", 0, "10.0.0.3")}}})
		until(t, next, "10.0.0.3:9090*1000000@a ")
		// A service that is removed while the control plane is gone is reported when it is back.
		p.server.Stop()
		p.say(world{clusters: map[string]localities{"one": {locality("a", 0, "10.0.0.3")}}, isGone: true})
		p.begin()
		until(t, next, `error: xds: service "shop": the control plane has no listener "shop" (the last 1 instances stay in use)`)
	})
}

func TestAServiceThatDoesNotComeIsTold(t *testing.T) {
	eachForm(t, func(t *testing.T, p *plane, options xds.Options) {
		options.Patience = 10 * time.Millisecond
		want(t, p.watch(options)(), `error: xds: service "shop": listener "shop" has not come from the control plane`)
	})
}

func TestCallsGoWhereTheControlPlaneSays(t *testing.T) {
	eachForm(t, func(t *testing.T, p *plane, options xds.Options) {
		serve := func(name string) (string, *rpc.Server) {
			path := filepath.Join(t.TempDir(), name)
			at, err := net.Listen("unix", path)
			if err != nil {
				t.Fatal(err)
			}
			server := rpc.NewServer()
			health.Register(server)
			go server.Serve(at)
			t.Cleanup(server.Close)
			return path, server
		}
		first, server := serve("first")
		second, _ := serve("second")
		p.say(world{clusters: map[string]localities{"one": {locality("a", 0, first)}}})
		client := rpc.Dial(service)
		client.Wire, client.Resolver = rpc.GRPC, p.resolver(options)
		client.Policies.WaitForReady = true
		defer client.Close()
		check := func() error {
			_, err := health.Check(background, client, "")
			return err
		}
		if err := check(); err != nil {
			t.Fatal(err)
		}
		p.say(world{clusters: map[string]localities{"one": {locality("a", 0, second)}}})
		server.Close()
		for late := time.Now().Add(testPatience); check() != nil; {
			if time.Now().After(late) {
				t.Fatal("no call comes to the second server")
			}
		}
	})
}
