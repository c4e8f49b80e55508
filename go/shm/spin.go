package shm

import (
	"runtime"
	"sync/atomic"
	"time"
)

// spin looks for bytes before a reader sleeps, or for room before a writer does. It goes on as long as that costs less CPU time than it saves.
type spin struct {
	// most is how long it looks at a time.
	most time.Duration
	// credit is what it has saved more than it has cost; skips is how many times nobody looks.
	credit time.Duration
	skips  int
	// turnBegan is when it looked first since it last slept; zero for not at all.
	turnBegan time.Time
	// isAsleep is true from when a reader said that it sleeps, at which so many had woken, until it goes on.
	isAsleep bool
	hadWoken int64
	// crowd is how many times a reader must sleep yet, without another one of this process that wakes meanwhile, until it is taken for alone.
	crowd int
}

// woken is how many readers of this process have slept and gone on.
var woken atomic.Int64

const (
	// looks is how often it looks before it lets other goroutines run.
	looks = 16
	// saved is what it saves not to sleep: to be woken by a process on another CPU, which idles, and to have it wake (bench/results/shm/wake.md).
	saved = 25 * time.Microsecond
	// savedInCrowd is the same where the process has something else to do, and does not idle.
	savedInCrowd = 4 * time.Microsecond
	// mostCredit is how much longer it goes on where bytes come late all at once.
	mostCredit = time.Millisecond
	// rest is how many times nobody looks once that has cost too much.
	rest = 64
	// turn is how long one goes on without sleeping. As long as it finds bytes by looking, and no processor of Go is free, Go does not look whether other connections have any.
	turn        = time.Millisecond
	turnInCrowd = 100 * time.Microsecond
	// crowdLasts is what crowd is once another reader has woken.
	crowdLasts = 4
)

// endTurn lets it look again, once it has slept.
func (s *spin) endTurn() { s.turnBegan = time.Time{} }

// sleeps is told that a reader is about to sleep.
func (s *spin) sleeps() {
	if !s.isAsleep {
		s.isAsleep, s.hadWoken = true, woken.Load()
	}
}

// woke is told that a reader goes on.
func (s *spin) woke() {
	if !s.isAsleep {
		return
	}
	s.isAsleep = false
	s.endTurn()
	if woken.Add(1)-s.hadWoken > 1 {
		s.crowd = crowdLasts
	} else {
		s.crowd = max(s.crowd-1, 0)
	}
}

// hasTurn is whether it may go on without sleeping.
func (s *spin) hasTurn() bool {
	if s.most <= 0 {
		return false
	}
	now := time.Now()
	if s.turnBegan.IsZero() {
		s.turnBegan = now
	}
	return now.Sub(s.turnBegan) < s.longest()
}

func (s *spin) longest() time.Duration {
	if s.crowd > 0 {
		return turnInCrowd
	}
	return turn
}

// wait is true once there is no reason to wait any more.
func (s *spin) wait(mustWait func() bool) bool {
	if s.most <= 0 {
		return false
	}
	if s.skips > 0 {
		s.skips--
		return false
	}
	most, saves, longest := s.most, saved, turn
	if s.crowd > 0 {
		most, saves, longest = min(most, 2*savedInCrowd), savedInCrowd, turnInCrowd
	}
	began := time.Now()
	if s.turnBegan.IsZero() {
		s.turnBegan = began
	}
	if began.Sub(s.turnBegan) >= longest {
		return false
	}
	for {
		for range looks {
			if !mustWait() {
				s.settle(saves - time.Since(began))
				return true
			}
		}
		if took := time.Since(began); took >= most {
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
