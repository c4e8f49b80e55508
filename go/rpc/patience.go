package rpc

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"hone/go/rpc/balance"
)

type patienceKey struct{}

// WithWaitForReady says whether calls that are made with the context wait where no instance is connected, in place of what [Policies].WaitForReady says.
func WithWaitForReady(ctx context.Context, waits bool) context.Context {
	return context.WithValue(ctx, patienceKey{}, waits)
}

// isPatient is whether a call waits until an instance is connected, also after attempts that failed.
func (r *route) isPatient(ctx context.Context) bool {
	if waits, isSaid := ctx.Value(patienceKey{}).(bool); isSaid {
		return waits
	}
	return r.client.Policies.WaitForReady
}

// askAgain is how often a patient call looks for instances that may be asked anew.
const askAgain = 20 * time.Millisecond

// await gives an instance for a call that has found none with a connection, once there is one. If all attempts to connect have failed, it is any instance, which tells how;
// a patient call goes on waiting. Nil is that there are no instances.
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

// isBetterWaitedFor is whether another instance than one that has been tried may soon be connected for the first time.
func (r *route) isBetterWaitedFor(node *balance.Node, request balance.Request) bool {
	return r.starting.Load() > 0 && slices.Contains(request.Tried, node)
}

// awaitChange waits until an attempt to connect has ended.
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

// whyNotConnected is the error of a call that has waited for a connection in vain.
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

// ask has attempts made to connect to all instances: to those that are not wanted only where none of the others can be reached.
func (r *route) ask() {
	r.mu.Lock()
	defer r.mu.Unlock()
	isLastResort := r.starting.Load() == 0
	for _, one := range r.pickable {
		one.ask(isLastResort)
	}
}

// notice tells all who wait for the next change.
type notice struct {
	mu   sync.Mutex
	told chan struct{}
}

// next is closed by the next tell.
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
