package etcd

import (
	"context"
	"errors"
	"fmt"
	"strings"

	clientv3 "go.etcd.io/etcd/client/v3"

	"hone/go/internal/wait"
	"hone/go/rpc/resolve"
)

// Resolver finds instances in etcd. It keeps the last list while etcd cannot be reached.
type Resolver struct {
	client  *clientv3.Client
	options Options
}

// NewResolver returns a resolver that uses a client, which the caller closes.
func NewResolver(client *clientv3.Client, options Options) *Resolver {
	return &Resolver{client, options.withDefaults()}
}

// Watch implements [resolve.Resolver]. It returns an error for an invalid name of a service.
func (r *Resolver) Watch(ctx context.Context, service string, tell func(resolve.Update)) error {
	directory, err := r.options.directory(service)
	if err != nil {
		return err
	}
	w := &watcher{Resolver: r, directory: directory, service: service, teller: resolve.NewTeller(tell)}
	for ctx.Err() == nil {
		pause := r.options.Retry
		err := w.list(ctx)
		if errors.Is(err, errSetBack) {
			pause = r.options.Hold
		}
		if err == nil {
			err = w.follow(ctx)
		}
		if err != nil && ctx.Err() == nil {
			w.failed(err)
			wait.For(ctx, pause)
		}
	}
	return nil
}

// watcher is one call of [Resolver.Watch].
type watcher struct {
	*Resolver
	directory, service string
	teller             *resolve.Teller
	// values are the values of instances by address, as of revision of etcd.
	values   map[string][]byte
	revision int64
}

var errSetBack = errors.New("etcd was set back to an earlier state, or lost its data; instances have time to register again")

// list reads all instances.
func (w *watcher) list(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, w.options.Timeout)
	defer stop()
	found, err := w.client.Get(ctx, w.directory, clientv3.WithPrefix())
	if err != nil {
		return err
	}
	before := w.revision
	w.revision = found.Header.Revision
	if w.revision < before {
		return errSetBack
	}
	w.values = map[string][]byte{}
	for _, pair := range found.Kvs {
		w.values[strings.TrimPrefix(string(pair.Key), w.directory)] = pair.Value
	}
	w.tell()
	return nil
}

// follow takes the changes since the list, until it is time to read the list again. It ends early if etcd no longer has the changes, since it was
// compacted, or if the called member has no leader.
func (w *watcher) follow(ctx context.Context) error {
	following, stop := context.WithTimeout(clientv3.WithRequireLeader(ctx), w.options.Resync)
	defer stop()
	for response := range w.client.Watch(following, w.directory, clientv3.WithPrefix(), clientv3.WithRev(w.revision+1)) {
		if response.CompactRevision != 0 {
			return nil
		}
		if err := response.Err(); err != nil {
			return err
		}
		for _, event := range response.Events {
			address := strings.TrimPrefix(string(event.Kv.Key), w.directory)
			if event.Type == clientv3.EventTypeDelete {
				delete(w.values, address)
			} else {
				w.values[address] = event.Kv.Value
			}
		}
		w.revision = max(w.revision, response.Header.Revision)
		if len(response.Events) > 0 {
			w.tell()
		}
	}
	return nil
}

// tell reports the instances, and then an error of those that cannot be read.
func (w *watcher) tell() {
	var instances []resolve.Instance
	var wrong error
	for address, text := range w.values {
		instance, err := read(address, text)
		if err == nil {
			instances = append(instances, instance)
		} else if wrong == nil || err.Error() < wrong.Error() {
			// Of several errors, always the same one is reported.
			wrong = err
		}
	}
	w.teller.Found(instances)
	if wrong != nil {
		w.failed(wrong)
	}
}

func (w *watcher) failed(err error) {
	w.teller.Failed(fmt.Errorf("etcd: service %q: %w", w.service, err))
}
