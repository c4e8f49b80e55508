package thriftwire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Flags of a TTHeader.
const (
	// OutOfOrder says that answers may come in another order than calls.
	OutOfOrder = 0x01
	// Streaming marks frames of streams.
	Streaming = 0x02
	// KnowsLeaving is this package's own flag: the client that sets it understands a frame without a call that tells [Leaving]. Clients of
	// Kitex that share connections panic when they read one, from 0.15 on (https://github.com/cloudwego/kitex/issues/1897).
	KnowsLeaving = 0x4000
)

// Keys of numbers in a TTHeader that this package's users know.
const (
	FromService uint16 = 3
	ToService   uint16 = 6
	ToMethod    uint16 = 9
	RPCTimeout  uint16 = 12
	MessageKind uint16 = 22
)

// Names in a TTHeader that this package's users know.
const (
	// ServiceName is the service by its name in the IDL.
	ServiceName = "isn"
	// Leaving says that the other side will close the connection soon.
	Leaving = "crrst"
	// Transient and Persistent come before the names of metadata, for one hop and for all hops that follow.
	Transient  = "RPC_TRANSIT_"
	Persistent = "RPC_PERSIST_"
	// StatusCode, StatusMessage and StatusExtra tell an error of the service's own.
	StatusCode    = "biz-status"
	StatusMessage = "biz-message"
	StatusExtra   = "biz-extra"
)

// Kinds of facts in a TTHeader.
const (
	infoPadding = 0x00
	infoNamed   = 0x01
	infoNumber  = 0x10
	infoToken   = 0x11
)

// The parts of a TTHeader: a length of 4 bytes, which counts what follows, a magic of 2, flags of 2, a sequence number of 4 and a number
// of words of 2; these words hold the protocol, transforms and facts.
const (
	lengthBytes = 4
	fixedBytes  = 14
	magic       = 0x1000
	wordBytes   = 4
)

// token is the name under which a token is told: that of an access control list, which has a kind of its own.
const token = Transient + "gdpr-token"

// Header is a TTHeader. Facts are those of the frame, and valid as long as its bytes.
type Header struct {
	Flags    uint16
	Sequence int32
	Protocol byte
	facts    []byte
	// hasFacts is whether there is more than padding.
	hasFacts bool
}

// HeaderError is a TTHeader that cannot be read.
type HeaderError struct{ What string }

// Error says what is wrong.
func (e *HeaderError) Error() string { return "read TTHeader: " + e.What }

var (
	errShort      = &HeaderError{"it is shorter than it says"}
	errTransforms = &HeaderError{"it wants transforms of the payload, of which none are known: turn compression of the transport off"}
)

// parseHeader reads the header that a frame begins with, without its length, and gives the offset of the payload.
func parseHeader(frame []byte) (Header, int, error) {
	if len(frame) < fixedBytes-lengthBytes {
		return Header{}, 0, errShort
	}
	h := Header{Flags: binary.BigEndian.Uint16(frame[2:]), Sequence: int32(binary.BigEndian.Uint32(frame[4:]))}
	end := fixedBytes - lengthBytes + wordBytes*int(binary.BigEndian.Uint16(frame[8:]))
	if end > len(frame) || end < fixedBytes-lengthBytes+2 {
		return h, 0, errShort
	}
	info := frame[fixedBytes-lengthBytes : end]
	h.Protocol, h.facts = info[0], info[2:]
	if info[1] != 0 {
		return h, 0, errTransforms
	}
	err := h.Each(func(uint16, []byte) { h.hasFacts = true }, func([]byte, []byte) { h.hasFacts = true })
	return h, end, err
}

// Bytes is how long the facts are.
func (h *Header) Bytes() int { return len(h.facts) }

// HasFacts is whether the header tells anything.
func (h *Header) HasFacts() bool { return h.hasFacts }

// Keep makes the facts the header's own, so that they stay valid.
func (h *Header) Keep() { h.facts = append([]byte(nil), h.facts...) }

// Each tells all facts: those with a number, and those with a name. Bytes are the frame's.
func (h *Header) Each(numbered func(key uint16, value []byte), named func(name, value []byte)) error {
	for r := (facts{h.facts}); len(r.rest) > 0; {
		kind := r.rest[0]
		r.rest = r.rest[1:]
		var err error
		switch kind {
		case infoPadding:
		case infoNamed:
			err = r.pairs(func() bool {
				name, isWhole := r.text()
				value, isAlso := r.text()
				if isWhole && isAlso {
					named(name, value)
				}
				return isWhole && isAlso
			})
		case infoNumber:
			err = r.pairs(func() bool {
				key, isWhole := r.number()
				value, isAlso := r.text()
				if isWhole && isAlso {
					numbered(key, value)
				}
				return isWhole && isAlso
			})
		case infoToken:
			value, isWhole := r.text()
			if !isWhole {
				return errShort
			}
			named([]byte(token), value)
		default:
			return &HeaderError{fmt.Sprintf("facts of kind %#x are not known", kind)}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// EachNamed tells the facts with a name.
func (h *Header) EachNamed(named func(name, value []byte)) error {
	return h.Each(func(uint16, []byte) {}, named)
}

// EachNumbered tells the facts with a number.
func (h *Header) EachNumbered(numbered func(key uint16, value []byte)) error {
	return h.Each(numbered, func([]byte, []byte) {})
}

// facts are what of them has not been read.
type facts struct{ rest []byte }

func (r *facts) pairs(pair func() bool) error {
	count, isWhole := r.number()
	if !isWhole {
		return errShort
	}
	for ; count > 0; count-- {
		if !pair() {
			return errShort
		}
	}
	return nil
}

func (r *facts) number() (uint16, bool) {
	if len(r.rest) < 2 {
		return 0, false
	}
	n := binary.BigEndian.Uint16(r.rest)
	r.rest = r.rest[2:]
	return n, true
}

func (r *facts) text() ([]byte, bool) {
	n, isWhole := r.number()
	if !isWhole || int(n) > len(r.rest) {
		return nil, false
	}
	text := r.rest[:n]
	r.rest = r.rest[n:]
	return text, true
}

// Numbered is a fact with a number.
type Numbered struct {
	Key   uint16
	Value string
}

// Named is a fact with a name.
type Named struct{ Name, Value string }

// ErrLongFact is a fact, or facts in all, that a TTHeader cannot hold.
var ErrLongFact = errors.New("metadata is too long for a TTHeader: a name or value may have 65,535 bytes, and all together 262,140")

// appendHeader appends a header, whose length is not known yet: zeros stand for it.
func appendHeader(to []byte, flags uint16, sequence int32, protocol byte, numbered []Numbered, named []Named) ([]byte, error) {
	start := len(to)
	to = append(to, 0, 0, 0, 0, magic>>8, magic&0xff, byte(flags>>8), byte(flags))
	to = binary.BigEndian.AppendUint32(to, uint32(sequence))
	to = append(to, 0, 0, protocol, 0)
	var isWhole bool
	if len(named) > 0 {
		to = appendCount(to, infoNamed, len(named))
		for _, fact := range named {
			if to, isWhole = appendText(to, fact.Name); isWhole {
				to, isWhole = appendText(to, fact.Value)
			}
			if !isWhole {
				return to[:start], ErrLongFact
			}
		}
	}
	if len(numbered) > 0 {
		to = appendCount(to, infoNumber, len(numbered))
		for _, fact := range numbered {
			to = binary.BigEndian.AppendUint16(to, fact.Key)
			if to, isWhole = appendText(to, fact.Value); !isWhole {
				return to[:start], ErrLongFact
			}
		}
	}
	for (len(to)-start-fixedBytes)%wordBytes != 0 {
		to = append(to, infoPadding)
	}
	words := (len(to) - start - fixedBytes) / wordBytes
	if words > math.MaxUint16 || len(named) > math.MaxUint16 || len(numbered) > math.MaxUint16 {
		return to[:start], ErrLongFact
	}
	binary.BigEndian.PutUint16(to[start+12:], uint16(words))
	return to, nil
}

func appendCount(to []byte, kind byte, count int) []byte {
	return append(to, kind, byte(count>>8), byte(count))
}

func appendText(to []byte, text string) ([]byte, bool) {
	if len(text) > math.MaxUint16 {
		return to, false
	}
	to = binary.BigEndian.AppendUint16(to, uint16(len(text)))
	return append(to, text...), true
}
