package payload

import "hone/bench/thrift/generated/hone/ranking"

func (m maker) dense(n int) map[string]float64 {
	features := map[string]float64{}
	for len(features) < n {
		features[m.name(2, "_")] = m.NormFloat64()
	}
	return features
}

func (m maker) user(lists, each int) *ranking.User {
	user := &ranking.User{
		ID: m.Int63(), Age: 18 + m.Int31n(60), Country: m.of(countries), Language: m.of(languages), History: map[string][]int64{}, Affinities: m.dense(2 * lists),
	}
	for range lists {
		user.History[m.of(verbs)+"_"+m.of(nouns)] = m.ids(m.few(each))
		user.Sessions = append(user.Sessions, m.ids(m.few(each/2)))
	}
	return user
}

func (m maker) candidate(sparse, each int) *ranking.Candidate {
	c := &ranking.Candidate{Item: m.Int63(), Author: m.Int63(), Score: m.Float64(), Categories: m.ids(3), Dense: m.dense(sparse)}
	for i := range sparse {
		s := &ranking.Sparse{Slot: int32(100 + i), Ids: m.ids(m.few(each))}
		if i%3 == 0 {
			s.Weights = m.doubles(len(s.Ids))
		}
		c.Sparse = append(c.Sparse, s)
	}
	return c
}

func (m maker) ranked(candidates, lists, each int) *ranking.Request {
	request := &ranking.Request{Trace: m.digits(32), User: m.user(lists, each), Experiments: m.labels(lists), Deadline: m.millis()}
	for range candidates {
		request.Candidates = append(request.Candidates, m.candidate(lists, 4))
	}
	return request
}

func (m maker) ranking() []Message {
	return []Message{of("small", m.ranked(1, 2, 4)), of("medium", m.ranked(16, 8, 40)), of("large", m.ranked(250, 12, 100))}
}
