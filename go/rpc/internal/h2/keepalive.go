package h2

import (
	"sync"
	"time"
)

// keepAlive closes a connection whose peer has gone without a word.
type keepAlive struct {
	conn *conn
	mu   sync.Mutex
	// timer is nil where nobody is looked after.
	timer Timer
	moved uint64
	// asked is when a PING was sent whose answer has not come; zero where there is none.
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

// look sees whether anything has come since the last time.
func (k *keepAlive) look() {
	if !k.mayGoOn() {
		k.conn.link.Close(ErrKeepAlive)
	}
}

// mayGoOn sends a PING where nothing has come, and is false where nothing has come after it.
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
		// It is sent by another goroutine, since the lock is held.
		go k.conn.sendControl(appendPing(nil, alivePing))
	case now.Sub(k.asked) >= options.Timeout:
		return false
	}
	// The answer ends the waiting when it is looked for, which is more often than the timeout where that is long.
	k.timer.Reset(min(options.Every, options.Timeout-now.Sub(k.asked)))
	return true
}
