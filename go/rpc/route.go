package rpc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"hone/go/rpc/balance"
	"hone/go/rpc/localfirst"
	"hone/go/rpc/outlier"
	"hone/go/rpc/resolve"
)

// route is the way to a service: its instances as they are known now, and what chooses among them.
type route struct {
	client *Client
	// picker is nil as long as no instances are known.
	picker atomic.Pointer[picker]
	// told is closed when the resolver has told something for the first time.
	told chan struct{}
	// ctx ends when the client is closed.
	ctx context.Context
	// changes tell of attempts to connect that have ended, connections that are lost, and other instances.
	changes notice
	// known is how many instances there are, and connected how many of them have a connection; to as many as connecting an attempt is made, to starting the first one.
	known, connected, connecting, starting atomic.Int32

	mu sync.Mutex
	// group holds what the nodes of the picker have in common; instances are those that are known, by their addresses.
	group     balance.Group
	instances map[string]*instance
	// pickable are those that may be picked.
	pickable []*instance
	// err is why no instances are known, or are not known anew.
	err error
	// used are the instances as the resolver told them, and callers where calls come from; nil as long as that is not known.
	used    []resolve.Instance
	callers []localfirst.Caller
	// localShare is the share of calls that stays on this machine; localErr is why none does.
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

// update takes what the resolver tells.
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

// replace makes a picker of the instances, and lets go of those that are gone. Those that are there from the beginning do not warm up. An instance
// that cannot be used, such as one with a bad address, is left out.
//
// # Errors
//
// Those of instances that were left out, and of the picker, without which all stays as it was.
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
	// An instance that is new counts as being connected before a call can pick it.
	for _, one := range instancesOf(wanted) {
		one.want()
	}
	r.picker.Store(&picker{made})
	return nil
}

// instancesOf are those that have a weight; all if none has.
func instancesOf(entries []balance.Entry) (all []*instance) {
	isWeighted := slices.ContainsFunc(entries, func(e balance.Entry) bool { return e.Weight > 0 })
	for _, e := range entries {
		if e.Weight > 0 || !isWeighted {
			all = append(all, e.Node.Value().(*instance))
		}
	}
	return all
}

// release lets those of all instances go that do not stay.
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

// tendEvery is how often instances that warm up get more of their weight.
const tendEvery = time.Second

// tend does what policies want from time to time, until the client is closed.
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

// warm gives instances that have started the share that they have at their age.
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

// pick chooses the instance for an attempt: one with a connection, other than those that have been tried if there are others. Where none is connected the call waits as long as
// attempts to connect are made, if it may. Instances whose circuit breaker is open are passed over.
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

// mostPicks is how many instances are looked at for one whose circuit breaker is closed.
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
