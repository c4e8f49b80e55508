package payload

import "hone/bench/thrift/generated/hone/baseline"

func (m maker) simple() *baseline.Simple {
	return &baseline.Simple{
		Small: int8(m.Intn(100)), ID: m.Int63(), Ratio: m.Float64(), Count: m.Int31(), Name: m.name(2, "."), Payload: m.bytes(8 + m.Intn(24)),
	}
}

// nested returns a struct with n elements in each of its containers.
func (m maker) nested(n int) *baseline.Nested {
	p := &baseline.Nested{
		Title: m.sentence(3), Weight: m.Float64(), State: m.Int31n(8), Codes: m.ints(n, 1<<30), Created: m.millis(), Labels: m.labels(n), Head: m.simple(),
		Counters: map[int32]int64{}, Words: m.names(n), Body: m.bytes(32), Titles: map[int64]string{}, Ids: m.ids(n), Level: int8(m.Intn(8)),
		Named: map[string]*baseline.Simple{},
	}
	for range n {
		p.Parts = append(p.Parts, m.simple())
		p.Counters[m.Int31()] = m.Int63()
		p.Titles[m.Int63()] = m.sentence(2)
		p.Named[m.name(2, "-")] = m.simple()
		p.Rows = append(p.Rows, m.ids(4))
	}
	return p
}

func (m maker) deep(each, n int) *baseline.Deep {
	p := &baseline.Deep{
		ByName: map[string]*baseline.Nested{}, Head: m.simple(), Level: 2, Weight: m.Float64(), Created: m.millis(), Main: m.nested(n), Body: m.bytes(64),
		Title: m.sentence(4), Tags: m.names(4), State: 3,
	}
	for range each {
		p.ByName[m.name(3, "/")] = m.nested(n)
		p.Parts = append(p.Parts, m.nested(n))
	}
	return p
}

// long returns a Simple that consists mostly of its text and bytes.
func (m maker) long() *baseline.Simple {
	p := m.simple()
	p.Name, p.Payload = m.sentence(38), m.bytes(270)
	return p
}

// longer returns a Nested with such long texts and bytes in lists and maps.
func (m maker) longer(n int) *baseline.Nested {
	p := m.nested(n)
	for _, simple := range p.Parts {
		*simple = *m.long()
	}
	for name := range p.Labels {
		p.Labels[name] = m.sentence(20)
	}
	p.Body = m.bytes(1000)
	return p
}

func (m maker) baseline() []Message {
	return []Message{
		of("simple", m.simple()),
		of("long", m.long()),
		of("longer", m.longer(16)),
		of("small", &baseline.Request{
			Headers: m.labels(4), Parameters: m.labels(4), Context: m.labels(3), Ids: m.ids(5), Codes: m.ints(5, 500), Weights: m.doubles(5), Words: m.names(3),
		}),
		of("medium", m.nested(60)),
		of("large", m.deep(9, 55)),
	}
}
