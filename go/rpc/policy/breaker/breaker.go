package breaker

import (
	"cmp"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Breaker is a circuit breaker: closed, it lets all calls pass and counts their failures in a sliding window; open, it lets none pass for a
// time; half-open, it lets a few pass and by their outcome closes or opens again. M. Nygard, "Release It!"; the states are those of
// https://martinfowler.com/bliki/CircuitBreaker.html.
type Breaker struct {
	options Options
	window  window
	// word is the generation, which each change of state raises, and in its two lowest bits the state.
	word        atomic.Uint64
	consecutive atomic.Int64
	// until is when an open or half-open breaker next lets calls pass.
	until atomic.Int64
	lock  sync.Mutex // of changes of state and of what follows
	// openings in a row, without a closed state between them.
	openings          int
	permits, outcomes int // of the half-open state: calls that may still pass, successes that are still wanted
}

// Options are what a [Breaker] is made of. The zero value has the defaults.
type Options struct {
	// Window in which failures are counted. 0 is 10 s.
	Window time.Duration
	// FailureRatio of the calls in the window that opens the breaker. 0 is 0.5; negative: never by ratio.
	FailureRatio float64
	// MinCalls in the window before the ratio counts. 0 is 20: below that a ratio is noise.
	MinCalls int
	// Consecutive failures that open the breaker, whatever the ratio. 0 is never; 5 suits the breaker of an instance.
	Consecutive int
	// OpenFor is how long calls are refused. Each opening in a row doubles it. 0 is 5 s.
	OpenFor time.Duration
	// MaxOpenFor bounds the doubling. 0 is twelve times OpenFor.
	MaxOpenFor time.Duration
	// Probes that a half-open breaker lets pass, all of which must succeed. 0 is 3.
	Probes int
}

const longestOpen = 7 * 24 * time.Hour

// State of a breaker.
type State uint8

const (
	Closed State = iota
	Open
	HalfOpen
)

func (s State) String() string {
	return [...]string{"closed", "open", "half-open", "unknown"}[min(s, 3)]
}

// Outcome of a call that was let pass.
type Outcome uint8

const (
	// Success is an answer, also one with an error of the application.
	Success Outcome = iota
	// Failure is a broken connection, a timeout, an answer that the server is overloaded.
	Failure
	// Ignored says nothing of the server: the caller went away, or the call was not sent for another reason.
	Ignored
)

// Ticket is proof that a call was let pass. Outcomes of tickets from before a change of state are not counted.
type Ticket struct{ word uint64 }

// New makes a closed breaker.
func New(options Options) (*Breaker, error) {
	options.Window = cmp.Or(options.Window, 10*time.Second)
	options.FailureRatio = cmp.Or(options.FailureRatio, 0.5)
	options.MinCalls = cmp.Or(options.MinCalls, 20)
	options.OpenFor = cmp.Or(options.OpenFor, 5*time.Second)
	options.MaxOpenFor = cmp.Or(options.MaxOpenFor, 12*options.OpenFor)
	options.Probes = cmp.Or(options.Probes, 3)
	switch {
	case options.Window < bucketCount*time.Millisecond:
		return nil, fmt.Errorf("breaker: the window is %v; write 10ms or more", options.Window)
	case options.OpenFor < 0 || options.OpenFor > longestOpen || options.MaxOpenFor < options.OpenFor || options.MaxOpenFor > longestOpen:
		return nil, fmt.Errorf("breaker: open for %v, at most %v; write a first time that is not above the longest, and at most %v",
			options.OpenFor, options.MaxOpenFor, longestOpen)
	case !(options.FailureRatio <= 1):
		return nil, fmt.Errorf("breaker: the failure ratio is %v; write a number above 0 and at most 1, or -1 to ignore the ratio", options.FailureRatio)
	case options.MinCalls < 0 || options.Consecutive < 0 || options.Probes < 0 || options.MinCalls > maxCount:
		return nil, fmt.Errorf("breaker: at least %d calls, %d consecutive failures, %d probes; write numbers from 0 to %d",
			options.MinCalls, options.Consecutive, options.Probes, maxCount)
	}
	return &Breaker{options: options, window: newWindow(options.Window)}, nil
}

// State is the state now: an open breaker whose time is over is still open until a call comes.
func (b *Breaker) State() State { return State(b.word.Load() & 3) }

// IsReady is true if [Breaker.Allow] would most likely let a call pass. It changes nothing, so load balancers may ask it.
func (b *Breaker) IsReady(now time.Duration) bool {
	switch b.State() {
	case Closed:
		return true
	case Open:
		return int64(now) >= b.until.Load()
	}
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.permits > 0 || int64(now) >= b.until.Load()
}

// Allow is true if a call may be sent. Its outcome is then told to [Breaker.Done], once, with the ticket.
func (b *Breaker) Allow(now time.Duration) (Ticket, bool) {
	word := b.word.Load()
	switch State(word & 3) {
	case Closed:
		return Ticket{word}, true
	case Open:
		if int64(now) < b.until.Load() {
			return Ticket{}, false
		}
	}
	return b.probe(now)
}

// probe lets a call pass in the half-open state, which it begins where an open state is over. If the probes of a half-open state have not
// told their outcomes within OpenFor, new ones may pass: a lost call does not close a service for ever.
func (b *Breaker) probe(now time.Duration) (Ticket, bool) {
	b.lock.Lock()
	defer b.lock.Unlock()
	state := b.State()
	if state == Closed {
		return Ticket{b.word.Load()}, true
	}
	if isOver := int64(now) >= b.until.Load(); isOver {
		b.permits, b.outcomes = b.options.Probes, b.options.Probes
		b.until.Store(int64(now + b.options.OpenFor))
		b.become(HalfOpen)
	} else if state == Open || b.permits == 0 {
		return Ticket{}, false
	}
	b.permits--
	return Ticket{b.word.Load()}, true
}

// Done tells the outcome of a call that was let pass.
func (b *Breaker) Done(now time.Duration, ticket Ticket, outcome Outcome) {
	if ticket.word != b.word.Load() {
		return
	}
	if State(ticket.word&3) == HalfOpen {
		b.probed(now, ticket, outcome)
		return
	}
	switch outcome {
	case Success:
		b.window.add(now, 1, 0)
		if b.consecutive.Load() != 0 {
			b.consecutive.Store(0)
		}
	case Failure:
		b.window.add(now, 1, 1)
		consecutive := b.consecutive.Add(1)
		if b.isTooMuch(now, consecutive) {
			b.lock.Lock()
			defer b.lock.Unlock()
			if ticket.word == b.word.Load() {
				b.open(now)
			}
		}
	}
}

func (b *Breaker) isTooMuch(now time.Duration, consecutive int64) bool {
	if b.options.Consecutive > 0 && consecutive >= int64(b.options.Consecutive) {
		return true
	}
	calls, failures := b.window.sums(now)
	return b.options.FailureRatio > 0 && calls >= uint64(b.options.MinCalls) && float64(failures) >= b.options.FailureRatio*float64(calls)
}

// probed counts the outcome of a call of the half-open state.
func (b *Breaker) probed(now time.Duration, ticket Ticket, outcome Outcome) {
	b.lock.Lock()
	defer b.lock.Unlock()
	if ticket.word != b.word.Load() {
		return
	}
	switch outcome {
	case Ignored:
		b.permits++
	case Failure:
		b.open(now)
	case Success:
		if b.outcomes--; b.outcomes == 0 {
			b.openings = 0
			b.window.clear()
			b.consecutive.Store(0)
			b.become(Closed)
		}
	}
}

// open begins the open state. The lock is held.
func (b *Breaker) open(now time.Duration) {
	openFor := b.options.OpenFor
	for i := 0; i < b.openings && openFor < b.options.MaxOpenFor; i++ {
		openFor *= 2
	}
	b.openings++
	b.until.Store(int64(now + min(openFor, b.options.MaxOpenFor)))
	b.become(Open)
}

// become changes the state, and the generation with it. The lock is held.
func (b *Breaker) become(state State) { b.word.Store((b.word.Load()>>2+1)<<2 | uint64(state)) }
