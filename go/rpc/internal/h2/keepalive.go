package h2

import (
	"sync"
	"time"
)

// keepAlive closes a connection whose peer has gone without telling.
type keepAlive struct {
	conn *conn
	mu   sync.Mutex
	// timer is nil if no peer is watched.
	timer Timer
	moved uint64
	// asked is the time at which a PING was sent that has not been answered; zero if there is none.
	asked     time.Time
	isStopped bool
}

func (k *keepAlive) start() {
	every := k.conn.options.KeepAlive.Every
	if every == 0 {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.moved = k.conn.link.Moved()
	k.timer = k.conn.options.Clock.AfterFunc(every, k.look)
}

func (k *keepAlive) stop() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.isStopped = true
	if k.timer != nil {
		k.timer.Stop()
	}
}

// look checks whether anything has come since the last time.
func (k *keepAlive) look() {
	if !k.mayGoOn() {
		k.conn.link.Close(ErrKeepAlive)
	}
}

// mayGoOn sends a PING if nothing has come. It returns false if nothing has come after the PING either.
func (k *keepAlive) mayGoOn() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	options := &k.conn.options.KeepAlive
	moved := k.conn.link.Moved()
	isAlive := moved != k.moved
	k.moved = moved
	now := k.conn.options.Clock.Now()
	switch {
	case k.isStopped:
		return true
	case isAlive || !options.WithoutStreams && !k.conn.isBusy():
		k.asked = time.Time{}
		k.timer.Reset(options.Every)
		return true
	case k.asked.IsZero():
		k.asked = now
		// Another goroutine sends the PING, since the lock is held.
		go k.conn.sendControl(appendPing(nil, alivePing))
	case now.Sub(k.asked) >= options.Timeout:
		return false
	}
	// The answer counts only when the timer looks for it. So the timer looks more often than once in a long timeout.
	k.timer.Reset(min(options.Every, options.Timeout-now.Sub(k.asked)))
	return true
}
