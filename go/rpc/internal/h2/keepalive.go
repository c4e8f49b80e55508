package h2

import "sync"

// keepAlive closes a connection whose peer has gone without a word.
type keepAlive struct {
	conn *conn
	mu   sync.Mutex
	// timer is nil where nobody is looked after.
	timer Timer
	moved uint64
	// isWaiting is whether a PING has been sent.
	isWaiting bool
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
	switch {
	case k.isStopped:
	case isAlive || !options.WithoutStreams && !k.conn.isBusy():
		k.isWaiting = false
		k.timer.Reset(options.Every)
	case k.isWaiting:
		return false
	default:
		k.isWaiting = true
		k.timer.Reset(options.Timeout)
		// It is sent by another goroutine, since the lock is held.
		go k.conn.sendControl(appendPing(nil, alivePing))
	}
	return true
}
