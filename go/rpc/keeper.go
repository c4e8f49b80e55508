package rpc

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"hone/go/rpc/balance"
	"hone/go/thrift"
)

// keeper keeps an instance connected, in the background: calls go to instances that have a connection, and wait only where none has.
type keeper struct {
	// ctx ends when the instance is gone, or its client is closed.
	ctx  context.Context
	stop context.CancelFunc
	wake chan struct{}

	mu sync.Mutex
	// isConnected is whether a call finds a connection, as the balancer knows it.
	isConnected bool
	// isWanted is whether the instance is to be connected also while no call needs it.
	isWanted bool
	// isConnecting is whether an attempt is under way or about to begin, and isAsked whether calls wait for it; hasTried is whether one has ended.
	isConnecting, isAsked, hasTried bool
	// err is how the last attempt has failed; nil if it has not.
	err error
	// askWait is how long calls do not ask anew after an attempt that they have asked for, until askAfter.
	askWait  time.Duration
	askAfter time.Time
	suspicion
}

// suspicion is of an instance that takes connections and may not answer.
type suspicion struct {
	// probes is how many probes it may leave unanswered before calls try it again; suspicions how often it has been suspected without an answer to one.
	probes, suspicions int
}

// mostPause is the longest time between attempts in the background. They are made as those are that calls wait for, a fifth sooner or later by chance, so that the clients of a
// server that comes back do not come all at once.
const (
	mostPause = 20 * time.Second
	jitter    = 0.2
)

func (i *instance) begin(ctx context.Context) {
	i.ctx, i.stop = context.WithCancel(ctx)
	i.wake = make(chan struct{}, 1)
	if i.client.Policies.ProbeNew {
		i.probes = firstProbes
	}
	goUnlabelled(i.keep)
}

// keep connects whenever there is no connection, until the instance is gone.
func (i *instance) keep() {
	defer i.settle(nil, true)
	var made, next time.Time
	pause := time.Duration(0)
	for i.ctx.Err() == nil {
		isSought, isAsked := i.isSought()
		if isSought && !made.IsZero() {
			// A server that closes connections as soon as they are made is not asked for another one at once.
			if time.Since(made) >= mostWait {
				pause = 0
			}
			made, next = time.Time{}, made.Add(pause)
		}
		if !isSought {
			i.sleep(never)
			continue
		}
		if left := time.Until(next); !isAsked && left > 0 {
			i.sleep(left)
			continue
		}
		i.beginAttempt()
		err := i.connect(&i.slots[0])
		pause = longer(pause, mostPause)
		if err == nil {
			made = time.Now()
		} else {
			next = time.Now().Add(jittered(pause, jitter))
		}
		i.settle(err, isAsked)
	}
}

// jittered is a time that is longer or shorter by a share, by chance.
func jittered(pause time.Duration, share float64) time.Duration {
	return time.Duration(float64(pause) * (1 - share + 2*share*rand.Float64()))
}

// sleep waits until something is to be done.
func (i *instance) sleep(most time.Duration) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-i.wake:
	case <-timer.C:
	case <-i.ctx.Done():
	}
}

func (i *instance) wakeKeeper() {
	select {
	case i.wake <- struct{}{}:
	default:
	}
}

// isSought is whether a connection is to be made, and whether calls wait for it.
func (i *instance) isSought() (isSought, isAsked bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.slots[0].current.Load() == nil {
		return i.isWanted || i.isAsked, i.isAsked
	}
	i.setConnecting(false)
	return false, false
}

// setConnecting says whether an attempt is under way. It is called with the lock.
func (i *instance) setConnecting(isConnecting bool) {
	if i.isConnecting == isConnecting {
		return
	}
	i.isConnecting = isConnecting
	count(&i.route.connecting, isConnecting)
	if !isConnecting {
		i.isAsked = false
	}
	if !i.hasTried {
		i.hasTried = !isConnecting
		count(&i.route.starting, isConnecting)
	}
}

func (i *instance) beginAttempt() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.setConnecting(true)
}

// settle ends an attempt, and tells those who wait for it. One that calls have asked for while another was under way follows that.
func (i *instance) settle(err error, wasAsked bool) {
	i.mu.Lock()
	i.err = err
	switch {
	case err == nil:
		i.askWait = 0
	case wasAsked:
		i.askWait = longer(i.askWait, i.mostWait())
		i.askAfter = time.Now().Add(i.askWait)
	}
	if err == nil || wasAsked || !i.isAsked {
		i.setConnecting(false)
	}
	i.mu.Unlock()
	i.route.changes.tell()
}

// want has the instance connected from now on.
func (i *instance) want() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.isWanted {
		return
	}
	if i.isWanted = true; !i.isConnected && !i.isGone() {
		i.setConnecting(true)
	}
	i.wakeKeeper()
}

// ask has an attempt made at once, unless the last one that was asked for has failed only now. An instance that is not wanted is the last resort.
func (i *instance) ask(isLastResort bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if !i.isWanted && !isLastResort || i.isConnected || i.isGone() || i.isAsked || time.Now().Before(i.askAfter) {
		return
	}
	i.isAsked = true
	i.setConnecting(true)
	i.wakeKeeper()
}

// look sees whether the instance has a connection, and tells the balancer and those who wait for one.
func (i *instance) look() {
	i.mu.Lock()
	isConnected := false
	for n := range i.slots {
		isConnected = isConnected || i.slots[n].current.Load() != nil
	}
	i.setConnected(isConnected && !i.isGone())
	i.mu.Unlock()
	i.wakeKeeper()
	i.route.changes.tell()
}

// setConnected is called with the lock.
func (i *instance) setConnected(isConnected bool) {
	if i.isConnected == isConnected {
		return
	}
	i.isConnected = isConnected
	count(&i.route.connected, isConnected)
	i.node.SetHealthy(balance.Connection, isConnected)
}

// count has one more instance in a number of the route, or one less.
func count(of *atomic.Int32, isMore bool) {
	if isMore {
		of.Add(1)
	} else {
		of.Add(-1)
	}
}

// giveUp makes no more connections.
func (i *instance) giveUp() {
	i.stop()
	i.mu.Lock()
	defer i.mu.Unlock()
	i.setConnected(false)
}

// isGone is whether the resolver tells the instance no more, or its client is closed.
func (i *instance) isGone() bool { return i.ctx.Err() != nil }

// whyUnreachable is why a call finds no connection.
func (i *instance) whyUnreachable() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.err != nil {
		return i.err
	}
	return errNotSent
}

// An instance that is suspected of answering nothing leaves so many probes unanswered before calls try it again: each time more, up to the most.
const (
	firstProbes = 8
	mostProbes  = 512
)

// suspect has the instance probed before calls go to it again.
func (i *instance) suspect() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.probes = min(firstProbes<<min(2*i.suspicions, 30), mostProbes)
	i.suspicions++
}

// mustProbe is whether an answer is to be seen before calls go to the instance. Where no other one is connected, or may soon be for the first time,
// they go there all the same. Servers of gRPC show by their settings that they answer.
func (i *instance) mustProbe() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	hasOthers := i.route.connected.Load() > 0 || i.route.starting.Load() > 0 || i.client.Policies.ProbeNew && i.route.known.Load() > 1
	if i.client.Wire == GRPC || i.probes == 0 || !hasOthers {
		return false
	}
	i.probes--
	return true
}

// probeMethod is a function that no service has: every server answers that it has none, or ends the connection.
const probeMethod = "hone.probe"

// errSilent is the error of an instance that does not answer a probe.
var errSilent = errors.New("the instance takes connections, and answers nothing: look whether its process hangs")

// probe sees whether the instance answers, over a connection of its own: servers of others close one after a function that they do not have.
func (i *instance) probe(ctx context.Context) error {
	conn, err := i.dialPlain(ctx)
	if err != nil {
		return err
	}
	made := newClientConn(i.client, conn, hooks{})
	defer made.link.Close(errProbed)
	call := takeClientCall(&request{client: i.client, method: probeMethod}, new(thrift.Nothing), new(thrift.Nothing))
	if made.call(ctx, call); ctx.Err() != nil {
		return errSilent
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.probes, i.suspicions = 0, 0
	return nil
}

var errProbed = errors.New("the probe has ended")
