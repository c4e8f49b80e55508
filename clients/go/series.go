package agentclient

import (
	"errors"
	"unicode/utf8"
)

// The agent's limits (docs/agent/protocol.md).
const (
	metricBytesMax = 512
	tagsBytesMax   = 4096
	tagsMax        = 64
)

// A Tag is a key and a value.
type Tag struct{ Key, Value string }

// T makes a tag.
func T(key, value string) Tag { return Tag{Key: key, Value: value} }

// A Kind says what the numbers of a metric are. Members of sets are texts and have calls of their own.
type Kind byte

// What numbers can be.
const (
	// KindCounter adds up; the sum since the start counts.
	KindCounter Kind = 'c'
	// KindRate adds up; the sum per second counts.
	KindRate Kind = 'r'
	// KindGauge is a value of which the last holds.
	KindGauge Kind = 'g'
	// KindTimer is for durations in milliseconds.
	KindTimer Kind = 't'
	// KindHistogram is for values in exponential buckets.
	KindHistogram Kind = 'h'
	// KindDistribution is for values whose quantiles are known within 1 %.
	KindDistribution Kind = 'd'
)

const kindSet Kind = 's'

// Why the protocol cannot carry a series.
var (
	ErrNoMetric         = errors.New("the metric has no name")
	ErrLongMetric       = errors.New("the metric's name is longer than 512 bytes")
	ErrManyTags         = errors.New("there are more than 64 tags")
	ErrLongTags         = errors.New("the tags are longer than 4096 bytes")
	ErrNoKey            = errors.New("a tag has no key")
	ErrSeparator        = errors.New("a tag has a space or '|' in it, or its key has '='")
	ErrControlCharacter = errors.New("the name or a tag has a control character")
	ErrNotUTF8          = errors.New("the name or a tag is not UTF-8")
)

// A series is the bytes of each of its points, without the value.
type series struct {
	bytes []byte
	// Where the value stands between them.
	split int
	// Of the metric's name, for series whose samples must stay in their order.
	hash       uint32
	keepsOrder bool
}

// set takes the place of what it was before, so that ad hoc samples need no memory of their own.
func (s *series) set(kind Kind, metric string, tags []Tag) error {
	if err := check(metric, tags); err != nil {
		return err
	}
	// An array of four strings: type, metric, value, tags.
	bytes := append(s.bytes[:0], 0x94, 0xa1, byte(kind))
	bytes = append(appendTextHead(bytes, len(metric)), metric...)
	s.split = len(bytes)
	bytes = appendTextHead(bytes, tagsLength(tags))
	for number, tag := range tags {
		if number > 0 {
			bytes = append(bytes, '|')
		}
		bytes = append(append(bytes, tag.Key...), '=')
		bytes = append(bytes, tag.Value...)
	}
	s.bytes = bytes
	s.keepsOrder = kind == KindGauge
	if s.keepsOrder {
		s.hash = fnv(metric)
	}
	return nil
}

func (s *series) beforeValue() []byte { return s.bytes[:s.split] }

func (s *series) behindValue() []byte { return s.bytes[s.split:] }

func tagsLength(tags []Tag) int {
	length := max(len(tags)-1, 0)
	for _, tag := range tags {
		length += len(tag.Key) + 1 + len(tag.Value)
	}
	return length
}

// appendTextHead writes the head of a msgpack string.
func appendTextHead(to []byte, length int) []byte {
	switch {
	case length < 32:
		return append(to, 0xa0|byte(length))
	case length < 0x100:
		return append(to, 0xd9, byte(length))
	case length < 0x1_0000:
		return append(to, 0xda, byte(length>>8), byte(length))
	default:
		// Longer than every packet; such a text is refused for its length.
		return append(to, 0xdb, byte(length>>24), byte(length>>16), byte(length>>8), byte(length))
	}
}

func check(metric string, tags []Tag) error {
	switch {
	case metric == "":
		return ErrNoMetric
	case len(metric) > metricBytesMax:
		return ErrLongMetric
	case len(tags) > tagsMax:
		return ErrManyTags
	}
	for _, tag := range tags {
		if tag.Key == "" {
			return ErrNoKey
		}
	}
	if tagsLength(tags) > tagsBytesMax {
		return ErrLongTags
	}
	if err := plain(metric, 0); err != nil {
		return err
	}
	for _, tag := range tags {
		if err := plain(tag.Key, endsTag|endsKey); err != nil {
			return err
		}
		if err := plain(tag.Value, endsTag); err != nil {
			return err
		}
	}
	return nil
}

// What bytes cannot stand where, and which need a closer look.
const (
	control byte = 1 << iota
	endsTag
	endsKey
	notASCII
)

var classes = func() (classes [256]byte) {
	for letter := range ' ' {
		classes[letter] = control
	}
	for letter := 0x80; letter < 0x100; letter++ {
		classes[letter] = notASCII
	}
	classes[0x7f] = control
	classes[' '], classes['|'], classes['='] = endsTag, endsTag, endsKey
	return classes
}()

// plain says whether a text can stand where these separators end it.
func plain(text string, separators byte) error {
	var found byte
	for at := 0; at < len(text); at++ {
		found |= classes[text[at]]
	}
	switch {
	case found&separators != 0:
		return ErrSeparator
	case found&control != 0:
		return ErrControlCharacter
	case found&notASCII != 0 && !utf8.ValidString(text):
		return ErrNotUTF8
	default:
		return nil
	}
}

// fnv is FNV-1a of 32 bits.
func fnv(text string) uint32 {
	hash := uint32(2166136261)
	for at := 0; at < len(text); at++ {
		hash = (hash ^ uint32(text[at])) * 16777619
	}
	return hash
}
