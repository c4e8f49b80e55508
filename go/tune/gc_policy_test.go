package tune

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

const mib = 1 << 20

var usual = gcPolicy{threshold: 0.7, minPercent: 50, maxPercent: 500, maxShare: 0.25}

func limited(bytes, other uint64) []gcLimit {
	return []gcLimit{{name: "limit", bytes: bytes, other: other}}
}

func TestGOGCFillsTheLimitWithinItsBounds(t *testing.T) {
	for _, c := range []struct {
		name string
		r    gcReading
		want int
	}{
		{"no limit", gcReading{live: 100 * mib, before: gcSettings{percent: 130}}, 130},
		{"no limit, and off", gcReading{live: 100 * mib, before: gcSettings{percent: -1}}, -1},
		{"up to the threshold", gcReading{limits: limited(1000*mib, 0), live: 350 * mib}, 100},
		{"without what others have", gcReading{limits: limited(1000*mib, 200*mib), live: 200 * mib}, 150},
		{"stacks count as live and do not grow", gcReading{limits: limited(1000*mib, 0), live: 300 * mib, roots: 100 * mib}, 100},
		{"no more than the most", gcReading{limits: limited(1000*mib, 0), live: 10 * mib}, 500},
		{"no less than the least", gcReading{limits: limited(1000*mib, 0), live: 600 * mib}, 50},
		{"nothing is live", gcReading{limits: limited(1000*mib, 0)}, 500},
		{"the smallest heap is in proportion", gcReading{limits: limited(10*mib, 0), live: 1}, 175},
		{"the tightest of two is that which leaves least", gcReading{
			limits: []gcLimit{{name: "a", bytes: 1000 * mib}, {name: "b", bytes: 4000 * mib, other: 2500 * mib}}, live: 150 * mib}, 100},

		{"tight: up to the ceiling", gcReading{limits: limited(1000*mib, 0), live: 800 * mib}, 21},
		{"tighter: hardly anything", gcReading{limits: limited(1000*mib, 0), live: 960 * mib}, 2},
		{"more is live than the limit", gcReading{limits: limited(1000*mib, 0), live: 2000 * mib}, 2},
		{"others have it all", gcReading{limits: limited(1000*mib, 1000*mib), live: 10 * mib}, 2},
		{"a limit of nothing", gcReading{limits: limited(0, 0), live: 10 * mib}, 2},
		{"tight, at a price that is due", gcReading{limits: limited(1000*mib, 0), live: 960 * mib, share: 0.25}, 2},
		{"tight, at half again the price", gcReading{limits: limited(1000*mib, 0), live: 960 * mib, share: 0.375}, 26},
		{"tight, at twice the price", gcReading{limits: limited(1000*mib, 0), live: 960 * mib, share: 0.5}, 50},
		{"the price does not matter where there is room", gcReading{limits: limited(1000*mib, 0), live: 100 * mib, share: 0.9}, 500},

		{"all survives: twice as much still fits", gcReading{limits: limited(1000*mib, 0), live: 242.5 * mib, survival: 1}, 100},
		{"half survives", gcReading{limits: limited(1000*mib, 0), live: 242.5 * mib, survival: 0.5}, 137},
	} {
		if got := usual.decide(c.r); got.percent != c.want {
			t.Errorf("%s: %+v, not %d", c.name, got, c.want)
		}
	}
}

func TestAHeapOfWhichLittleIsLiveGrowsToTheLeast(t *testing.T) {
	policy := usual
	policy.leastHeap = 32 * mib
	for _, c := range []struct {
		name string
		r    gcReading
		want int
	}{
		{"nothing is live", gcReading{limits: limited(1000*mib, 0)}, 800},
		{"little is live", gcReading{limits: limited(1000*mib, 0), live: 2 * mib, roots: 2 * mib}, 750},
		{"enough is live", gcReading{limits: limited(1000*mib, 0), live: 16 * mib}, 500},
		{"the limit leaves less", gcReading{limits: limited(10*mib, 0), live: 1}, 175},
		{"what is allocated stays", gcReading{limits: limited(40*mib, 0), live: 2 * mib, survival: 1}, 227},
		{"no limit", gcReading{before: gcSettings{percent: 100}}, 800},
		{"no limit, and enough is live", gcReading{live: 30 * mib, before: gcSettings{percent: 100}}, 100},
		{"no limit, and off", gcReading{before: gcSettings{percent: -1}}, -1},
	} {
		if got := policy.decide(c.r); got.percent != c.want {
			t.Errorf("%s: %+v, not %d", c.name, got, c.want)
		}
	}
}

func TestADecisionNamesTheTightestLimit(t *testing.T) {
	r := gcReading{limits: []gcLimit{{name: "a", bytes: 100}, {name: "b", bytes: 200, other: 150}}, live: 60}
	if d := usual.decide(r); d.tightest.name != "b" || !d.isTight {
		t.Errorf("%+v", d)
	}
	r = gcReading{limits: limited(1000*mib, 0), live: 600 * mib}
	if d := usual.decide(r); d.isTight {
		t.Errorf("%+v", d)
	}
}

func TestGosLimitIsThatOfTheTightestAndLeavesWhatGOGCDoes(t *testing.T) {
	const most = math.MaxInt64
	for _, c := range []struct {
		name string
		r    gcReading
		want uint64
	}{
		{"no limit", gcReading{live: 100 * mib, before: gcSettings{100, most}}, most},
		{"without what is not Go's", gcReading{limits: limited(1000*mib, 300*mib), live: 100 * mib, besides: 20 * mib, before: gcSettings{100, most}}, 720 * mib},
		{"more than that is live", gcReading{limits: limited(1000*mib, 0), live: 1940 * mib, before: gcSettings{100, most}}, 2040 * mib},
		{"more is live, and collections cost too much", gcReading{limits: limited(1000*mib, 0), live: 970 * mib, share: 1, before: gcSettings{100, most}}, 1500 * mib},
		{"no more than the user's", gcReading{limits: limited(1000*mib, 0), live: 970 * mib, share: 1, before: gcSettings{100, 900 * mib}}, 900 * mib},
	} {
		if got := usual.decide(c.r).limit; got != c.want {
			t.Errorf("%s: %d MiB, not %d", c.name, got/mib, c.want/mib)
		}
	}
}

// anyReading returns a random reading with sizes from bytes to exabytes.
func anyReading(random *rand.Rand) gcReading {
	size := func() uint64 { return random.Uint64() >> random.IntN(64) }
	r := gcReading{live: size(), roots: size(), before: gcSettings{random.IntN(600) - 1, 1 + random.Uint64()>>(1+random.IntN(60))}}
	for range random.IntN(4) {
		r.limits = append(r.limits, gcLimit{bytes: size(), other: size()})
	}
	if random.IntN(2) == 0 {
		r.share, r.survival = random.Float64(), random.Float64()
	}
	return r
}

func TestGOGCStaysWithinItsBoundsWhateverIsRead(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	policy := usual
	policy.leastHeap = 32 * mib
	most := 100 * int(policy.leastHeap/smallestHeap)
	for range 300_000 {
		r := anyReading(random)
		d := policy.decide(r)
		switch {
		case d.limit > r.before.limit:
		case len(r.limits) == 0 && (d.percent < r.before.percent || d.percent > max(r.before.percent, most)):
		case len(r.limits) == 0 && r.before.percent < 0 && d.percent != r.before.percent:
		case len(r.limits) > 0 && (d.percent < leastPercent || d.percent > max(usual.maxPercent, most)):
		case len(r.limits) > 0 && !d.isTight && r.survival == 0 && d.percent < usual.minPercent:
		default:
			continue
		}
		t.Fatalf("%+v: %+v", r, d)
	}
}

func TestMoreMemoryInUseNeverRaisesGOGC(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	policy := usual
	policy.leastHeap = 32 * mib
	for range 300_000 {
		r := anyReading(random)
		if len(r.limits) == 0 {
			continue
		}
		more := r
		more.limits = append([]gcLimit(nil), r.limits...)
		switch random.IntN(4) {
		case 0:
			more.live += min(random.Uint64()>>random.IntN(64), math.MaxUint64-more.live)
		case 1:
			i := random.IntN(len(more.limits))
			more.limits[i].other += min(random.Uint64()>>random.IntN(64), math.MaxUint64-more.limits[i].other)
		case 2:
			more.limits[random.IntN(len(more.limits))].bytes /= 2
		case 3:
			more.survival = min(1, more.survival+random.Float64())
		}
		// Errors from rounding numbers this large are ignored.
		if before, after := policy.decide(r).percent, policy.decide(more).percent; after > before+1 {
			t.Fatalf("%+v: %d\n%+v: %d", r, before, more, after)
		}
	}
}

func TestWhileLiveMemoryLeavesAChoiceTwoCollectionsStayBelowTheCeiling(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 300_000 {
		limit := 64*mib + random.Uint64N(64<<30)
		r := gcReading{limits: limited(limit, random.Uint64N(limit/2)), survival: random.Float64()}
		room, _ := r.room(ceiling)
		r.live = uint64(room * random.Float64())
		d := usual.decide(r)
		if d.percent == leastPercent {
			continue
		}
		g := float64(d.percent) / 100
		if peak := float64(r.live) * (1 + r.survival*g) * (1 + g); peak > room*1.000001 {
			t.Fatalf("%+v: %d %% grows to %v of %v", r, d.percent, peak, room)
		}
	}
}

func TestSmallChangesOfWhatIsReadAreSmallChangesOfGOGC(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for range 300_000 {
		limit := 64*mib + random.Uint64N(64<<30)
		r := gcReading{limits: limited(limit, random.Uint64N(limit/2)), live: limit/50 + random.Uint64N(limit), share: random.Float64(), survival: random.Float64()}
		near := r
		near.live += r.live / 1000
		near.share += 0.001
		near.survival = min(1, near.survival+0.001)
		before, after := usual.decide(r).percent, usual.decide(near).percent
		if math.Abs(float64(before-after)) > 3+0.02*float64(before) {
			t.Fatalf("%+v: %d, then %d", r, before, after)
		}
	}
}

func TestTheShareForgetsInTime(t *testing.T) {
	share := smoothed(0, 1, 10*time.Second)
	if math.Abs(share-(1-1/math.E)) > 1e-9 {
		t.Error(share)
	}
	// Many short steps have the same effect as one long step.
	steps := 0.0
	for range 1000 {
		steps = smoothed(steps, 1, 10*time.Millisecond)
	}
	if math.Abs(steps-share) > 1e-9 {
		t.Error(steps)
	}
	if share = smoothed(share, 0, time.Hour); share > 1e-9 {
		t.Error(share)
	}
	if wrong := smoothed(0.5, math.Inf(1), time.Second); wrong > 1 {
		t.Error(wrong)
	}
}

func TestSurvivalIsForgottenByHalves(t *testing.T) {
	for _, c := range []struct {
		before                      float64
		liveBefore, live, allocated uint64
		want                        float64
	}{{0, 100, 150, 100, 0.5}, {0, 100, 50, 100, 0}, {0.8, 100, 50, 100, 0.4}, {0.2, 100, 150, 100, 0.5}, {0, 100, 500, 100, 1}, {0.5, 1, 2, 0, 0.25}} {
		if got := survived(c.before, c.liveBefore, c.live, c.allocated); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
