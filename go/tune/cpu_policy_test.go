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
		{"held up, and fewer use the whole quota", cpuPolicy{}, cpuReading{cpus: 8, quota: 1, heldUp: 0.5, used: 1, procs: 2}, 1},
		{"fewer stay", cpuPolicy{}, cpuReading{cpus: 8, quota: 2.5, used: 1.7, procs: 2}, 2},
		{"fewer are busy", cpuPolicy{}, cpuReading{cpus: 8, quota: 2.5, used: 1.9, procs: 2}, 3},
		{"fewer are busy, and use the whole quota", cpuPolicy{}, cpuReading{cpus: 8, quota: 1, used: 1, procs: 1}, 1},

		{"the quota grew", cpuPolicy{}, cpuReading{cpus: 8, quota: 5.5, used: 1, procs: 2}, 6},
		{"the quota shrank", cpuPolicy{}, cpuReading{cpus: 8, quota: 1.5, used: 3, procs: 4}, 2},
		{"the quota is gone", cpuPolicy{}, cpuReading{cpus: 8, used: 3, procs: 4}, 8},

		{"CPUs for a sidecar", cpuPolicy{reserve: 0.5}, cpuReading{cpus: 8, quota: 2}, 2},
		{"a whole CPU for a sidecar", cpuPolicy{reserve: 1}, cpuReading{cpus: 8, quota: 2}, 1},
		{"a share for a sidecar", cpuPolicy{reserveShare: 0.25}, cpuReading{cpus: 8, quota: 4}, 3},
		{"a share without a quota", cpuPolicy{reserveShare: 0.25}, cpuReading{cpus: 8}, 6},
		{"more for a sidecar than there is", cpuPolicy{reserve: 100}, cpuReading{cpus: 8, quota: 2}, 1},
	} {
		if got := c.policy.decide(c.r); got != c.want {
			t.Errorf("%s: %d, not %d", c.name, got, c.want)
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
		r := cpuReading{cpus: 1 + random.IntN(64), quota: number(70), heldUp: number(1), used: number(64), procs: random.IntN(70)}
		got := p.decide(r)
		if got < 1 || got > r.cpus {
			t.Fatalf("%+v %+v: %d", p, r, got)
		}
		available := p.available(r)
		if available > 0 && got > 2 && float64(got) >= available+1 {
			t.Fatalf("%+v %+v: %d of %v", p, r, got, available)
		}
		// What was chosen stays, while the quota does not hold the program up and its use is small.
		r.procs, r.heldUp, r.used = got, 0, 0
		if again := p.decide(r); again != got {
			t.Fatalf("%+v %+v: %d, then %d", p, r, got, again)
		}
	}
}

// underQuota simulates a service whose requests come at random and take 5 ms of CPU each on average, on CPUs of a quota in periods of 100 ms.
type underQuota struct {
	random      *rand.Rand
	quota, load float64
	waiting     []float64 // CPU time in ms that is left of each request, oldest first
	next        float64   // ms until the next request
}

// second runs for 1 s with so many CPUs, and tells which part of periods the quota cut short, and how many CPUs were used.
func (s *underQuota) second(procs int) (heldUp, used float64) {
	const periods, period = 10, 100
	for range periods {
		left, isCut := s.quota*period, false
		for range period {
			for s.next--; s.next <= 0; s.next += s.random.ExpFloat64() * 5 / s.load {
				s.waiting = append(s.waiting, s.random.ExpFloat64()*5)
			}
			for i := range min(procs, len(s.waiting)) {
				if left < 1 {
					isCut = true
					break
				}
				s.waiting[i]--
				left--
				used++
			}
			rest := s.waiting[:0]
			for _, one := range s.waiting {
				if one > 0 {
					rest = append(rest, one)
				}
			}
			s.waiting = rest
		}
		if isCut {
			heldUp++
		}
	}
	return heldUp / periods, used / (periods * period)
}

func TestRoundingNeverTakesCPUsThatTheLoadNeeds(t *testing.T) {
	for _, quota := range []float64{0.7, 1, 1.2, 1.5, 2, 2.5, 3.8} {
		for _, part := range []float64{0.3, 0.5, 0.7, 0.8} {
			s := &underQuota{random: rand.New(rand.NewPCG(uint64(quota*10), uint64(part*10))), quota: quota, load: part * quota}
			r := cpuReading{cpus: 8, quota: quota}
			for range 120 {
				r.procs = cpuPolicy{}.decide(r)
				r.heldUp, r.used = s.second(r.procs)
			}
			// A queue that is not worked off would hold the requests of a minute: thousands.
			if len(s.waiting) > 300 {
				t.Errorf("with a quota of %v and a load of %v CPUs %d requests wait for %d CPUs", quota, s.load, len(s.waiting), r.procs)
			}
		}
	}
}
