package rpc

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"hone/go/rpc/policy/balance"
)

// keeper keeps an instance connected, in the background: calls go to instances that have a connection, and wait only if none has.
type keeper struct {
	// ctx ends when the instance is gone, or its client is closed.
	ctx  context.Context
	stop context.CancelFunc
	wake chan struct{}

	mu sync.Mutex
	// isConnected is true if a call finds a connection; the balancer is told of changes.
	isConnected bool
	// isWanted is true if the instance is to be connected even while no call needs it.
	isWanted bool
	// isConnecting is true if an attempt is under way or about to begin, isAsked if calls wait for it, and hasTried if one has ended.
	isConnecting, isAsked, hasTried bool
	// err is the error of the last attempt; nil if it succeeded.
	err error
	// askWait is the time for which calls request no new attempt after one that they requested has failed; askAfter is the end of that time.
	askWait  time.Duration
	askAfter time.Time
	suspicion
}

// suspicion counts the signs that an instance takes connections and does not answer.
type suspicion struct {
	// probes is the number of probes that the instance may leave unanswered before calls try it again; suspicions is the number of times that it has
	// been suspected without an answer to a probe.
	probes, suspicions int
}

// mostPause is the longest time between attempts in the background. Their pauses grow like those of attempts that calls wait for, and each is up to
// a fifth shorter or longer at random, so that the clients of a server that comes back do not come all at once.
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

// jittered returns a time that is longer or shorter by up to a share, at random.
func jittered(pause time.Duration, share float64) time.Duration {
	return time.Duration(float64(pause) * (1 - share + 2*share*rand.Float64()))
}

// sleep waits until the keeper is woken, the time has passed, or the instance is gone.
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

// isSought reports whether a connection is to be made, and whether calls wait for it.
func (i *instance) isSought() (isSought, isAsked bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.slots[0].current.Load() == nil {
		return i.isWanted || i.isAsked, i.isAsked
	}
	i.setConnecting(false)
	return false, false
}

// setConnecting sets whether an attempt is under way. It is called with the lock.
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

// settle ends an attempt, and tells the goroutines that wait for it. If calls requested an attempt while another one was under way, the requested
// attempt follows.
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

// want keeps the instance connected from now on.
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

// ask requests an attempt at once, unless the last requested one has only just failed. An instance that is not wanted is the last resort.
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

// look checks whether the instance has a connection, and tells the balancer and the goroutines that wait for a connection.
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

// setConnected sets whether a call finds a connection. It is called with the lock.
func (i *instance) setConnected(isConnected bool) {
	if i.isConnected == isConnected {
		return
	}
	i.isConnected = isConnected
	count(&i.route.connected, isConnected)
	i.node.SetHealthy(balance.Connection, isConnected)
}

// count adds one instance to a number of the route, or takes one away.
func count(of *atomic.Int32, isMore bool) {
	if isMore {
		of.Add(1)
	} else {
		of.Add(-1)
	}
}

// giveUp stops making connections.
func (i *instance) giveUp() {
	i.stop()
	i.mu.Lock()
	defer i.mu.Unlock()
	i.setConnected(false)
}

// isGone reports whether the resolver no longer lists the instance, or its client is closed.
func (i *instance) isGone() bool { return i.ctx.Err() != nil }

// whyUnreachable returns the error why a call finds no connection.
func (i *instance) whyUnreachable() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.err != nil {
		return i.err
	}
	return errNotSent
}

// An instance that is suspected of not answering may leave firstProbes probes unanswered before calls try it again, and each time more, up to mostProbes.
const (
	firstProbes = 8
	mostProbes  = 512
)

// suspect requires the instance to answer a probe before calls go to it again.
func (i *instance) suspect() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.probes = min(firstProbes<<min(2*i.suspicions, 30), mostProbes)
	i.suspicions++
}

// mustProbe reports whether the instance must answer a probe before calls go to it. If no other instance is connected, or may soon be for the first
// time, calls go to it without a probe.
func (i *instance) mustProbe() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	hasOthers := i.route.connected.Load() > 0 || i.route.starting.Load() > 0 || i.client.Policies.ProbeNew && i.route.known.Load() > 1
	if i.probes == 0 || !hasOthers {
		return false
	}
	i.probes--
	return true
}

// errSilent is the error of an instance that does not answer a probe.
var errSilent = errors.New("the instance takes connections, and answers nothing: look whether its process hangs")

// probe checks whether the instance answers, over a connection of its own.
func (i *instance) probe(ctx context.Context, by prober) error {
	conn, err := i.dialPlain(ctx)
	if err != nil {
		return err
	}
	if !by.answersProbe(ctx, i.client, conn) {
		return errSilent
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.probes, i.suspicions = 0, 0
	return nil
}
