package xds

import (
	"context"
	"maps"
	"slices"

	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	discovery "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	status "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/types/known/anypb"

	"hone/go/rpc"
)

// The methods of the service that sends all resources over one stream.
const (
	worldMethod = "/envoy.service.discovery.v3.AggregatedDiscoveryService/StreamAggregatedResources"
	deltaMethod = "/envoy.service.discovery.v3.AggregatedDiscoveryService/DeltaAggregatedResources"
)

// kind is a type of resources, by its URL.
type kind string

// All kinds, in the order in which they follow from each other.
const (
	listeners kind = "type.googleapis.com/envoy.config.listener.v3.Listener"
	routes    kind = "type.googleapis.com/envoy.config.route.v3.RouteConfiguration"
	clusters  kind = "type.googleapis.com/envoy.config.cluster.v3.Cluster"
	endpoints kind = "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment"
)

var kinds = []kind{listeners, routes, clusters, endpoints}

// names holds the names of the wanted resources by kind, each list sorted.
type names map[kind][]string

// answer is one message of a control plane.
type answer struct {
	kind           kind
	version, nonce string
	resources      []*anypb.Any
	// versions are the versions of the resources by name, in the form of the protocol that sends differences.
	versions map[string]string
	// removed are the names of resources that are gone.
	removed []string
	// isWhole is true if the resources are all that exist of their kind.
	isWhole bool
	err     error
}

// note writes the versions of resources into a map, which is nil for a kind that nobody requested.
func (a *answer) note(into map[string]string) {
	if into == nil {
		return
	}
	maps.Copy(into, a.versions)
	for _, name := range a.removed {
		delete(into, name)
	}
}

// wire is a form of the protocol, over one stream.
type wire interface {
	// want requests resources from now on, and no others.
	want(names) error
	receive() answer
	// acknowledge reports that an answer is taken; refused is the reason why a part of it is not.
	acknowledge(to answer, refused error) error
}

// detail returns an error in the form for a control plane; nil for nil.
func detail(refused error) *status.Status {
	if refused == nil {
		return nil
	}
	return &status.Status{Code: int32(rpc.InvalidArgument), Message: refused.Error()}
}

// world is the form of the protocol that sends all resources of a kind at each change.
type world struct {
	stream *rpc.ClientStream
	node   *core.Node
	asked  names
	// versions has the versions of the last answers that were taken, and nonces the nonces of the last answers that came.
	versions, nonces map[kind]string
}

func openWorld(ctx context.Context, r *Resolver) (wire, error) {
	stream, err := r.plane.Open(ctx, worldMethod)
	if err != nil {
		return nil, err
	}
	return &world{stream, r.node, names{}, map[kind]string{}, map[kind]string{}}, nil
}

func (w *world) want(wanted names) error {
	for _, k := range kinds {
		if slices.Equal(w.asked[k], wanted[k]) {
			continue
		}
		w.asked[k] = wanted[k]
		if err := w.ask(k, nil); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) ask(k kind, refused error) error {
	request := &discovery.DiscoveryRequest{Node: w.node, TypeUrl: string(k), ResourceNames: w.asked[k], VersionInfo: w.versions[k], ResponseNonce: w.nonces[k], ErrorDetail: detail(refused)}
	// Only the first request of a stream names the node.
	w.node = nil
	return w.stream.Send(request)
}

func (w *world) receive() answer {
	response := new(discovery.DiscoveryResponse)
	if err := w.stream.Receive(response); err != nil {
		return answer{err: err}
	}
	k := kind(response.TypeUrl)
	return answer{kind: k, version: response.VersionInfo, nonce: response.Nonce, resources: response.Resources, isWhole: k == listeners || k == clusters}
}

func (w *world) acknowledge(to answer, refused error) error {
	w.nonces[to.kind] = to.nonce
	if refused == nil {
		w.versions[to.kind] = to.version
	}
	return w.ask(to.kind, refused)
}

// delta is the form of the protocol that sends differences.
type delta struct {
	stream *rpc.ClientStream
	node   *core.Node
	asked  names
	// versions are the versions of resources, also of those that came over earlier streams: the control plane then sends only later changes and
	// removals.
	versions map[kind]map[string]string
}

func openDelta(ctx context.Context, r *Resolver, versions map[kind]map[string]string) (wire, error) {
	stream, err := r.plane.Open(ctx, deltaMethod)
	if err != nil {
		return nil, err
	}
	return &delta{stream, r.node, names{}, versions}, nil
}

func (d *delta) want(wanted names) error {
	for _, k := range kinds {
		before := d.asked[k]
		if slices.Equal(before, wanted[k]) {
			continue
		}
		d.asked[k] = wanted[k]
		wasAsked := func(name string) bool { return slices.Contains(before, name) }
		isWanted := func(name string) bool { return slices.Contains(wanted[k], name) }
		request := &discovery.DeltaDiscoveryRequest{
			ResourceNamesSubscribe:   slices.DeleteFunc(slices.Clone(wanted[k]), wasAsked),
			ResourceNamesUnsubscribe: slices.DeleteFunc(slices.Clone(before), isWanted),
		}
		if before == nil {
			request.InitialResourceVersions = d.versionsOf(k, wanted[k])
		}
		if err := d.send(k, request); err != nil {
			return err
		}
	}
	return nil
}

// versionsOf returns the known versions of the wanted resources of a kind, and forgets those of all others.
func (d *delta) versionsOf(k kind, wanted []string) map[string]string {
	maps.DeleteFunc(d.versions[k], func(name, _ string) bool { return !slices.Contains(wanted, name) })
	return maps.Clone(d.versions[k])
}

func (d *delta) send(k kind, request *discovery.DeltaDiscoveryRequest) error {
	request.Node, request.TypeUrl = d.node, string(k)
	d.node = nil
	return d.stream.Send(request)
}

func (d *delta) receive() answer {
	response := new(discovery.DeltaDiscoveryResponse)
	if err := d.stream.Receive(response); err != nil {
		return answer{err: err}
	}
	got := answer{kind: kind(response.TypeUrl), version: response.SystemVersionInfo, nonce: response.Nonce, removed: response.RemovedResources}
	got.versions = map[string]string{}
	for _, one := range response.Resources {
		got.resources = append(got.resources, one.Resource)
		got.versions[one.Name] = one.Version
	}
	return got
}

func (d *delta) acknowledge(to answer, refused error) error {
	return d.send(to.kind, &discovery.DeltaDiscoveryRequest{ResponseNonce: to.nonce, ErrorDetail: detail(refused)})
}

// sortedNames returns the names of a set, sorted.
func sortedNames(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }
