package payload

import "hone/bench/thrift/generated/hone/spans"

func (m maker) tag() *spans.Tag {
	tag := &spans.Tag{Key: m.name(2, "."), Kind: spans.Kind_TEXT}
	switch m.Intn(6) {
	case 0:
		tag.Kind, tag.Long = spans.Kind_LONG, pointer(m.Int63n(1e6))
	case 1:
		tag.Kind, tag.Flag = spans.Kind_BOOL, pointer(true)
	default:
		tag.Text = pointer(m.name(1+m.Intn(4), "/"))
	}
	return tag
}

func (m maker) tags(n int) (tags []*spans.Tag) {
	for range n {
		tags = append(tags, m.tag())
	}
	return tags
}

func (m maker) span(traceLow, traceHigh int64) *spans.Span {
	span := &spans.Span{
		TraceLow: traceLow, TraceHigh: traceHigh, ID: m.Int63(), Parent: m.Int63(), Operation: m.of(verbs) + "-" + m.name(2, "-"), Flags: 1,
		Start: 1000 * m.millis(), Duration: m.Int63n(1e6), Tags: m.tags(m.few(6)),
	}
	if m.Intn(3) == 0 {
		span.Links = []*spans.Link{{Kind: 1, TraceLow: traceLow, TraceHigh: traceHigh, Span: m.Int63()}}
	}
	for range m.Intn(3) {
		span.Events = append(span.Events, &spans.Event{At: 1000 * m.millis(), Fields: m.tags(2)})
	}
	return span
}

func (m maker) spanBatch(n int) *spans.Batch {
	batch := &spans.Batch{Process: &spans.Process{Service: m.name(2, "-"), Tags: m.tags(5)}, Number: pointer(m.Int63n(1e5))}
	for range n {
		batch.Spans = append(batch.Spans, m.span(m.Int63(), m.Int63()))
	}
	return batch
}

func (m maker) spans() []Message {
	return []Message{of("small", m.spanBatch(1)), of("medium", m.spanBatch(40)), of("large", m.spanBatch(600))}
}
