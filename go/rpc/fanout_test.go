package rpc_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hone/go/rpc"
	"hone/go/rpc/policy/fanout"
)

// fanOutOf makes a FanOut with a fixed limit.
func fanOutOf(t *testing.T, most int) *rpc.FanOut {
	t.Helper()
	f, err := rpc.NewFanOut(fanout.Options{Min: most, Max: most})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// takes10ms is a call that takes 10 ms.
func takes10ms(context.Context, int) error {
	time.Sleep(10 * time.Millisecond)
	return nil
}

func endsIn(t *testing.T, timeout time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	t.Cleanup(cancel)
	return ctx
}

func TestAFanOutMakesEachCallOnceAndNoMoreAtATimeThanItsLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := fanOutOf(t, 2)
		var made [10]atomic.Int64
		var active atomic.Int64
		begun := time.Now()
		err := f.Do(t.Context(), len(made), func(ctx context.Context, index int) error {
			if active.Add(1) > 2 {
				t.Error("more than 2 calls at a time")
			}
			defer active.Add(-1)
			made[index].Add(1)
			return takes10ms(ctx, index)
		})
		if took := time.Since(begun); err != nil || took != 50*time.Millisecond {
			t.Fatal(took, err)
		}
		for index := range made {
			if n := made[index].Load(); n != 1 {
				t.Errorf("call %d was made %d times", index, n)
			}
		}
	})
}

func TestAFanOutThatWouldEndTooLateIsRefusedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := fanOutOf(t, 2)
		if err := f.Do(t.Context(), 20, takes10ms); err != nil {
			t.Fatal(err)
		}
		first := make(chan error)
		go func() { first <- f.Do(endsIn(t, 25*time.Millisecond), 4, takes10ms) }()
		synctest.Wait()
		begun := time.Now()
		err := f.Do(endsIn(t, 35*time.Millisecond), 4, func(context.Context, int) error {
			t.Error("a call began")
			return nil
		})
		if rpc.CodeOf(err) != rpc.ResourceExhausted || time.Since(begun) != 0 {
			t.Error(time.Since(begun), err)
		}
		if err := f.Do(endsIn(t, 60*time.Millisecond), 4, takes10ms); err != nil {
			t.Error(err)
		}
		if err := <-first; err != nil {
			t.Error(err)
		}
		if s := f.Stats(); s.Active != 0 || s.Waiting != 0 || s.Refused != 1 {
			t.Errorf("%+v", s)
		}
	})
}

func TestTheFirstErrorOfAFanOutEndsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := fanOutOf(t, 2)
		wrong := errors.New("wrong")
		err := f.Do(t.Context(), 4, func(ctx context.Context, index int) error {
			switch index {
			case 0:
				<-ctx.Done()
				return ctx.Err()
			case 1:
				return wrong
			}
			t.Errorf("call %d began", index)
			return nil
		})
		if err != wrong {
			t.Error(err)
		}
		if s := f.Stats(); s.Active != 0 || s.Waiting != 0 {
			t.Errorf("%+v", s)
		}
	})
}

func TestAFanOutWhoseContextEndsWaitsForNoRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := fanOutOf(t, 1)
		release := make(chan struct{})
		other := make(chan error)
		go func() {
			other <- f.Do(t.Context(), 1, func(context.Context, int) error {
				<-release
				return nil
			})
		}()
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			time.Sleep(time.Millisecond)
			cancel()
		}()
		if err := f.Do(ctx, 3, takes10ms); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		close(release)
		if err := <-other; err != nil {
			t.Error(err)
		}
		if s := f.Stats(); s.Active != 0 || s.Waiting != 0 {
			t.Errorf("%+v", s)
		}
	})
}

// All answers have come: the end of the context after that does no harm.
func TestAFanOutThatEndsWithItsContextHasItsAnswers(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	if err := fanOutOf(t, 4).Do(ctx, 1, func(context.Context, int) error { cancel(); return nil }); err != nil {
		t.Fatal(err)
	}
	if err := fanOutOf(t, 4).Do(ctx, 0, takes10ms); err != nil {
		t.Fatal("of no calls:", err)
	}
	if err := fanOutOf(t, 4).Do(ctx, 1, func(ctx context.Context, _ int) error { return ctx.Err() }); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

func TestWrongOptionsOfAFanOutAreTold(t *testing.T) {
	if _, err := rpc.NewFanOut(fanout.Options{Min: 5, Max: 2}); err == nil {
		t.Fatal("a least limit above the most passes")
	}
}
