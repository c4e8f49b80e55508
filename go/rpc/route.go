package rpc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"hone/go/rpc/policy/balance"
	"hone/go/rpc/policy/localfirst"
	"hone/go/rpc/policy/outlier"
	"hone/go/rpc/resolve"
)

// route is the way to a service: its instances that are known now, and the picker that chooses among them.
type route struct {
	client *Client
	// picker is nil as long as no instances are known.
	picker atomic.Pointer[picker]
	// told is closed after the first report of the resolver.
	told chan struct{}
	// ctx ends when the client is closed.
	ctx context.Context
	// changes wakes waiting calls when attempts to connect end, connections are lost, or the instances change.
	changes notice
	// known is the number of instances, and connected the number of those with a connection; connecting is the number of those to which an attempt is
	// being made, and starting the number of those to which it is the first one.
	known, connected, connecting, starting atomic.Int32

	mu sync.Mutex
	// group holds the state that the nodes of the picker share; instances holds the known instances, by their addresses.
	group     balance.Group
	instances map[string]*instance
	// pickable holds the instances that may be picked.
	pickable []*instance
	// err is the error of the resolver's last report: why no instances are known, or why some are out of date or left out.
	err error
	// used holds the instances as the resolver reported them, and callers the callers of the service; each is nil as long as it is not known.
	used    []resolve.Instance
	callers []localfirst.Caller
	// localShare is the share of calls that stays on this machine; localErr is the error why none does.
	localShare float64
	localErr   error
}

type picker struct{ balance.Picker }

func newRoute(ctx context.Context, client *Client) *route {
	return &route{client: client, ctx: ctx, told: make(chan struct{}), instances: map[string]*instance{}, localErr: errCallersUnknown}
}

// watch follows the resolver until the client is closed.
func (r *route) watch(ctx context.Context, resolver resolve.Resolver, service string) {
	err := resolver.Watch(ctx, service, r.update)
	if err != nil {
		r.update(resolve.Update{Err: err})
	}
}

// update uses a report of the resolver.
func (r *route) update(told resolve.Update) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.err = told.Err
	isFirst := r.isFirst()
	if told.Err == nil {
		r.err = r.replace(told.Instances, isFirst)
	}
	if isFirst {
		close(r.told)
	}
	r.changes.tell()
}

func (r *route) isFirst() bool {
	select {
	case <-r.told:
		return false
	default:
		return true
	}
}

// replace makes a picker of the instances, and lets go of instances that are gone. Instances of the first report do not warm up. An instance
// that cannot be used, such as one with a bad address, is left out.
//
// # Errors
//
// The errors of instances that were left out, and of the picker: without a picker everything stays as it was.
func (r *route) replace(told []resolve.Instance, isFirst bool) error {
	var used []resolve.Instance
	var bad []error
	instances := map[string]*instance{}
	for _, one := range told {
		if instances[one.Address] != nil {
			continue
		}
		known := r.instances[one.Address]
		if known == nil {
			made, err := r.newInstance(one, isFirst)
			if err != nil {
				bad = append(bad, err)
				continue
			}
			known = made
		}
		instances[one.Address] = known
		used = append(used, one)
	}
	if len(used) == 0 && len(bad) > 0 {
		return errors.Join(bad...)
	}
	if err := r.choose(used, instances); err != nil {
		r.release(instances, r.instances)
		return errors.Join(append(bad, err)...)
	}
	r.release(r.instances, instances)
	r.used, r.instances = used, instances
	return errors.Join(bad...)
}

// choose makes the picker of instances.
func (r *route) choose(used []resolve.Instance, instances map[string]*instance) error {
	var entries []balance.Entry
	for _, one := range used {
		entries = append(entries, balance.Entry{Node: instances[one.Address].node, Weight: one.Weight})
	}
	made, err := r.client.governance.picker(entries)
	if err != nil {
		return err
	}
	wanted := entries
	if r.callers != nil {
		made, wanted = r.localFirst(used, entries, made)
	}
	r.known.Store(int32(len(entries)))
	r.pickable = instancesOf(entries)
	// An attempt to connect to a new instance counts as under way before a call can pick the instance.
	for _, one := range instancesOf(wanted) {
		one.want()
	}
	r.picker.Store(&picker{made})
	return nil
}

// instancesOf returns the instances that have a weight; all if none has.
func instancesOf(entries []balance.Entry) (all []*instance) {
	isWeighted := slices.ContainsFunc(entries, func(e balance.Entry) bool { return e.Weight > 0 })
	for _, e := range entries {
		if e.Weight > 0 || !isWeighted {
			all = append(all, e.Node.Value().(*instance))
		}
	}
	return all
}

// release lets go of the instances in all that are not in stay.
func (r *route) release(all, stay map[string]*instance) {
	for address, gone := range all {
		if stay[address] != gone {
			gone.leave()
			if gone.host != nil {
				r.client.governance.outliers.Remove(gone.host)
			}
		}
	}
}

func (r *route) newInstance(told resolve.Instance, isFirst bool) (*instance, error) {
	at, err := parseEndpoint(told.Address)
	if err != nil {
		return nil, err
	}
	made, err := newInstance(r, r.client.nearest(at, told), told.Tags[resolve.Host])
	if err != nil {
		return nil, err
	}
	g := r.client.governance
	made.node = r.group.NewNode(told.Address, made)
	made.node.SetHealthy(balance.Connection, false)
	if !isFirst && g.WarmUp.Window > 0 {
		made.warmsSince = g.now()
		made.isWarming = true
		made.node.SetShare(g.WarmUp.Share(0))
	}
	if g.outliers != nil {
		made.host = g.outliers.Add(func(isEjected bool) { made.node.SetHealthy(balance.Outlier, !isEjected) })
	}
	made.begin(r.ctx)
	return made, nil
}

// tendEvery is the interval at which instances that warm up get more of their weight.
const tendEvery = time.Second

// tend warms instances up and looks for outliers from time to time, if the policies want that, until the client is closed.
func (r *route) tend(ctx context.Context) {
	g := r.client.governance
	if g.outliers == nil && g.WarmUp.Window == 0 {
		return
	}
	ticks := time.NewTicker(tendEvery)
	defer ticks.Stop()
	for last := g.now(); ; {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		r.warm()
		if now := g.now(); g.outliers != nil && now-last >= outlier.Interval {
			g.outliers.Sweep(now)
			last = now
		}
	}
}

// warm gives instances that warm up the share of their weight for their age.
func (r *route) warm() {
	g := r.client.governance
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, one := range r.instances {
		if one.isWarming {
			age := g.now() - one.warmsSince
			one.node.SetShare(g.WarmUp.Share(age))
			one.isWarming = age < g.WarmUp.Window
		}
	}
}

// pick chooses the instance for an attempt: one with a connection, and one that has not been tried if there are others. If none is connected and
// mayWait is true, the call waits as long as attempts to connect are made. Instances whose circuit breaker is open are passed over.
func (r *route) pick(ctx context.Context, tried *[]*balance.Node, mayWait bool) (*attempt, error) {
	if r.picker.Load() == nil {
		if err := r.awaitFirst(ctx); err != nil {
			return nil, err
		}
	}
	request := balance.Request{Tried: *tried}
	if r.client.governance.Balance == ConsistentHash {
		request.Hash, _ = ctx.Value(hashKey{}).(uint64)
	}
	for range mostPicks {
		node := r.pickAny(request)
		if mayWait && (node == nil || !node.IsReachable() || r.isBetterWaitedFor(node, request)) {
			var err error
			if node, err = r.await(ctx, request); err != nil {
				return nil, err
			}
		}
		if node == nil {
			return nil, &Error{Code: Unavailable, Stage: Resolving, Message: fmt.Sprintf("no instances of %s are known", r.client.Target)}
		}
		made, isAllowed := newAttempt(node)
		*tried = append(*tried, node)
		if isAllowed {
			return made, nil
		}
		request.Tried = *tried
	}
	return nil, &Error{Code: Unavailable, Stage: Resolving, Message: "the circuit breakers of the instances that were tried are open"}
}

// mostPicks is the number of instances that are looked at to find one whose circuit breaker is closed.
const mostPicks = 4

// awaitFirst waits until instances are known.
func (r *route) awaitFirst(ctx context.Context) error {
	select {
	case <-r.told:
	case <-r.ctx.Done():
		return &Error{Code: Canceled, Stage: Resolving, Cause: ErrClientClosed}
	case <-ctx.Done():
		return &Error{Code: CodeOf(ctx.Err()), Stage: Resolving, Cause: context.Cause(ctx)}
	}
	if r.picker.Load() != nil || r.isPatient(ctx) {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return &Error{Code: Unavailable, Stage: Resolving, Cause: r.err}
}
