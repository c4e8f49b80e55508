// Package xds finds instances of services by xDS, the protocol by which control planes such as Istio's and go-control-plane tell proxies and clients
// of gRPC where to send calls. A service is the name of a listener; its route, clusters and endpoints follow, all over one stream (ADS):
//
//	plane := rpc.Dial("tcp://control-plane:18000")
//	plane.Wire = rpc.GRPC
//	client := rpc.Dial("shop")
//	client.Resolver = xds.NewResolver(plane, xds.Options{Node: "host-17"})
//
// [Resolver] is a resolver of hone/go/rpc/resolve: it reports addresses and weights, and the client's own policies do the rest. Anything else from a
// control plane that would change where calls go is refused (NACK) with the path of the unsupported field.
//
// It is a module of its own, so that programs without xDS do not have the definitions of its messages.
package xds

import (
	"context"
	"errors"
	"fmt"
	"time"

	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"

	"hone/go/internal/wait"
	"hone/go/rpc"
	"hone/go/rpc/resolve"
)

// Options of a [Resolver].
type Options struct {
	// Node is the name of this process, by which control planes choose what to send.
	Node string
	// Cluster is the group of processes that this one belongs to.
	Cluster string
	// StateOfTheWorld makes the control plane send all resources of a kind at each change. It is for control planes that cannot send differences.
	StateOfTheWorld bool
	// Patience is the time after which a resource that has not come is reported as missing. 0 means 15 s.
	Patience time.Duration
	// Retry is the wait after a stream has ended. 0 means 1 s.
	Retry time.Duration
}

// Resolver finds instances by a control plane. It keeps the last list while the control plane cannot be reached, or lacks a needed resource.
type Resolver struct {
	plane   *rpc.Client
	options Options
	node    *core.Node
}

// NewResolver returns a resolver that calls a control plane by a client of gRPC, which the caller closes.
func NewResolver(plane *rpc.Client, options Options) *Resolver {
	if options.Patience <= 0 {
		options.Patience = 15 * time.Second
	}
	if options.Retry <= 0 {
		options.Retry = time.Second
	}
	return &Resolver{plane, options, &core.Node{Id: options.Node, Cluster: options.Cluster, UserAgentName: "hone-go"}}
}

// Watch implements [resolve.Resolver]. It returns an error for an empty name.
func (r *Resolver) Watch(ctx context.Context, service string, tell func(resolve.Update)) error {
	if service == "" {
		return errors.New("xds: the service is empty; write the name of a listener")
	}
	w := &watcher{Resolver: r, service: service, teller: resolve.NewTeller(tell), known: newKnown(service), versions: map[kind]map[string]string{}}
	for _, k := range kinds {
		w.versions[k] = map[string]string{}
	}
	for ctx.Err() == nil {
		err := w.follow(ctx)
		if ctx.Err() == nil {
			w.failed(err)
			wait.For(ctx, r.options.Retry)
		}
	}
	return nil
}

// watcher is one call of [Resolver.Watch].
type watcher struct {
	*Resolver
	service string
	teller  *resolve.Teller
	known   *known
	// versions are the versions of resources that came over this stream or earlier ones, by kind and name.
	versions map[kind]map[string]string
}

func (w *watcher) failed(err error) {
	w.teller.Failed(fmt.Errorf("xds: service %q: %w", w.service, err))
}

// follow takes the answers of one stream, until it ends.
func (w *watcher) follow(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	wire, err := w.open(ctx)
	if err != nil {
		return err
	}
	// The receiving goroutine ends with the stream.
	answers := make(chan answer)
	go func() {
		for {
			got := wire.receive()
			select {
			case answers <- got:
			case <-ctx.Done():
				return
			}
			if got.err != nil {
				return
			}
		}
	}()
	if err := wire.want(w.known.wanted()); err != nil {
		return err
	}
	missing := time.NewTimer(w.options.Patience)
	defer missing.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-missing.C:
			if _, err := w.known.instances(); err != nil {
				w.failed(err)
			}
		case got := <-answers:
			if got.err != nil {
				return got.err
			}
			got.note(w.versions[got.kind])
			refused := w.known.take(got)
			if err := wire.acknowledge(got, refused); err != nil {
				return err
			}
			if refused != nil {
				w.failed(fmt.Errorf("refused what the control plane sent: %w", refused))
			}
			if err := wire.want(w.known.wanted()); err != nil {
				return err
			}
			w.tell(refused != nil)
			missing.Reset(w.options.Patience)
		}
	}
}

// tell reports the instances once all resources that lead to them are known. A service that the control plane has removed is reported at once; other
// missing resources are reported after a while, since they may be on their way.
func (w *watcher) tell(hasRefused bool) {
	instances, err := w.known.instances()
	var gone *goneError
	switch {
	case err == nil && !hasRefused:
		w.teller.Found(instances)
	case errors.As(err, &gone) && gone.kind == listeners:
		w.failed(err)
	}
}

func (w *watcher) open(ctx context.Context) (wire, error) {
	if w.options.StateOfTheWorld {
		return openWorld(ctx, w.Resolver)
	}
	return openDelta(ctx, w.Resolver, w.versions)
}
