// Command xds is a control plane of go-control-plane for the tests of hone-mesh. It serves ADS without TLS, both the state of
// the world and delta, and gives every node the same snapshot. Its first line is {"listens":"127.0.0.1:PORT"}.
//
// Each line of stdin is a whole snapshot, and the end of stdin ends the process:
//
//	{"clusters":[...],"endpoints":[...],"routes":[...],"listeners":[...],"secrets":[...]}
//
// In {"merge":{...}} resources of the same lists take the place of those of their names, and all others stay.
// Resources have Envoy's JSON form, and a missing list is an empty one. Nothing checks that the resources fit together,
// because tests also send those that do not. The answer is {"set":VERSION}, or {"error":"..."} for a line that changes
// nothing; versions count the lines that were set. Further lines of stdout tell what the streams say:
//
//	{"stream":"open","kind":"sotw","node":"..."}          the first request of a stream; kind may be "delta"
//	{"asks":"TYPE URL","names":[...]}                     a subscription; "drops":[...] are names that delta unsubscribes
//	{"answer":"ack","type":"TYPE URL","version":"..."}    delta has "nonce" instead of "version"
//	{"answer":"nack","type":"TYPE URL","error":"..."}
//	{"stream":"closed"}
//
// Three habits of go-control-plane matter to tests. In the state of the world, a nack is answered at once with the same
// resources, so a client that refuses a snapshot gets the snapshot again and again. A request for some names, while the
// snapshot has another resource of the type, is forgotten: the client hears of the type only after its next request, and
// stderr says so. In delta, a name that the snapshot lacks has no answer until a snapshot has the name.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"maps"
	"net"
	"os"
	"slices"
	"strconv"
	"sync"

	cluster "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpoint "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	listener "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	route "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	tls "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"
	discovery "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"github.com/envoyproxy/go-control-plane/pkg/cache/types"
	"github.com/envoyproxy/go-control-plane/pkg/cache/v3"
	logs "github.com/envoyproxy/go-control-plane/pkg/log"
	"github.com/envoyproxy/go-control-plane/pkg/resource/v3"
	"github.com/envoyproxy/go-control-plane/pkg/server/sotw/v3"
	"github.com/envoyproxy/go-control-plane/pkg/server/v3"
	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	// Messages that resources may hold as an Any; protojson finds only those that are linked in.
	_ "github.com/envoyproxy/go-control-plane/envoy/config/accesslog/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/config/trace/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/access_loggers/file/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/access_loggers/grpc/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/access_loggers/stream/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/buffer/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/compressor/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/cors/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_authz/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/fault/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/grpc_stats/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/header_mutation/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/health_check/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/jwt_authn/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/local_ratelimit/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/lua/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/rbac/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/router/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/listener/http_inspector/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/listener/original_dst/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/listener/proxy_protocol/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/listener/tls_inspector/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/local_ratelimit/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/rbac/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/tcp_proxy/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/thrift_proxy/router/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/thrift_proxy/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/load_balancing_policies/least_request/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/load_balancing_policies/maglev/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/load_balancing_policies/random/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/load_balancing_policies/ring_hash/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/load_balancing_policies/round_robin/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/load_balancing_policies/wrr_locality/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/retry/host/previous_hosts/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/proxy_protocol/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/raw_buffer/v3"
	_ "github.com/envoyproxy/go-control-plane/envoy/extensions/upstreams/http/v3"
)

// maxLineBytes bounds a line of stdin.
const maxLineBytes = 64 << 20

// kinds maps the lists of a line to the resources in them.
var kinds = map[string]types.Resource{
	"clusters":  &cluster.Cluster{},
	"endpoints": &endpoint.ClusterLoadAssignment{},
	"routes":    &route.RouteConfiguration{},
	"listeners": &listener.Listener{},
	"secrets":   &tls.Secret{},
}

func main() {
	address := flag.String("listen", "127.0.0.1:0", "the `host:port` to listen on; port 0 lets the kernel choose")
	flag.Parse()
	if flag.NArg() > 0 {
		log.Fatalf("xds: unknown argument %q; snapshots come from stdin", flag.Arg(0))
	}
	socket, err := net.Listen("tcp", *address)
	if err != nil {
		log.Fatalf("xds: %v", err)
	}
	snapshots := cache.NewSnapshotCache(true, oneNode{}, logs.LoggerFuncs{WarnFunc: log.Printf, ErrorFunc: log.Printf})
	out := &output{lines: json.NewEncoder(os.Stdout)}
	out.lines.SetEscapeHTML(false)
	handlers := server.NewServer(context.Background(), snapshots, callbacks(out), sotw.WithOrderedADS())
	service := grpc.NewServer()
	discovery.RegisterAggregatedDiscoveryServiceServer(service, handlers)
	out.print(map[string]string{"listens": socket.Addr().String()})
	go func() { log.Fatalf("xds: %v", service.Serve(socket)) }()

	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, maxLineBytes)
	known := lists{}
	for version := 1; lines.Scan(); {
		next, err := known.after(lines.Bytes())
		if err == nil {
			err = out.set(snapshots, next, version)
		}
		if err != nil {
			out.print(map[string]string{"error": err.Error()})
			continue
		}
		known = next
		version++
	}
	if err := lines.Err(); err != nil {
		log.Fatalf("xds: stdin: %v", err)
	}
}

// oneNode gives all nodes the same key, and so the same snapshot.
type oneNode struct{}

// ID returns the key of every node.
func (oneNode) ID(*core.Node) string { return "all" }

// lists has resources by type URL and name.
type lists map[resource.Type]map[string]types.Resource

// after returns what is known after a line.
func (known lists) after(line []byte) (lists, error) {
	var words map[string]json.RawMessage
	if err := json.Unmarshal(line, &words); err != nil {
		return nil, err
	}
	next := lists{}
	if merged := words["merge"]; merged != nil {
		if err := json.Unmarshal(merged, &words); err != nil {
			return nil, err
		}
		delete(words, "merge")
		for typeURL, resources := range known {
			next[typeURL] = maps.Clone(resources)
		}
	}
	for list := range words {
		if kinds[list] == nil {
			return nil, fmt.Errorf("%s: no such list", list)
		}
	}
	for list, kind := range kinds {
		typeURL := resource.APITypePrefix + string(proto.MessageName(kind))
		if next[typeURL] == nil {
			next[typeURL] = map[string]types.Resource{}
		}
		if err := put(next[typeURL], list, kind, words[list]); err != nil {
			return nil, err
		}
	}
	return next, nil
}

// put adds the resources of a list, which takes the place of others of their names.
func put(resources map[string]types.Resource, list string, kind proto.Message, text json.RawMessage) error {
	var items []json.RawMessage
	if text != nil {
		if err := json.Unmarshal(text, &items); err != nil {
			return fmt.Errorf("%s: %w", list, err)
		}
	}
	given := map[string]bool{}
	for i, item := range items {
		parsed := kind.ProtoReflect().New().Interface()
		if err := protojson.Unmarshal(item, parsed); err != nil {
			return fmt.Errorf("%s[%d]: %w", list, i, err)
		}
		name := cache.GetResourceName(parsed)
		if given[name] {
			return fmt.Errorf("%s[%d]: there already is one named %q", list, i, name)
		}
		given[name] = true
		resources[name] = parsed
	}
	return nil
}

// snapshot returns all of it. Every type gets its list, because a type without one would have no version.
func (known lists) snapshot(version string) (*cache.Snapshot, error) {
	resources := map[resource.Type][]types.Resource{}
	for typeURL, named := range known {
		resources[typeURL] = slices.Collect(maps.Values(named))
	}
	snapshot, err := cache.NewSnapshot(version, resources)
	if err != nil {
		return nil, err
	}
	// Delta needs the hashes; the cache would make them only after it has taken the snapshot.
	return snapshot, snapshot.ConstructVersionMap()
}

// output writes JSON objects to stdout, one a line. Stdout has no buffer.
type output struct {
	mu    sync.Mutex
	lines *json.Encoder
}

// print writes one line.
func (o *output) print(line any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.write(line)
}

// set puts what is known into the cache and prints its version. Answers to it wait for the lock, and so come after.
func (o *output) set(snapshots cache.SnapshotCache, known lists, version int) error {
	snapshot, err := known.snapshot(strconv.Itoa(version))
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := snapshots.SetSnapshot(context.Background(), oneNode{}.ID(nil), snapshot); err != nil {
		return err
	}
	o.write(map[string]int{"set": version})
	return nil
}

// write is for callers that hold the lock.
func (o *output) write(line any) {
	if err := o.lines.Encode(line); err != nil {
		log.Fatalf("xds: stdout: %v", err)
	}
}

// opened is the line for the first request of a stream.
type opened struct {
	Stream string `json:"stream"`
	Kind   string `json:"kind"`
	Node   string `json:"node"`
}

// asks is the line for a request that subscribes. Drops has the names that a delta request unsubscribes.
type asks struct {
	Type  string   `json:"asks"`
	Names []string `json:"names"`
	Drops []string `json:"drops,omitempty"`
}

// ack is the line for a response that was accepted. It has a version or a nonce.
type ack struct {
	Answer  string `json:"answer"`
	Type    string `json:"type"`
	Version string `json:"version,omitempty"`
	Nonce   string `json:"nonce,omitempty"`
}

// nack is the line for a response that was refused.
type nack struct {
	Answer string `json:"answer"`
	Type   string `json:"type"`
	Error  string `json:"error"`
}

// callbacks returns the functions that print the requests of all streams.
func callbacks(out *output) server.Callbacks {
	world := &protocol{kind: "sotw", out: out}
	delta := &protocol{kind: "delta", out: out}
	return server.CallbackFuncs{
		StreamRequestFunc: func(stream int64, r *discovery.DiscoveryRequest) error {
			world.hear(stream, r, r.GetVersionInfo())
			// An answer repeats the names that were asked for before.
			if r.GetResponseNonce() == "" {
				world.ask(r, r.GetResourceNames(), nil)
			}
			return nil
		},
		StreamDeltaRequestFunc: func(stream int64, r *discovery.DeltaDiscoveryRequest) error {
			delta.hear(stream, r, "")
			names, drops := r.GetResourceNamesSubscribe(), r.GetResourceNamesUnsubscribe()
			if r.GetResponseNonce() == "" || len(names)+len(drops) > 0 {
				delta.ask(r, names, drops)
			}
			return nil
		},
		StreamClosedFunc:      func(stream int64, _ *core.Node) { world.close(stream) },
		DeltaStreamClosedFunc: func(stream int64, _ *core.Node) { delta.close(stream) },
	}
}

// protocol prints the requests of one of the two protocols, each of which counts its streams from 1.
type protocol struct {
	kind string
	out  *output
	// open has the streams whose first request came.
	open sync.Map
}

// request is the part that requests of both protocols share.
type request interface {
	GetNode() *core.Node
	GetTypeUrl() string
	GetResponseNonce() string
	GetErrorDetail() *status.Status
}

// hear prints the beginning of a stream, and the answer if the request is one. Delta has no version.
func (p *protocol) hear(stream int64, r request, version string) {
	if _, known := p.open.LoadOrStore(stream, true); !known {
		p.out.print(opened{"open", p.kind, r.GetNode().GetId()})
	}
	if r.GetResponseNonce() == "" {
		return
	}
	if failure := r.GetErrorDetail(); failure != nil {
		p.out.print(nack{"nack", r.GetTypeUrl(), failure.GetMessage()})
	} else if p.kind == "delta" {
		p.out.print(ack{Answer: "ack", Type: r.GetTypeUrl(), Nonce: r.GetResponseNonce()})
	} else {
		p.out.print(ack{Answer: "ack", Type: r.GetTypeUrl(), Version: version})
	}
}

// ask prints a subscription.
func (p *protocol) ask(r request, names, drops []string) {
	if names == nil {
		names = []string{} // JSON would have null
	}
	p.out.print(asks{r.GetTypeUrl(), names, drops})
}

// close prints the end of a stream. A stream without a request has no beginning, and so no end.
func (p *protocol) close(stream int64) {
	if _, known := p.open.LoadAndDelete(stream); known {
		p.out.print(map[string]string{"stream": "closed"})
	}
}
