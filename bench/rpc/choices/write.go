package main

import (
	"log"
	"net"
	"runtime"
	"sync"
	"sync/atomic"
)

// writer takes frames of several goroutines.
type writer interface{ put(frame []byte) }

func newWriter(kind string, conn net.Conn, writes *atomic.Int64) writer {
	switch kind {
	case "each":
		return &each{conn: conn}
	case "first":
		return &first{gathered: gathered{conn: conn, writes: writes}}
	case "yield":
		return &first{gathered: gathered{conn: conn, writes: writes}, yields: true}
	case "woken":
		w := &woken{gathered: gathered{conn: conn, writes: writes}, wake: make(chan struct{}, 1)}
		go w.run()
		return w
	}
	log.Fatalf("-write %s is not known", kind)
	return nil
}

// each writes every frame by itself.
type each struct {
	mu   sync.Mutex
	conn net.Conn
}

func (w *each) put(frame []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.conn.Write(frame)
}

// gathered holds the frames that wait to be written.
type gathered struct {
	mu         sync.Mutex
	conn       net.Conn
	out, spare []byte
	isWriting  bool
	writes     *atomic.Int64
}

// add appends a frame, and reports whether nobody else is writing.
func (w *gathered) add(frame []byte) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.out = append(w.out, frame...)
	mustWrite := !w.isWriting
	w.isWriting = true
	return mustWrite
}

// flush writes until nothing waits.
func (w *gathered) flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.out) > 0 {
		batch := w.out
		w.out = w.spare[:0]
		w.mu.Unlock()
		w.conn.Write(batch)
		w.writes.Add(1)
		w.mu.Lock()
		w.spare = batch
	}
	w.isWriting = false
}

// first makes the first goroutine that comes write for all others that come meanwhile.
type first struct {
	gathered
	// yields is true if the writer lets others come before it writes.
	yields bool
}

func (w *first) put(frame []byte) {
	if !w.add(frame) {
		return
	}
	if w.yields {
		runtime.Gosched()
	}
	w.flush()
}

// woken uses a goroutine of the connection to write.
type woken struct {
	gathered
	wake chan struct{}
}

func (w *woken) put(frame []byte) {
	if w.add(frame) {
		w.wake <- struct{}{}
	}
}

func (w *woken) run() {
	for range w.wake {
		w.flush()
	}
}

// pool runs functions on reused goroutines, the last that became free first.
type pool struct {
	mu   sync.Mutex
	idle []chan func()
}

func (p *pool) run(task func()) {
	p.mu.Lock()
	if n := len(p.idle) - 1; n >= 0 {
		worker := p.idle[n]
		p.idle = p.idle[:n]
		p.mu.Unlock()
		worker <- task
		return
	}
	p.mu.Unlock()
	go func() {
		worker := make(chan func(), 1)
		for {
			task()
			p.mu.Lock()
			p.idle = append(p.idle, worker)
			p.mu.Unlock()
			task = <-worker
		}
	}()
}
