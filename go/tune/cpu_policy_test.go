package tune

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestGOMAXPROCSIsRoundedUpAndDownByWhatTheQuotaDoes(t *testing.T) {
	for _, c := range []struct {
		name   string
		policy cpuPolicy
		r      cpuReading
		want   int
	}{
		{"no quota", cpuPolicy{}, cpuReading{cpus: 8}, 8},
		{"a quota above the machine", cpuPolicy{}, cpuReading{cpus: 8, quota: 64}, 8},
		{"at the beginning, up", cpuPolicy{}, cpuReading{cpus: 8, quota: 2.5}, 3},
		{"at the beginning, as Go has it", cpuPolicy{}, cpuReading{cpus: 8, quota: 0.5}, 2},
		{"a whole quota", cpuPolicy{}, cpuReading{cpus: 8, quota: 3}, 3},
		{"a whole quota, nearly", cpuPolicy{}, cpuReading{cpus: 8, quota: 3.0000001}, 3},
		{"one CPU in all", cpuPolicy{}, cpuReading{cpus: 1, quota: 0.5}, 1},

		{"held up, and fewer are enough", cpuPolicy{}, cpuReading{cpus: 8, quota: 2.5, heldUp: 0.2, used: 1.2, procs: 3}, 2},
		{"held up, and fewer are too few", cpuPolicy{}, cpuReading{cpus: 8, quota: 2.5, heldUp: 0.2, used: 1.9, procs: 3}, 3},
		{"hardly held up", cpuPolicy{}, cpuReading{cpus: 8, quota: 2.5, heldUp: 0.05, used: 1.2, procs: 3}, 3},
		{"held up, and fewer were taken back lately", cpuPolicy{}, cpuReading{cpus: 8, quota: 2.5, heldUp: 0.2, used: 1.2, isBarred: true, procs: 3}, 3},
		{"held up, and fewer could use the whole quota, without room", cpuPolicy{}, cpuReading{cpus: 8, quota: 1, heldUp: 0.5, used: 0.9, procs: 2}, 2},
		{"held up, and fewer could use the whole quota, with room", cpuPolicy{}, cpuReading{cpus: 8, quota: 0.5, heldUp: 0.5, used: 0.5, procs: 2}, 1},
		{"fewer stay", cpuPolicy{}, cpuReading{cpus: 8, quota: 2.5, used: 1.7, procs: 2}, 2},
		{"fewer are busy", cpuPolicy{}, cpuReading{cpus: 8, quota: 2.5, used: 1.9, procs: 2}, 3},
		{"fewer are busy, and use the whole quota", cpuPolicy{}, cpuReading{cpus: 8, quota: 1, used: 1, procs: 1}, 2},
		{"fewer use the whole quota, with room", cpuPolicy{}, cpuReading{cpus: 8, quota: 0.5, heldUp: 1, used: 0.5, procs: 1}, 1},
		{"goroutines wait for fewer", cpuPolicy{}, cpuReading{cpus: 8, quota: 1, used: 0.5, late: 0.03, procs: 1}, 2},
		{"held up, and goroutines wait already", cpuPolicy{}, cpuReading{cpus: 8, quota: 1, heldUp: 0.2, used: 0.5, late: 0.03, procs: 2}, 2},
		{"few goroutines wait", cpuPolicy{}, cpuReading{cpus: 8, quota: 1, used: 0.5, late: 0.01, procs: 1}, 1},

		{"the quota grew", cpuPolicy{}, cpuReading{cpus: 8, quota: 5.5, used: 1, procs: 2}, 6},
		{"the quota shrank", cpuPolicy{}, cpuReading{cpus: 8, quota: 1.5, used: 3, procs: 4}, 2},
		{"the quota is gone", cpuPolicy{}, cpuReading{cpus: 8, used: 3, procs: 4}, 8},

		{"CPUs for a sidecar", cpuPolicy{reserve: 0.5}, cpuReading{cpus: 8, quota: 2}, 2},
		{"a whole CPU for a sidecar", cpuPolicy{reserve: 1}, cpuReading{cpus: 8, quota: 2}, 1},
		{"a share for a sidecar", cpuPolicy{reserveShare: 0.25}, cpuReading{cpus: 8, quota: 4}, 3},
		{"a share without a quota", cpuPolicy{reserveShare: 0.25}, cpuReading{cpus: 8}, 6},
		{"more for a sidecar than there is", cpuPolicy{reserve: 100}, cpuReading{cpus: 8, quota: 2}, 1},
	} {
		if got := c.policy.decide(c.r); got.procs != c.want {
			t.Errorf("%s: %+v, not %d", c.name, got, c.want)
		}
	}
}

func TestGOMAXPROCSIsAlwaysOneOfTheTwoRoundings(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	odd := []float64{0, 1e-9, 0.1, 1, 1e9, math.Inf(1), math.NaN()}
	number := func(most float64) float64 {
		if random.IntN(10) == 0 {
			return odd[random.IntN(len(odd))]
		}
		return most * random.Float64()
	}
	for range 200_000 {
		p := cpuPolicy{}
		if random.IntN(2) == 0 {
			p.reserve = 4 * random.Float64()
		}
		r := cpuReading{cpus: 1 + random.IntN(64), quota: number(70), heldUp: number(1), used: number(64), late: number(1),
			isBarred: random.IntN(2) == 0, procs: random.IntN(70)}
		got := p.decide(r).procs
		if got < 1 || got > r.cpus {
			t.Fatalf("%+v %+v: %d", p, r, got)
		}
		available := p.available(r)
		if available > 0 && got > 2 && float64(got) >= available+1 {
			t.Fatalf("%+v %+v: %d of %v", p, r, got, available)
		}
		// The choice stays while the quota does not hold the program up and its use is small.
		r.procs, r.heldUp, r.used, r.late = got, 0, 0, 0
		if again := p.decide(r).procs; again != got {
			t.Fatalf("%+v %+v: %d, then %d", p, r, got, again)
		}
	}
}
