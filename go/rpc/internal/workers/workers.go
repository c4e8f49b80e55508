// Package workers runs tasks on goroutines that are used again, so that their stacks have grown already: a new goroutine for each call
// costs 0.8 us more where handlers use 6 KiB of stack (docs/decisions/0049-goroutines-that-gather.md).
package workers

import (
	"sync"
	"time"
)

// Task is what a worker does.
type Task interface {
	// Run does it. It must not panic.
	Run()
}

// Pool is a set of workers. The zero value is ready for use. Workers without work leave by themselves, and at once where it is closed.
type Pool struct {
	mu sync.Mutex
	// idle are workers that wait, the one that waits longest first.
	idle []worker
	// fewest is how many have waited at any time since the last pruning: so many were not needed.
	fewest   int
	pruning  bool
	isClosed bool
}

// worker takes one task at a time; nil sends it away.
type worker chan Task

// pruneEvery is how often workers are sent away that nobody needed since the last time.
const pruneEvery = 10 * time.Second

// Go runs a task on a worker.
func (p *Pool) Go(task Task) {
	p.mu.Lock()
	if n := len(p.idle) - 1; n >= 0 {
		w := p.idle[n]
		p.idle = p.idle[:n]
		p.fewest = min(p.fewest, n)
		p.mu.Unlock()
		w <- task
		return
	}
	p.fewest = 0
	if !p.pruning {
		p.pruning = true
		time.AfterFunc(pruneEvery, p.prune)
	}
	p.mu.Unlock()
	go p.work(task)
}

func (p *Pool) work(task Task) {
	w := make(worker, 1)
	for task != nil {
		task.Run()
		if !p.rest(w) {
			return
		}
		task = <-w
	}
}

// rest puts a worker among those that wait; false where it is to leave.
func (p *Pool) rest(w worker) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.isClosed {
		p.idle = append(p.idle, w)
	}
	return !p.isClosed
}

// Close sends all workers away once they have done what they do. Tasks may be run after it all the same.
func (p *Pool) Close() {
	p.mu.Lock()
	leaving := p.idle
	p.idle, p.fewest, p.isClosed = nil, 0, true
	p.mu.Unlock()
	for _, w := range leaving {
		w <- nil
	}
}

// prune sends away those that were not needed, and comes again while there are any left.
func (p *Pool) prune() {
	p.mu.Lock()
	leaving := append([]worker(nil), p.idle[:p.fewest]...)
	p.idle = append(p.idle[:0], p.idle[p.fewest:]...)
	p.fewest = len(p.idle)
	if p.pruning = len(p.idle) > 0; p.pruning {
		time.AfterFunc(pruneEvery, p.prune)
	}
	p.mu.Unlock()
	for _, w := range leaving {
		w <- nil
	}
}
