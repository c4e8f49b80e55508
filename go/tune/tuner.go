package tune

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// tuner is the common part of both tuners: a goroutine that steps, and a reason why nothing is set.
type tuner struct {
	// setting is the name of the tuned setting in messages.
	setting string
	log     func(string)
	err     error

	stopping sync.Once
	stop     func()

	mu    sync.Mutex
	idle  string   // the reason why nothing is set, or empty
	notes []string // for the log
}

// claim makes this tuner the only one of its setting, by a flag that all tuners of the setting share: two would undo each other's work.
func (t *tuner) claim(isTaken *atomic.Bool, err error) (ok bool) {
	t.stop = func() { isTaken.Store(false) }
	if err == nil && !isTaken.CompareAndSwap(false, true) {
		err = fmt.Errorf("tune: %s is tuned already; stop that tuner first", t.setting)
	}
	if err != nil {
		t.err, t.stop = err, func() {}
		t.locked(func() { t.leave(strings.TrimPrefix(err.Error(), "tune: ")) })
	}
	return err == nil
}

// start starts a goroutine that calls step at each ring and each tick until the tuner is stopped, and then calls restore.
func (t *tuner) start(rings <-chan struct{}, ticks <-chan time.Time, step, restore func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-rings:
			case <-ticks:
			case <-end:
				t.locked(restore)
				return
			}
			t.locked(step)
		}
	}()
	release := t.stop
	t.stop = func() {
		close(end)
		<-ended
		release()
	}
}

// locked calls do under the lock, and then passes the new notes to the log, which may call Stats.
func (t *tuner) locked(do func()) {
	t.mu.Lock()
	do()
	notes := t.notes
	t.notes = nil
	t.mu.Unlock()
	for _, note := range notes {
		if t.log != nil {
			t.log("tune: " + note)
		}
	}
}

// leave leaves the setting alone from now on, for the reason why.
func (t *tuner) leave(why string) {
	t.idle = why
	t.note("%s is not tuned: %s", t.setting, why)
}

// yield leaves the setting alone while its value is not the one that the tuner set, and logs when that begins.
func (t *tuner) yield(idle *string, set, now int) {
	why := ""
	if now != set && t.idle == "" {
		why = fmt.Sprintf("another part of the program has set it to %d", now)
		if *idle == "" {
			t.note("%s is not tuned: %s", t.setting, why)
		}
	}
	*idle = why
}

func (t *tuner) note(format string, values ...any) {
	t.notes = append(t.notes, fmt.Sprintf(format, values...))
}

// Stop ends the tuning and restores the settings from before it. It may be called more than once.
func (t *tuner) Stop() { t.stopping.Do(t.stop) }

// Err returns the reason why the tuner never began, or nil: wrong options, or another tuner.
func (t *tuner) Err() error { return t.err }
