package shm

import (
	"runtime"
	"time"
)

// spin looks for bytes before a reader sleeps. It goes on as long as that costs less CPU time than it saves.
type spin struct {
	// most is how long it looks at a time.
	most time.Duration
	// credit is what it has saved more than it has cost; skips is how many times nobody looks.
	credit time.Duration
	skips  int
}

const (
	// looks is how often it looks before it lets other goroutines run.
	looks = 16
	// saved is what it saves not to sleep: to be woken by a process on another CPU, which idles, and to have it wake (bench/results/shm/wake.md).
	saved = 25 * time.Microsecond
	// mostCredit is how much longer it goes on where bytes come late all at once.
	mostCredit = time.Millisecond
	// rest is how many times nobody looks once that has cost too much.
	rest = 64
)

// wait is true once something is there.
func (s *spin) wait(ring interface{ IsEmpty() bool }) bool {
	if s.most <= 0 {
		return false
	}
	if s.skips > 0 {
		s.skips--
		return false
	}
	began := time.Now()
	for {
		for range looks {
			if !ring.IsEmpty() {
				s.settle(saved - time.Since(began))
				return true
			}
		}
		if took := time.Since(began); took >= s.most {
			s.settle(-took)
			return false
		}
		runtime.Gosched()
	}
}

// settle counts what looking has gained or cost.
func (s *spin) settle(gain time.Duration) {
	if s.credit = min(s.credit+gain, mostCredit); s.credit < 0 {
		s.credit, s.skips = 0, rest
	}
}
