// Package workers runs tasks on goroutines that are used again, whose stacks have grown already: a new goroutine for each call
// costs 0.8 us more if handlers use 6 KiB of stack (docs/decisions/0049-goroutines-that-gather.md).
package workers

import (
	"sync"
	"time"
)

// Task is the work of a worker.
type Task interface {
	// Run does the work. It must not panic.
	Run()
}

// Pool is a set of workers. The zero value is ready for use. Workers without work leave after a while, and at once if the pool is
// closed.
type Pool struct {
	mu sync.Mutex
	// idle are the workers that wait. The worker that has waited longest comes first.
	idle []worker
	// fewest is the smallest number of workers that have waited at any time since the last pruning: so many were not needed.
	fewest   int
	pruning  bool
	isClosed bool
}

// worker takes one task at a time; nil sends the worker away.
type worker chan Task

// pruneEvery is the time after which workers are sent away that nobody has needed since the last time.
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

// rest puts a worker among those that wait. It returns false if the worker must leave.
func (p *Pool) rest(w worker) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.isClosed {
		p.idle = append(p.idle, w)
	}
	return !p.isClosed
}

// Close sends all workers away once they have done their present task. Tasks may still be run after Close.
func (p *Pool) Close() {
	p.mu.Lock()
	leaving := p.idle
	p.idle, p.fewest, p.isClosed = nil, 0, true
	p.mu.Unlock()
	for _, w := range leaving {
		w <- nil
	}
}

// prune sends away the workers that were not needed, and runs again later if any are left.
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
