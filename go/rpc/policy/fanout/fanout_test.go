package fanout

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hone/go/rpc/policy/limit"
)

const ms = time.Millisecond

func newLimit(t testing.TB, most int) *Limit {
	t.Helper()
	l, err := New(Options{Min: most, Max: most})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// join joins a group, which must not be refused.
func join(t testing.TB, l *Limit, now, deadline time.Duration, calls int) *Group {
	t.Helper()
	g, isLet := l.Join(now, deadline, calls)
	if !isLet {
		t.Fatalf("a fan-out of %d calls is refused at %v: %+v", calls, now, l.Stats())
	}
	return g
}

// begin begins all calls that may begin, and returns their number.
func begin(g *Group) (begun int) {
	for len(g.Ready()) > 0 {
		<-g.Ready()
		begun++
	}
	return begun
}

// teach gives a limit calls that take 10 ms each.
func teach(t testing.TB, l *Limit) {
	t.Helper()
	for range 100 {
		g := join(t, l, 0, NoDeadline, 1)
		begin(g)
		g.End(0, 10*ms, limit.Answered)
		g.Leave(0)
	}
}

func TestCallsBeginInTheOrderOfTheirFanOutsAsFarAsThereIsRoom(t *testing.T) {
	l := newLimit(t, 3)
	first, second := join(t, l, 0, NoDeadline, 4), join(t, l, 0, NoDeadline, 4)
	if a, b := begin(first), begin(second); a != 3 || b != 0 {
		t.Fatal(a, b)
	}
	if s := l.Stats(); s != (Stats{Limit: 3, Active: 3, Waiting: 5}) {
		t.Fatalf("%+v", s)
	}
	for range 2 {
		first.End(ms, ms, limit.Answered)
	}
	if a, b := begin(first), begin(second); a != 1 || b != 1 {
		t.Fatal(a, b)
	}
}

func TestAFanOutThatCannotEndInTimeIsRefusedBeforeItsFirstCall(t *testing.T) {
	l := newLimit(t, 2)
	teach(t, l)
	// Four calls, two at a time, of 10 ms each take 20 ms; four more take 40 ms.
	join(t, l, 0, 25*ms, 4)
	if _, isLet := l.Join(0, 35*ms, 4); isLet {
		t.Fatal("a fan-out that takes 40 ms is let in with 35")
	}
	join(t, l, 0, 45*ms, 4)
	join(t, l, 0, NoDeadline, 4)
	if s := l.Stats(); s.Refused != 1 || s.Active != 2 || s.Waiting != 10 {
		t.Fatalf("%+v", s)
	}
}

func TestAFanOutIsRefusedWhenItsTurnComesTooLate(t *testing.T) {
	l := newLimit(t, 2)
	teach(t, l)
	first, second, third := join(t, l, 0, 100*ms, 2), join(t, l, 0, 45*ms, 4), join(t, l, 0, 200*ms, 1)
	begin(first)
	first.End(44*ms, 44*ms, limit.Answered)
	if _, isOpen := <-second.Ready(); isOpen {
		t.Fatal("a call begins that has 1 ms left")
	}
	if begin(third) != 1 || l.Stats().Refused != 1 {
		t.Fatalf("%+v", l.Stats())
	}
	second.Leave(44 * ms)
}

// The known latency of the service may be old. If nothing is under way that would give a better one, a fan-out may try.
func TestAServiceThatWasSlowIsTriedAgain(t *testing.T) {
	l := newLimit(t, 2)
	g := join(t, l, 0, NoDeadline, 1)
	begin(g)
	g.End(time.Hour, time.Hour, limit.Answered)
	again := join(t, l, time.Hour, time.Hour+10*ms, 4)
	if begin(again) != 2 {
		t.Fatal("it does not begin")
	}
	if _, isLet := l.Join(time.Hour, time.Hour, 1); isLet {
		t.Fatal("a fan-out whose deadline has passed is let in")
	}
}

func TestWhoLeavesMakesRoomForOthers(t *testing.T) {
	l := newLimit(t, 2)
	first, second, third := join(t, l, 0, NoDeadline, 3), join(t, l, 0, NoDeadline, 3), join(t, l, 0, NoDeadline, 3)
	<-first.Ready()
	second.Leave(0)
	// One call of the first fan-out is under way; another one may begin but has not begun.
	first.Leave(0)
	if begin(third) != 1 {
		t.Fatalf("%+v", l.Stats())
	}
	first.End(ms, ms, limit.Ignored)
	if begin(third) != 1 {
		t.Fatalf("%+v", l.Stats())
	}
	third.End(ms, ms, limit.Answered)
	third.Leave(ms)
	if s := l.Stats(); s.Active != 1 || s.Waiting != 0 {
		t.Fatalf("%+v: one call of the third is under way", s)
	}
}

func TestCallsThatWaitedTooLongDoNotLowerTheLimit(t *testing.T) {
	l, err := New(Options{Initial: 20, WindowCalls: 10})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Duration(0)
	run := func(latency time.Duration, outcome limit.Outcome) {
		now += 10 * ms
		g := join(t, l, now, NoDeadline, 1)
		begin(g)
		g.End(now, latency, outcome)
		g.Leave(now)
	}
	for range 500 {
		run(10*ms, limit.Answered)
		run(5*ms, limit.Dropped)
	}
	if l.Stats().Limit != 20 {
		t.Fatalf("%+v: the service was not slower than ever", l.Stats())
	}
	for range 500 {
		run(20*ms, limit.Dropped)
	}
	if l.Stats().Limit != defaultMin {
		t.Fatalf("%+v: no call was answered", l.Stats())
	}
}

func TestWrongOptionsOfAFanOutAreRefused(t *testing.T) {
	for _, o := range []Options{{Min: -1}, {Min: 10, Max: 5}, {Tolerance: 0.5}} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v passes", o)
		}
	}
}

func TestGoroutinesThatLeaveAtAnyTimeLeaveNothingBehind(t *testing.T) {
	l := newLimit(t, 3)
	var active, highest atomic.Int64
	var all sync.WaitGroup
	for i := range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for n := range 500 {
				g := join(t, l, 0, NoDeadline, 4)
				// Some groups leave with calls that they have not begun.
				for range (i + n) % 5 {
					<-g.Ready()
					now := active.Add(1)
					for old := highest.Load(); now > old && !highest.CompareAndSwap(old, now); old = highest.Load() {
					}
					active.Add(-1)
					g.End(0, ms, limit.Answered)
				}
				g.Leave(0)
			}
		}()
	}
	all.Wait()
	if s := l.Stats(); s.Active != 0 || s.Waiting != 0 || highest.Load() > 3 {
		t.Fatalf("%+v, %d at once", s, highest.Load())
	}
}

func BenchmarkFanOut(b *testing.B) {
	l := newLimit(b, 100)
	b.ReportAllocs()
	for range b.N {
		g := join(b, l, 0, NoDeadline, 4)
		for range begin(g) {
			g.End(0, ms, limit.Answered)
		}
		g.Leave(0)
	}
}
