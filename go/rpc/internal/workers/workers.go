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

// Pool is a set of workers. The zero value is ready for use, and needs no end: workers without work leave by themselves.
type Pool struct {
	mu sync.Mutex
	// idle are workers that wait, the one that waits longest first.
	idle []worker
	// fewest is how many have waited at any time since the last pruning: so many were not needed.
	fewest  int
	pruning bool
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
		p.mu.Lock()
		p.idle = append(p.idle, w)
		p.mu.Unlock()
		task = <-w
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
