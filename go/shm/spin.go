package shm

import (
	"runtime"
	"sync/atomic"
	"time"
)

// spin looks for bytes before a reader sleeps, or for room before a writer does. It goes on as long as looking costs less CPU time
// than it saves.
type spin struct {
	// most is the longest time of one look.
	most time.Duration
	// credit is the time that looking has saved, minus the time that it has cost. skips is the number of times that spin will not
	// look.
	credit time.Duration
	skips  int
	// turnBegan is the time of the first look since the last sleep; zero if there was none.
	turnBegan time.Time
	// isAsleep is true from when a reader said that it sleeps until it goes on. hadWoken is the value of woken when it fell asleep.
	isAsleep bool
	hadWoken int64
	// crowd is the number of times that a reader must still sleep, without another reader of this process waking meanwhile, until it
	// counts as alone.
	crowd int
}

// woken is the number of times that readers of this process have slept and gone on.
var woken atomic.Int64

const (
	// looks is the number of looks before spin lets other goroutines run.
	looks = 16
	// saved is the time that is saved where a reader does not sleep: a wake-up by a process on another CPU costs both sides, while
	// this process is idle (bench/results/shm/wake.md).
	saved = 25 * time.Microsecond
	// savedInCrowd is the same where the process has other work and is not idle.
	savedInCrowd = 4 * time.Microsecond
	// mostCredit is the time for which spin goes on to look where bytes suddenly come late.
	mostCredit = time.Millisecond
	// rest is the number of times that spin does not look once looking has cost too much.
	rest = 64
	// turn is the time that a reader goes on without sleeping. While it finds bytes by looking, and no processor of Go is free, Go
	// does not look whether other connections have any.
	turn        = time.Millisecond
	turnInCrowd = 100 * time.Microsecond
	// crowdLasts is the value of crowd after another reader has woken.
	crowdLasts = 4
)

// endTurn lets spin look again after a sleep.
func (s *spin) endTurn() { s.turnBegan = time.Time{} }

// sleeps records that a reader is about to sleep.
func (s *spin) sleeps() {
	if !s.isAsleep {
		s.isAsleep, s.hadWoken = true, woken.Load()
	}
}

// woke records that a reader goes on.
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

// hasTurn reports whether a reader may go on without sleeping.
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

// wait looks until there is no reason to wait any more, and returns true then. It returns false if it does not look, or has looked
// too long.
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

// settle adds the time that a look has saved, or takes off the time that it has cost.
func (s *spin) settle(gain time.Duration) {
	if s.credit = min(s.credit+gain, mostCredit); s.credit < 0 {
		s.credit, s.skips = 0, rest
	}
}
