package link

import (
	"sync/atomic"
	"time"
)

// pulse lets links read and write without telling Go's scheduler, which at a few thousand calls a second takes more time than the calls: each
// system call that it is told of after all was idle wakes the thread that watches over the others, and that soon falls asleep again.
//
// That thread is what makes a goroutine that computes for long let others run. So it must not sleep for long while links are in use: it wakes
// for timers, of which one is there until nothing has moved for a while. The first system call after that is one that wakes it.
type pulse struct {
	// after is time.AfterFunc.
	after          func(time.Duration, func())
	isOn, hasMoved atomic.Bool
	// still is how many beats nothing has moved.
	still int
}

const (
	// beat is as long as the scheduler lets a goroutine run before it looks for another.
	beat = 10 * time.Millisecond
	// mostStill is how many beats without anything that moves end the pulse: a process without traffic is not woken.
	mostStill = 20
)

var shared = pulse{after: func(wait time.Duration, run func()) { time.AfterFunc(wait, run) }}

// move takes notice of a system call. It is false where that must be one that the scheduler is told of.
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
