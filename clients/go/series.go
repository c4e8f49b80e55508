package agentclient

import (
	"errors"
	"unicode/utf8"
)

// These are the agent's limits (docs/agent/protocol.md).
const (
	metricBytesMax = 512
	tagsBytesMax   = 4096
	tagsMax        = 64
)

// A Tag is a key and a value.
type Tag struct{ Key, Value string }

// T makes a tag.
func T(key, value string) Tag { return Tag{Key: key, Value: value} }

// A Kind says what the numbers of a metric mean. Members of sets are texts, and have methods of their own.
type Kind byte

// These are all kinds of numbers.
const (
	// KindCounter adds up values. The agent reports the sum since the start.
	KindCounter Kind = 'c'
	// KindRate adds up values. The agent reports the sum per second.
	KindRate Kind = 'r'
	// KindGauge is a value that holds until the next one.
	KindGauge Kind = 'g'
	// KindTimer is for durations in milliseconds.
	KindTimer Kind = 't'
	// KindHistogram is for values in exponential buckets.
	KindHistogram Kind = 'h'
	// KindDistribution is for values with quantiles that are known within 1 %.
	KindDistribution Kind = 'd'
)

const kindSet Kind = 's'

// These errors say why the protocol cannot carry a series.
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

// A series has the bytes of each of its points, except for the value.
type series struct {
	bytes []byte
	// split is the offset in bytes at which the value is inserted.
	split int
	// hash is the hash of the metric's name, for series whose samples must keep their order.
	hash       uint32
	keepsOrder bool
}

// set makes the series one of this kind, metric and tags. It reuses the memory, so that ad hoc samples allocate none.
func (s *series) set(kind Kind, metric string, tags []Tag) error {
	if err := check(metric, tags); err != nil {
		return err
	}
	// A point is an array of four strings: type, metric, value and tags.
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
		// The text is longer than any packet, and is refused for its length.
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

// These are the classes of bytes that are not allowed in some places, and of bytes that need a closer look.
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

// plain returns an error for a text that has one of the given separators, a control character, or bytes that are not UTF-8.
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

// fnv returns the 32-bit FNV-1a hash of a text.
func fnv(text string) uint32 {
	hash := uint32(2166136261)
	for at := 0; at < len(text); at++ {
		hash = (hash ^ uint32(text[at])) * 16777619
	}
	return hash
}
