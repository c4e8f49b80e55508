package link

import (
	"testing"
	"time"
)

func TestTheFirstSystemCallAfterSilenceIsOneThatTheSchedulerIsToldOf(t *testing.T) {
	// due is the function that the timer will run, if there is one.
	var due func()
	p := pulse{after: func(_ time.Duration, run func()) { due = run }}
	pass := func(beats int) {
		for range beats {
			run := due
			due = nil
			run()
		}
	}
	for range 3 {
		if p.move() {
			t.Error("the scheduler is not told of the first one")
		}
		for range 10 {
			if !p.move() {
				t.Error("the scheduler is told while links are in use")
			}
			pass(mostStill / 2)
		}
		pass(mostStill / 2)
		for due != nil {
			pass(1)
		}
	}
}

func TestAProcessWithoutTrafficHasNoTimer(t *testing.T) {
	var due func()
	p := pulse{after: func(_ time.Duration, run func()) { due = run }}
	p.move()
	for range mostStill + 1 {
		if due == nil {
			t.Fatal("the timer ends early")
		}
		run := due
		due = nil
		run()
	}
	if due != nil {
		t.Error("there is a timer without traffic")
	}
}
