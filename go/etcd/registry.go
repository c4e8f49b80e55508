package etcd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"hone/go/internal/wait"
	"hone/go/rpc/resolve"
)

// Registry registers instances in etcd.
type Registry struct {
	client  *clientv3.Client
	options Options
}

// NewRegistry returns a registry that uses a client, which the caller closes.
func NewRegistry(client *clientv3.Client, options Options) *Registry {
	return &Registry{client, options.withDefaults()}
}

// errLost is the reason for a new registration: etcd was away for longer than the lease, or has lost the lease.
var errLost = errors.New("the lease is lost; the instance registers again")

// Register keeps an instance registered until ctx ends, and then removes it: end ctx, wait for Register to return, and stop the server after that.
// tell, which may be nil, is called with nil each time the instance is registered, and with the reason each time it is not. Register returns an error
// for an invalid service or address.
func (r *Registry) Register(ctx context.Context, service string, instance resolve.Instance, tell func(error)) error {
	directory, err := r.options.directory(service)
	if err == nil {
		err = resolve.CheckAddress(instance.Address)
	}
	if err != nil {
		return err
	}
	text, err := json.Marshal(value{&instance.Weight, instance.Tags})
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		err := r.keep(ctx, directory+instance.Address, string(text), tell)
		if err != nil && ctx.Err() == nil {
			if tell != nil {
				tell(fmt.Errorf("etcd: registration of %s for service %q: %w", instance.Address, service, err))
			}
			wait.For(ctx, r.options.Retry)
		}
	}
	return nil
}

// keep registers once, and returns when the registration is lost or ctx has ended.
func (r *Registry) keep(ctx context.Context, key, text string, tell func(error)) error {
	lease, err := r.put(ctx, key, text)
	if lease != clientv3.NoLease {
		// The lease is revoked also if ctx has ended, or put failed half-way.
		defer r.revoke(ctx, lease)
	}
	if err != nil {
		return err
	}
	living, stop := context.WithCancel(ctx)
	defer stop()
	alive, err := r.client.KeepAlive(living, lease)
	if err != nil {
		return err
	}
	if tell != nil {
		tell(nil)
	}
	for range alive {
	}
	if ctx.Err() != nil {
		return nil
	}
	return errLost
}

func (r *Registry) put(ctx context.Context, key, text string) (clientv3.LeaseID, error) {
	ctx, stop := context.WithTimeout(ctx, r.options.Timeout)
	defer stop()
	seconds := max(1, int64((r.options.TTL+time.Second-1)/time.Second))
	lease, err := r.client.Grant(ctx, seconds)
	if err != nil {
		return clientv3.NoLease, err
	}
	_, err = r.client.Put(ctx, key, text, clientv3.WithLease(lease.ID))
	return lease.ID, err
}

// revoke ends a lease, and with it the registration. If etcd cannot be reached, the lease ends by itself.
func (r *Registry) revoke(ctx context.Context, lease clientv3.LeaseID) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), min(r.options.Timeout, r.options.TTL))
	defer stop()
	r.client.Revoke(ctx, lease)
}
