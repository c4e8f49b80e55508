package workers

import (
	"runtime"
	"sync"
	"testing"
)

type task func()

func (t task) Run() { t() }

func TestTasksThatWaitDoNotKeepOthersFromRunning(t *testing.T) {
	var pool Pool
	var all sync.WaitGroup
	release := make(chan struct{})
	for range 100 {
		all.Add(1)
		pool.Go(task(func() {
			<-release
			all.Done()
		}))
	}
	done := make(chan struct{})
	pool.Go(task(func() { close(done) }))
	<-done
	close(release)
	all.Wait()
}

func TestWorkersThatNobodyNeedsLeave(t *testing.T) {
	var pool Pool
	var all sync.WaitGroup
	before := runtime.NumGoroutine()
	for range 50 {
		all.Add(1)
		pool.Go(task(all.Done))
	}
	all.Wait()
	pool.mu.Lock()
	for len(pool.idle) == 0 {
		pool.mu.Unlock()
		runtime.Gosched()
		pool.mu.Lock()
	}
	pool.mu.Unlock()
	// The first call of prune counts workers that were busy meanwhile; the second one sends away the workers that have waited since.
	pool.prune()
	for runtime.NumGoroutine() > before {
		pool.prune()
		runtime.Gosched()
	}
	done := make(chan struct{})
	pool.Go(task(func() { close(done) }))
	<-done
}
