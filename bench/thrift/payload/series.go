package payload

import "hone/bench/thrift/generated/hone/series"

func (m maker) oneSeries(values int) *series.Series {
	s := &series.Series{
		Metric: m.name(3, "."), Tags: map[string]string{"host": m.digits(12), "region": m.of(regions), "service": m.name(2, "-"), "env": "production"},
		Start: m.millis(), Step: 15, Values: m.doubles(m.few(values)), Quantiles: map[string][]float64{},
	}
	for range values / 4 {
		s.Buckets = append(s.Buckets, m.ints(m.few(6), 1000))
	}
	for _, quantile := range []string{"p50", "p99"} {
		s.Quantiles[quantile] = m.doubles(values / 4)
	}
	return s
}

func (m maker) answer(n, values int) *series.Answer {
	answer := &series.Answer{Done: true, Counts: map[string]int64{"series": int64(n), "samples": m.Int63n(1e6), "chunks": m.Int63n(1e4)}}
	for range n {
		answer.Series = append(answer.Series, m.oneSeries(values))
	}
	return answer
}

func (m maker) series() []Message {
	return []Message{of("small", m.answer(1, 8)), of("medium", m.answer(18, 60)), of("large", m.answer(250, 80))}
}
