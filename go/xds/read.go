package xds

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	cluster3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpoint3 "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	listener3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	route3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	manager3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	"google.golang.org/protobuf/types/known/anypb"

	"hone/go/rpc/resolve"
)

// unsupported returns the error of a field that would change where calls go and is not supported here.
func unsupported(path, instead string) error {
	return fmt.Errorf("%s is not supported; %s", path, instead)
}

// listener is the destination of a service's calls: a route, or the name of a route.
type listener struct {
	routeName string
	route     route
}

// routerType is the type of the filter that forwards calls.
const routerType = "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"

func (k *known) readListener(resource *anypb.Any) (name string, l listener, err error) {
	var from listener3.Listener
	if err := resource.UnmarshalTo(&from); err != nil {
		return "", l, err
	}
	if from.GetApiListener().GetApiListener() == nil {
		return from.Name, l, fmt.Errorf("api_listener is missing: clients take listeners of an API, and not of a socket")
	}
	var manager manager3.HttpConnectionManager
	if err := from.ApiListener.ApiListener.UnmarshalTo(&manager); err != nil {
		return from.Name, l, fmt.Errorf("api_listener.api_listener: %w", err)
	}
	for i, filter := range manager.HttpFilters {
		if filter.GetTypedConfig().GetTypeUrl() != routerType && !filter.IsOptional {
			return from.Name, l, unsupported(fmt.Sprintf("api_listener.api_listener.http_filters[%d] %q", i, filter.Name), "set is_optional, or leave it out for clients")
		}
	}
	switch {
	case manager.GetRds() != nil:
		if !isOwn(manager.GetRds().GetConfigSource()) {
			return from.Name, l, unsupported("api_listener.api_listener.rds.config_source", "write ads")
		}
		if l.routeName = manager.GetRds().RouteConfigName; l.routeName == "" {
			return from.Name, l, fmt.Errorf("api_listener.api_listener.rds.route_config_name is empty")
		}
	case manager.GetRouteConfig() != nil:
		if l.route, err = k.routeOf(manager.GetRouteConfig()); err != nil {
			return from.Name, l, fmt.Errorf("api_listener.api_listener.route_config.%w", err)
		}
	default:
		return from.Name, l, unsupported("api_listener.api_listener.route_specifier", "write rds or route_config")
	}
	return from.Name, l, nil
}

// isOwn reports whether a resource comes over the same stream.
func isOwn(source *core.ConfigSource) bool { return source.GetAds() != nil || source.GetSelf() != nil }

// route is a list of the clusters that calls go to, with their shares, whose sum is 1.
type route []routed

type routed struct {
	cluster string
	share   float64
}

func (k *known) readRoute(resource *anypb.Any) (name string, r route, err error) {
	var from route3.RouteConfiguration
	if err := resource.UnmarshalTo(&from); err != nil {
		return "", nil, err
	}
	r, err = k.routeOf(&from)
	return from.Name, r, err
}

// routeOf returns the route of all calls of the service.
func (k *known) routeOf(from *route3.RouteConfiguration) (route, error) {
	host, best := -1, 0
	for i, one := range from.VirtualHosts {
		for _, domain := range one.Domains {
			if match := matches(domain, k.service); match > best {
				host, best = i, match
			}
		}
	}
	if host < 0 {
		return nil, fmt.Errorf("virtual_hosts: none has the domain %q", k.service)
	}
	for i, one := range from.VirtualHosts[host].Routes {
		path := fmt.Sprintf("virtual_hosts[%d].routes[%d]", host, i)
		if err := checkMatch(path+".match", one.Match); err != nil {
			return nil, err
		}
		return routeTo(path, one)
	}
	return nil, fmt.Errorf("virtual_hosts[%d].routes is empty", host)
}

// matches returns how well a domain matches a name: 0 is no match, and an exact match is the largest.
func matches(domain, name string) int {
	const exact, suffix, prefix, any = 4 << 20, 2 << 20, 1 << 20, 1
	switch {
	case domain == "*":
		return any
	case strings.EqualFold(domain, name):
		return exact
	case strings.HasPrefix(domain, "*") && strings.HasSuffix(strings.ToLower(name), strings.ToLower(domain[1:])):
		return suffix + len(domain)
	case strings.HasSuffix(domain, "*") && strings.HasPrefix(strings.ToLower(name), strings.ToLower(domain[:len(domain)-1])):
		return prefix + len(domain)
	}
	return 0
}

// checkMatch returns an error for a route that does not apply to all calls.
func checkMatch(path string, match *route3.RouteMatch) error {
	const instead = "the first route must be for all calls, with the prefix / and nothing else"
	prefix, isPrefix := match.GetPathSpecifier().(*route3.RouteMatch_Prefix)
	switch {
	case !isPrefix:
		return unsupported(path+".path_specifier", instead)
	case prefix.Prefix != "" && prefix.Prefix != "/":
		return unsupported(path+".prefix", instead)
	case len(match.Headers) > 0:
		return unsupported(path+".headers", instead)
	case len(match.QueryParameters) > 0:
		return unsupported(path+".query_parameters", instead)
	case match.RuntimeFraction != nil:
		return unsupported(path+".runtime_fraction", instead)
	}
	return nil
}

func routeTo(path string, from *route3.Route) (route, error) {
	to := from.GetRoute()
	if to == nil {
		return nil, unsupported(path+".action", "write route")
	}
	switch {
	case to.GetCluster() != "":
		return route{{to.GetCluster(), 1}}, nil
	case to.GetWeightedClusters() != nil:
		var r route
		total := 0.0
		for i, one := range to.GetWeightedClusters().Clusters {
			if one.Name == "" {
				return nil, fmt.Errorf("%s.route.weighted_clusters.clusters[%d].name is empty", path, i)
			}
			if weight := float64(one.GetWeight().GetValue()); weight > 0 {
				r = append(r, routed{one.Name, weight})
				total += weight
			}
		}
		if total == 0 {
			return nil, fmt.Errorf("%s.route.weighted_clusters: no cluster has a weight", path)
		}
		for i := range r {
			r[i].share /= total
		}
		return r, nil
	}
	return nil, unsupported(path+".route.cluster_specifier", "write cluster or weighted_clusters")
}

// cluster holds the name of the endpoints resource that has the addresses of a cluster.
type cluster struct{ endpoints string }

func readCluster(resource *anypb.Any) (name string, c cluster, err error) {
	var from cluster3.Cluster
	if err := resource.UnmarshalTo(&from); err != nil {
		return "", c, err
	}
	switch policy := from.LbPolicy; {
	case from.GetType() != cluster3.Cluster_EDS || from.GetClusterType() != nil:
		return from.Name, c, unsupported("type "+from.GetType().String(), "write EDS")
	case !isOwn(from.GetEdsClusterConfig().GetEdsConfig()):
		return from.Name, c, unsupported("eds_cluster_config.eds_config", "write ads")
	case from.TransportSocket != nil || len(from.TransportSocketMatches) > 0:
		return from.Name, c, unsupported("transport_socket", "leave it out, and set the client's TLS")
	case policy != cluster3.Cluster_ROUND_ROBIN && policy != cluster3.Cluster_LEAST_REQUEST || from.LoadBalancingPolicy != nil:
		return from.Name, c, unsupported("lb_policy "+policy.String(), "write ROUND_ROBIN, and set the client's Policies.Balance")
	}
	c.endpoints = from.EdsClusterConfig.ServiceName
	if c.endpoints == "" {
		c.endpoints = from.Name
	}
	return from.Name, c, nil
}

// assignment is a list of the addresses of a cluster, with their shares, whose sum is 1.
type assignment []address

type address struct {
	address, zone string
	share         float64
}

func readAssignment(resource *anypb.Any) (name string, a assignment, err error) {
	var from endpoint3.ClusterLoadAssignment
	if err := resource.UnmarshalTo(&from); err != nil {
		return "", nil, err
	}
	for i, drop := range from.GetPolicy().GetDropOverloads() {
		if drop.GetDropPercentage().GetNumerator() > 0 {
			return from.ClusterName, nil, unsupported(fmt.Sprintf("policy.drop_overloads[%d]", i), "set Policies.Throttle of the client")
		}
	}
	isWeighted := false
	for _, locality := range from.Endpoints {
		isWeighted = isWeighted || locality.LoadBalancingWeight != nil
	}
	byPriority := map[uint32]assignment{}
	for i, locality := range from.Endpoints {
		those, err := readLocality(fmt.Sprintf("endpoints[%d]", i), locality, isWeighted)
		if err != nil {
			return from.ClusterName, nil, err
		}
		byPriority[locality.Priority] = append(byPriority[locality.Priority], those...)
	}
	for _, priority := range slices.Sorted(maps.Keys(byPriority)) {
		if a = byPriority[priority]; len(a) > 0 {
			break
		}
	}
	total := 0.0
	for _, one := range a {
		total += one.share
	}
	for i := range a {
		a[i].share /= total
	}
	return from.ClusterName, a, nil
}

// readLocality returns the addresses of a locality that take calls. Their shares add up to the locality's weight; if no locality has a weight, the
// shares are the addresses' own weights.
func readLocality(path string, from *endpoint3.LocalityLbEndpoints, isWeighted bool) (a assignment, err error) {
	total := 0.0
	for i, one := range from.LbEndpoints {
		if status := one.HealthStatus; status != core.HealthStatus_UNKNOWN && status != core.HealthStatus_HEALTHY {
			continue
		}
		at := one.GetEndpoint().GetAddress()
		text := fmt.Sprintf("%s:%d", bracketed(at.GetSocketAddress().GetAddress()), at.GetSocketAddress().GetPortValue())
		if at.GetPipe() != nil {
			text = "unix:" + at.GetPipe().Path
		}
		if err := resolve.CheckAddress(text); err != nil {
			return nil, fmt.Errorf("%s.lb_endpoints[%d].endpoint.address: %w", path, i, err)
		}
		weight := 1.0
		if one.LoadBalancingWeight != nil {
			weight = float64(one.LoadBalancingWeight.Value)
		}
		if weight > 0 {
			a = append(a, address{text, from.GetLocality().GetZone(), weight})
			total += weight
		}
	}
	if !isWeighted {
		return a, nil
	}
	share := float64(from.GetLoadBalancingWeight().GetValue())
	if share == 0 {
		return nil, nil
	}
	for i := range a {
		a[i].share *= share / total
	}
	return a, nil
}

// bracketed returns a host in the form in which it stands before a port: an IPv6 address in brackets.
func bracketed(host string) string {
	if strings.Contains(host, ":") {
		return "[" + host + "]"
	}
	return host
}
