package thriftwire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// These are the flags of a TTHeader.
const (
	// OutOfOrder says that answers may come in another order than calls.
	OutOfOrder = 0x01
	// Streaming marks frames of streams.
	Streaming = 0x02
	// KnowsLeaving is this package's own flag: a client that sets it understands a frame without a call that says [Leaving]. Clients
	// of Kitex that share connections panic when they read such a frame, from 0.15 on
	// (https://github.com/cloudwego/kitex/issues/1897).
	KnowsLeaving = 0x4000
)

// These are the keys of numbered facts in a TTHeader that this package's users know.
const (
	FromService uint16 = 3
	ToService   uint16 = 6
	ToMethod    uint16 = 9
	RPCTimeout  uint16 = 12
	MessageKind uint16 = 22
)

// These are the names of facts in a TTHeader that this package's users know.
const (
	// ServiceName has the name of the service in the IDL.
	ServiceName = "isn"
	// Leaving says that the other side will close the connection soon.
	Leaving = "crrst"
	// Transient and Persistent come before the names of metadata: Transient for one hop, Persistent for all hops that follow.
	Transient  = "RPC_TRANSIT_"
	Persistent = "RPC_PERSIST_"
	// StatusCode, StatusMessage and StatusExtra have an error of the service's own.
	StatusCode    = "biz-status"
	StatusMessage = "biz-message"
	StatusExtra   = "biz-extra"
)

// These are the kinds of facts in a TTHeader.
const (
	infoPadding = 0x00
	infoNamed   = 0x01
	infoNumber  = 0x10
	infoToken   = 0x11
)

// These are the parts of a TTHeader: a length of 4 bytes, which counts the bytes behind it, a magic of 2, flags of 2, a sequence
// number of 4 and a number of words of 2; these words hold the protocol, transforms and facts.
const (
	lengthBytes = 4
	fixedBytes  = 14
	magic       = 0x1000
	wordBytes   = 4
)

// token is the name that is given for a token: the token of an access control list, which has a kind of fact of its own.
const token = Transient + "gdpr-token"

// Header is a TTHeader. Its facts are part of the frame, and valid as long as the frame's bytes.
type Header struct {
	Flags    uint16
	Sequence int32
	Protocol byte
	facts    []byte
	// hasFacts says that there is more than padding.
	hasFacts bool
}

// HeaderError is the error of a TTHeader that cannot be read.
type HeaderError struct{ What string }

// Error says what is wrong.
func (e *HeaderError) Error() string { return "read TTHeader: " + e.What }

var (
	errShort      = &HeaderError{"it is shorter than it says"}
	errTransforms = &HeaderError{"it wants transforms of the payload, of which none are known: turn compression of the transport off"}
)

// parseHeader reads the header that a frame begins with, without its length, and returns the offset of the payload.
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

// Bytes returns the length of the facts.
func (h *Header) Bytes() int { return len(h.facts) }

// HasFacts reports whether the header has any facts.
func (h *Header) HasFacts() bool { return h.hasFacts }

// Keep copies the facts, so that they stay valid.
func (h *Header) Keep() { h.facts = append([]byte(nil), h.facts...) }

// Each calls a function with each fact: numbered for those with a number, named for those with a name. The bytes are part of the
// frame.
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

// EachNamed calls a function with each fact that has a name.
func (h *Header) EachNamed(named func(name, value []byte)) error {
	return h.Each(func(uint16, []byte) {}, named)
}

// EachNumbered calls a function with each fact that has a number.
func (h *Header) EachNumbered(numbered func(key uint16, value []byte)) error {
	return h.Each(numbered, func([]byte, []byte) {})
}

// facts are the facts that have not been read yet.
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

// ErrLongFact is the error of a fact, or of facts in all, that a TTHeader cannot hold.
var ErrLongFact = errors.New("metadata is too long for a TTHeader: a name or value may have 65,535 bytes, and all together 262,140")

// appendHeader appends a header. Its length is not known yet, so zeros are written for it.
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
