package link

import (
	"sync/atomic"
	"time"
)

// pulse lets links read and write without telling Go's scheduler. At a few thousand calls a second, telling it takes more time than
// the calls: each system call that the scheduler is told of after a time of idleness wakes the thread that watches over the others,
// and that soon falls asleep again.
//
// That thread makes a goroutine that computes for long let other goroutines run. So it must not sleep for long while links are in
// use. It wakes for timers, so there is a timer until nothing has moved for a while. The first system call after that must be one
// that wakes the thread.
type pulse struct {
	// after is time.AfterFunc.
	after          func(time.Duration, func())
	isOn, hasMoved atomic.Bool
	// still is the number of beats during which nothing has moved.
	still int
}

const (
	// beat is the time that the scheduler lets a goroutine run before it looks for another one.
	beat = 10 * time.Millisecond
	// mostStill is the number of beats without movement that end the pulse: a process without traffic is not woken.
	mostStill = 20
)

var shared = pulse{after: func(wait time.Duration, run func()) { time.AfterFunc(wait, run) }}

// move notes a system call. It returns false if that must be a call that the scheduler is told of.
func (p *pulse) move() bool {
	if !p.hasMoved.Load() {
		p.hasMoved.Store(true)
	}
	if p.isOn.Load() {
		return true
	}
	if p.isOn.CompareAndSwap(false, true) {
		p.still = 0
		p.after(beat, p.beat)
	}
	return false
}

func (p *pulse) beat() {
	if p.still++; p.hasMoved.Swap(false) {
		p.still = 0
	}
	if p.still == mostStill {
		p.isOn.Store(false)
		return
	}
	p.after(beat, p.beat)
}
