package load

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

// handClock is a clock for one caller, which moves when the caller waits or works.
type handClock struct {
	sync.Mutex
	now time.Duration
}

func (c *handClock) Now() time.Duration {
	c.Lock()
	defer c.Unlock()
	return c.now
}

func (c *handClock) SleepUntil(_ context.Context, at time.Duration) {
	c.Lock()
	defer c.Unlock()
	c.now = max(c.now, at)
}

// work takes a given time for each call, and a tenth of that in CPU time, 2/3 of which is the server's.
func (c *handClock) work(took func(call int) time.Duration) Work {
	calls := 0
	var used time.Duration
	return Work{
		Call: func(context.Context, int) error {
			c.Lock()
			defer c.Unlock()
			one := took(calls)
			calls++
			c.now += one
			used += one / 10
			return nil
		},
		Kind: func(err error) string { return err.Error() },
		CPU:  func() CPU { return CPU{Client: used / 3, Server: used * 2 / 3, HasServer: true} },
	}
}

func always(took time.Duration) func(int) time.Duration {
	return func(int) time.Duration { return took }
}

// isAbout reports whether a histogram's value equals another one, to a thousandth.
func isAbout(got int64, want time.Duration) bool {
	return got >= int64(want)*998/1000 && got <= int64(want)*1002/1000
}

func TestAPauseOfTheServerIsSeenInAllCallsThatShouldHaveBegunInIt(t *testing.T) {
	clock := &handClock{}
	// The 500th call takes a second, in which 1,000 calls should have begun.
	result := Run(context.Background(), Plan{Rate: 1000, Callers: 1, Duration: 10 * time.Second}, clock.work(func(call int) time.Duration {
		if call == 500 {
			return time.Second
		}
		return 100 * time.Microsecond
	}), clock)
	if n := result.Latency.TotalCount(); n != 10_000 {
		t.Errorf("%d calls", n)
	}
	if p50 := result.Latency.ValueAtQuantile(50); !isAbout(p50, 100*time.Microsecond) {
		t.Errorf("p50 is %d", p50)
	}
	if p95 := result.Latency.ValueAtQuantile(95); p95 < int64(500*time.Millisecond) {
		t.Errorf("p95 is %d: calls were left out", p95)
	}
	if !isAbout(result.Latency.Max(), time.Second) || result.NotBegun != 0 || result.Lateness.Max() > int64(time.Microsecond) {
		t.Error(result.Text())
	}
}

func TestAClosedLoopMakesOneCallAfterTheOther(t *testing.T) {
	clock := &handClock{}
	result := Run(context.Background(), Plan{Callers: 1, Warmup: time.Second, Duration: 4 * time.Second}, clock.work(always(10*time.Millisecond)), clock)
	if n := result.Latency.TotalCount(); n != 400 || result.PerSecond() != 100 {
		t.Errorf("%d calls, %v/s", n, result.PerSecond())
	}
	if !isAbout(result.Latency.ValueAtQuantile(99), 10*time.Millisecond) || result.perCall(result.usage.cpu.Client) != 333333*time.Nanosecond {
		t.Errorf("%s %v", result.Text(), result.perCall(result.usage.cpu.Client))
	}
}

func TestARateThatIsTooHighIsTold(t *testing.T) {
	clock := &handClock{}
	result := Run(context.Background(), Plan{Rate: 1000, Callers: 1, Warmup: time.Second, Duration: 9 * time.Second}, clock.work(always(2*time.Millisecond)), clock)
	if result.NotBegun != 5000 || !strings.Contains(result.Text(), "5000 calls: no caller was free") {
		t.Error(result.Text())
	}
}

func TestTheScheduleHasExactlyTheCallsOfItsTime(t *testing.T) {
	for _, rate := range []float64{0.1, 1, 3, 7, 1000, 33333.3} {
		plan := Plan{Rate: rate}
		for _, before := range []time.Duration{0, 1, time.Second, 10 * time.Second, 12345 * time.Millisecond} {
			n := plan.scheduled(before)
			if plan.intended(n) < before || n > 0 && plan.intended(n-1) >= before {
				t.Errorf("%g/s: %d calls before %v", rate, n, before)
			}
		}
	}
}

func TestErrorsAreCountedByKindAndKindsAreBounded(t *testing.T) {
	clock := &handClock{}
	work := clock.work(always(10 * time.Millisecond))
	call, calls := work.Call, 0
	work.Call = func(ctx context.Context, caller int) error {
		call(ctx, caller)
		if calls++; calls <= 50 {
			return errors.New("kind " + string(rune('A'+calls)))
		}
		if calls%2 == 0 {
			return errors.New("refused")
		}
		return nil
	}
	result := Run(context.Background(), Plan{Callers: 1, Duration: time.Second}, work, clock)
	if len(result.Errors) != mostKinds+1 || result.Failed() != 75 || result.Errors["others"] != 55 {
		t.Error(result.Errors)
	}
	if text := result.Text(); !strings.Contains(text, "errors         75\n  55           others\n") {
		t.Error(text)
	}
}

func TestCallsHaveTheTimeoutOfThePlan(t *testing.T) {
	clock := &handClock{}
	work := clock.work(always(time.Second))
	work.Call = func(ctx context.Context, _ int) error {
		if _, ok := ctx.Deadline(); !ok {
			t.Error("there is no deadline")
		}
		clock.SleepUntil(ctx, clock.Now()+time.Second)
		return nil
	}
	Run(context.Background(), Plan{Callers: 1, Duration: 2 * time.Second, Timeout: time.Hour}, work, clock)
}

func TestARunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var once sync.Once
	result := Run(ctx, Plan{Rate: 10_000, Callers: 8, Duration: time.Hour}, Work{
		Call: func(context.Context, int) error {
			once.Do(cancel)
			return nil
		},
		CPU: func() CPU { return CPU{} },
	}, SystemClock())
	if result.Latency.TotalCount() == 0 {
		t.Error("no call was made")
	}
}

func TestAResultIsToldToPeopleProgramsAndHistograms(t *testing.T) {
	clock := &handClock{}
	result := Run(context.Background(), Plan{Rate: 100, Callers: 1, Duration: time.Second}, clock.work(always(3*time.Millisecond)), clock)
	want := `open loop of 100 calls/s for 1s, after 0s of warm-up
calls          100, 100.0/s
latency p50    3ms
latency p90    3ms
latency p99    3ms
latency p99.9  3ms
latency max    3ms
CPU            100µs per call, this side
CPU            200µs per call, the server
began late     p99 0s: what of the latency may be this program's own
errors         0
`
	if text := result.Text(); text != want {
		t.Errorf("%s\n%s", text, want)
	}
	told, err := json.Marshal(result)
	var read struct {
		Calls   int64              `json:"calls"`
		Latency map[string]float64 `json:"latency_s"`
		Server  float64            `json:"server_cpu_per_call_s"`
	}
	if err != nil || json.Unmarshal(told, &read) != nil || read.Calls != 100 || read.Server != 0.0002 || read.Latency["p99.9"] < 0.0029 {
		t.Errorf("%s %v", told, err)
	}
	var text bytes.Buffer
	if err := result.WriteHistogram(&text); err != nil || !strings.Contains(text.String(), "Percentile") {
		t.Errorf("%s %v", &text, err)
	}
}
