package fanout

import (
	"cmp"
	"container/list"
	"math"
	"sync"
	"time"

	"hone/go/rpc/policy/limit"
)

// Limit bounds the calls of all fan-outs of one caller to one service.
type Limit struct {
	calls *limit.Adaptive

	mu sync.Mutex
	// queue has the groups with calls that have not begun, in the order of [Limit.Join].
	queue   list.List
	waiting int // the number of calls in the queue
	seen    seen
	refused int64
}

// Options are the options of the bound of a [Limit]. The zero value means the defaults, which are those of [limit.AdaptiveOptions],
// except that Min is 2, since a service may have few CPUs and many callers.
type Options = limit.AdaptiveOptions

const defaultMin = 2

// NoDeadline is the deadline of a fan-out whose caller waits for ever.
const NoDeadline time.Duration = math.MaxInt64

// New makes a limit that knows no latency yet.
func New(options Options) (*Limit, error) {
	options.Min = cmp.Or(options.Min, defaultMin)
	calls, err := limit.NewAdaptive(options)
	if err != nil {
		return nil, err
	}
	return &Limit{calls: calls}, nil
}

// Group is the calls of one fan-out.
type Group struct {
	limit    *Limit
	deadline time.Duration
	waiting  int           // the number of calls that may not begin yet
	place    *list.Element // its place in the queue; nil outside
	hasBegun bool
	ready    chan struct{}
}

// Join asks for room for a fan-out of so many calls that should end by a deadline. False means that the fan-out is refused: none of
// its calls has begun, and nothing must be released. Otherwise the caller must call [Group.Leave], once.
func (l *Limit) Join(now, deadline time.Duration, calls int) (*Group, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	g := &Group{limit: l, deadline: deadline, waiting: max(calls, 0), ready: make(chan struct{}, max(calls, 0))}
	if !l.isInTime(now, g, l.waiting) {
		l.refused++
		return nil, false
	}
	if g.waiting > 0 {
		l.waiting += g.waiting
		g.place = l.queue.PushBack(g)
		l.begin(now)
	}
	return g, true
}

// isInTime reports whether a group could end by its deadline, with so many calls before it besides the calls under way. If there
// are no other calls at all, the group may try: the known latency may be old.
func (l *Limit) isInTime(now time.Duration, g *Group, before int) bool {
	active := l.calls.Active()
	if active+before == 0 || g.deadline == NoDeadline {
		return now < g.deadline
	}
	all := float64(active + before + g.waiting)
	lastBegins := l.seen.mean * max(0, all/float64(l.calls.Limit())-1)
	return lastBegins+l.seen.most() < float64(g.deadline-now)
}

// begin lets calls begin as long as there is room. The lock is held.
func (l *Limit) begin(now time.Duration) {
	for first := l.queue.Front(); first != nil; first = l.queue.Front() {
		g := first.Value.(*Group)
		if !g.hasBegun && !l.isInTime(now, g, 0) {
			l.refused++
			l.drop(g)
			close(g.ready)
			continue
		}
		if !l.calls.Acquire() {
			return
		}
		g.hasBegun = true
		g.waiting--
		l.waiting--
		g.ready <- struct{}{}
		if g.waiting == 0 {
			l.drop(g)
		}
	}
}

// drop takes a group and its calls out of the queue.
func (l *Limit) drop(g *Group) {
	if g.place != nil {
		l.queue.Remove(g.place)
		l.waiting -= g.waiting
		g.place, g.waiting = nil, 0
	}
}

// Ready receives a value for each call that may begin. It is closed if the group is refused after all, since calls took longer than
// was expected when the group joined; none of its calls has begun then.
func (g *Group) Ready() <-chan struct{} { return g.ready }

// End records how a call ended that [Group.Ready] let begin, and how long the call took.
func (g *Group) End(now, latency time.Duration, outcome limit.Outcome) {
	l := g.limit
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls.Release(now, latency, l.seen.observe(latency, outcome))
	l.begin(now)
}

// Leave gives up the calls that have not begun, also those that [Group.Ready] would let begin. Calls under way must still call
// [Group.End].
func (g *Group) Leave(now time.Duration) {
	l := g.limit
	l.mu.Lock()
	defer l.mu.Unlock()
	l.drop(g)
	for g.takeBack() {
		l.calls.Release(now, 0, limit.Ignored)
	}
	l.begin(now)
}

// takeBack takes back a call that may begin but has not begun. It returns false if there is none.
func (g *Group) takeBack() bool {
	select {
	case _, isLet := <-g.ready:
		return isLet
	default:
		return false
	}
}

// Stats are the present numbers of a [Limit].
type Stats struct {
	// Limit is the number of calls that may be under way, Active the number that are.
	Limit, Active int
	// Waiting is the number of calls that wait for room.
	Waiting int
	// Refused is the number of fan-outs that were refused.
	Refused int64
}

// Stats returns the present numbers of the limit.
func (l *Limit) Stats() Stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Stats{l.calls.Limit(), l.calls.Active(), l.waiting, l.refused}
}
