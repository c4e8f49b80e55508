package rpc

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"hone/go/rpc/policy/balance"
)

type patienceKey struct{}

// WithWaitForReady sets whether calls that are made with the context wait while no instance is connected. It overrides [Policies].WaitForReady.
func WithWaitForReady(ctx context.Context, waits bool) context.Context {
	return context.WithValue(ctx, patienceKey{}, waits)
}

// isPatient reports whether a call waits until an instance is connected, even after attempts that failed.
func (r *route) isPatient(ctx context.Context) bool {
	if waits, isSaid := ctx.Value(patienceKey{}).(bool); isSaid {
		return waits
	}
	return r.client.Policies.WaitForReady
}

// askAgain is the interval at which a patient call looks for instances to which a new attempt may be made.
const askAgain = 20 * time.Millisecond

// await returns an instance for a call that has found none with a connection, once one is connected. If all attempts to connect have failed, it
// returns any instance, whose error the call then gets; a patient call goes on waiting. It returns nil if there are no instances.
func (r *route) await(ctx context.Context, request balance.Request) (*balance.Node, error) {
	isPatient := r.isPatient(ctx)
	for {
		changed := r.changes.next()
		node := r.pickAny(request)
		if node != nil && !node.IsReachable() {
			r.ask()
		}
		switch {
		case node != nil && node.IsReachable() && !r.isBetterWaitedFor(node, request):
			return node, nil
		case !isPatient && (node == nil || r.connecting.Load() == 0):
			// The last attempt may have succeeded since.
			return r.pickAny(request), nil
		}
		if err := r.awaitChange(ctx, changed, node, isPatient); err != nil {
			return nil, err
		}
	}
}

// pickAny picks an instance; nil if none is known.
func (r *route) pickAny(request balance.Request) *balance.Node {
	all := r.picker.Load()
	if all == nil {
		return nil
	}
	return all.Pick(request)
}

// isBetterWaitedFor reports whether the node has been tried, and another instance may soon be connected for the first time.
func (r *route) isBetterWaitedFor(node *balance.Node, request balance.Request) bool {
	return r.starting.Load() > 0 && slices.Contains(request.Tried, node)
}

// awaitChange waits for a change, such as the end of an attempt to connect.
func (r *route) awaitChange(ctx context.Context, changed <-chan struct{}, node *balance.Node, isPatient bool) error {
	most := never
	if isPatient {
		most = askAgain
	}
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-changed:
	case <-timer.C:
	case <-r.ctx.Done():
		return &Error{Code: Canceled, Stage: Connecting, Cause: ErrClientClosed}
	case <-ctx.Done():
		return whyNotConnected(ctx, node)
	}
	return nil
}

// whyNotConnected returns the error of a call that has waited for a connection in vain.
func whyNotConnected(ctx context.Context, node *balance.Node) *Error {
	failure := &Error{Code: CodeOf(ctx.Err()), Stage: Connecting, Cause: context.Cause(ctx)}
	if node == nil {
		return failure.within(ctx)
	}
	at := node.Value().(*instance)
	failure.Address = at.at.String()
	if err := at.whyUnreachable(); err != errNotSent {
		failure.Message = fmt.Sprintf("%v; the last attempt to connect failed: %v", failure.Cause, err)
	}
	return failure.within(ctx)
}

// ask requests attempts to connect to all instances: to those that are not wanted only if none of the others can be reached.
func (r *route) ask() {
	r.mu.Lock()
	defer r.mu.Unlock()
	isLastResort := r.starting.Load() == 0
	for _, one := range r.pickable {
		one.ask(isLastResort)
	}
}

// notice wakes all goroutines that wait for the next change.
type notice struct {
	mu   sync.Mutex
	told chan struct{}
}

// next returns a channel that the next tell closes.
func (n *notice) next() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.told == nil {
		n.told = make(chan struct{})
	}
	return n.told
}

func (n *notice) tell() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.told != nil {
		close(n.told)
		n.told = nil
	}
}
