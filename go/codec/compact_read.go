package codec

import (
	"encoding/binary"

	"hone/go/thrift"
)

// These are the types of the Compact protocol. The type of a field that is a bool is also its value.
const (
	compactTrue   = 1
	compactFalse  = 2
	compactI8     = 3
	compactI16    = 4
	compactI32    = 5
	compactI64    = 6
	compactDouble = 7
	compactBinary = 8
	compactList   = 9
	compactSet    = 10
	compactMap    = 11
	compactStruct = 12
	compactUUID   = 13
)

// binaryTypes are the types of the Binary protocol by those of the Compact protocol; 0 for a number that is no type.
var binaryTypes = [16]thrift.Type{
	compactTrue: thrift.Bool, compactFalse: thrift.Bool, compactI8: thrift.I8, compactI16: thrift.I16, compactI32: thrift.I32,
	compactI64: thrift.I64, compactDouble: thrift.Double, compactBinary: thrift.String, compactList: thrift.List,
	compactSet: thrift.Set, compactMap: thrift.Map, compactStruct: thrift.Struct, compactUUID: thrift.UUID,
}

// leastCompact is the fewest bytes that an element of a type takes.
var leastCompact = [16]int{
	compactTrue: 1, compactFalse: 1, compactI8: 1, compactI16: 1, compactI32: 1, compactI64: 1, compactDouble: 8,
	compactBinary: 1, compactList: 1, compactSet: 1, compactMap: 1, compactStruct: 1, compactUUID: 16,
}

// expander turns a struct of the Compact protocol into one of the Binary protocol. After a fault it has nothing more to read: its
// methods return zeros, and loops end.
type expander struct {
	in  []byte
	off int
	// out is the room for the bytes of the Binary protocol; at is the number of bytes written so far.
	out []byte
	at  int
	// measures says that the bytes are only counted, not written.
	measures bool
	// target is an offset in the written bytes. found becomes the offset in the Compact message of the value that is written there.
	// start is the offset of the value that is being read.
	target, found, start int
	fault                thrift.Fault
	// path has the steps from the fault outwards.
	path []thrift.Step
}

// fail remembers a fault, unless there was an earlier one.
//
//go:noinline
func (c *expander) fail(cause thrift.Cause, off int) {
	if c.fault == 0 {
		c.fault = thrift.NewFault(cause, off)
	}
	c.in, c.off = nil, 0
}

func (c *expander) byte() byte {
	if c.off >= len(c.in) {
		c.fail(thrift.Truncated, c.off)
		return 0
	}
	c.off++
	return c.in[c.off-1]
}

// take returns the next n bytes.
func (c *expander) take(n int) []byte {
	if n > len(c.in)-c.off {
		c.fail(thrift.Truncated, c.off)
		return nil
	}
	c.off += n
	return c.in[c.off-n : c.off]
}

// varint32 reads a number of at most 5 bytes.
func (c *expander) varint32() uint32 {
	if c.off < len(c.in) && c.in[c.off] < 0x80 {
		c.off++
		return uint32(c.in[c.off-1])
	}
	return uint32(c.varint(5))
}

// varint reads a number, 7 bits in a byte, the lowest bits first.
func (c *expander) varint(most int) uint64 {
	var value uint64
	start := c.off
	for i, b := range c.in[start:min(start+most, len(c.in))] {
		value |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			c.off += i + 1
			return value
		}
	}
	if len(c.in)-start < most {
		c.fail(thrift.Truncated, len(c.in))
	} else {
		c.fail(thrift.Overlong, start)
	}
	return 0
}

func (c *expander) zigzag32() int32 {
	value := c.varint32()
	return int32(value>>1) ^ -int32(value&1)
}

func (c *expander) zigzag64() int64 {
	value := c.varint(10)
	return int64(value>>1) ^ -int64(value&1)
}

// length reads the length of bytes, or the number of elements.
func (c *expander) length() int {
	start := c.off
	n := int32(c.varint32())
	if n < 0 {
		c.fail(thrift.Negative, start)
		return 0
	}
	return int(n)
}

// count checks a number of elements, each of at least so many bytes, and returns it.
func (c *expander) count(n, least, start int) int {
	if c.fault == 0 && n > 0 && least == 0 {
		c.fail(thrift.UnknownType, start)
	}
	if c.fault == 0 && n > 0 && n > (len(c.in)-c.off)/least {
		c.fail(thrift.Truncated, start)
	}
	if c.fault != 0 {
		return 0
	}
	return n
}

// fields turns the fields of a struct, up to the stop.
func (c *expander) fields(depth int) {
	if depth == 0 {
		c.fail(thrift.TooDeep, c.off)
	}
	id := int16(0)
	for c.fault == 0 {
		c.start = c.off
		head := c.byte()
		kind := head & 0x0f
		if kind == 0 {
			c.put8(0)
			return
		}
		if delta := head >> 4; delta > 0 {
			id += int16(delta)
		} else {
			id = int16(c.zigzag32())
		}
		if c.fault != 0 {
			// The id of the field is not known.
			return
		}
		if c.field(kind, id, depth); c.fault != 0 {
			c.path = append(c.path, thrift.Step{Index: -1, Field: id})
		}
	}
}

func (c *expander) field(kind byte, id int16, depth int) {
	of := binaryTypes[kind]
	if of == 0 {
		c.fail(thrift.UnknownType, c.start)
		return
	}
	c.putHead(of, id)
	if of == thrift.Bool {
		c.put8(bit(kind == compactTrue))
		return
	}
	c.value(kind, depth)
}

func bit(value bool) byte {
	if value {
		return 1
	}
	return 0
}

// value turns a value that has no header.
func (c *expander) value(kind byte, depth int) {
	c.start = c.off
	switch kind {
	case compactTrue, compactFalse:
		c.put8(bit(c.byte() == compactTrue))
	case compactI8:
		c.put8(c.byte())
	case compactI16:
		c.put16(uint16(c.zigzag32()))
	case compactI32:
		c.put32(uint32(c.zigzag32()))
	case compactI64:
		c.put64(uint64(c.zigzag64()))
	case compactDouble:
		if b := c.take(8); b != nil {
			c.put64(binary.LittleEndian.Uint64(b))
		}
	case compactBinary:
		text := c.take(c.length())
		c.put32(uint32(len(text)))
		c.putBytes(text)
	case compactUUID:
		c.putBytes(c.take(16))
	case compactStruct:
		c.fields(depth - 1)
	case compactMap:
		c.mapping(depth - 1)
	default:
		c.list(depth - 1)
	}
}

func (c *expander) list(depth int) {
	start := c.off
	head := c.byte()
	kind, n := head&0x0f, int(head>>4)
	if n == 15 {
		n = c.length()
	}
	n = c.count(n, leastCompact[kind], start)
	c.put8(byte(binaryTypes[kind]))
	c.put32(uint32(n))
	c.elements(n, depth, kind)
}

// mapping turns a map. An empty map does not name its types.
func (c *expander) mapping(depth int) {
	start := c.off
	n := c.length()
	var key, value byte
	if n > 0 {
		kinds := c.byte()
		key, value = kinds>>4, kinds&0x0f
	}
	least := leastCompact[key] + leastCompact[value]
	if leastCompact[key] == 0 || leastCompact[value] == 0 {
		least = 0
	}
	n = c.count(n, least, start)
	c.put8(byte(binaryTypes[key]))
	c.put8(byte(binaryTypes[value]))
	c.put32(uint32(n))
	c.elements(n, depth, key, value)
}

// elements turns n turns of values of these types, one after the other.
func (c *expander) elements(n, depth int, kinds ...byte) {
	if depth == 0 {
		c.fail(thrift.TooDeep, c.off)
	}
	for i := 0; i < n && c.fault == 0; i++ {
		for j, kind := range kinds {
			if c.value(kind, depth); c.fault != 0 {
				c.path = append(c.path, thrift.Step{Index: i, IsKey: j < len(kinds)-1})
				break
			}
		}
	}
}

// hasRoom makes room for n more bytes, and reports whether they are to be written.
func (c *expander) hasRoom(n int) bool { return c.at+n <= len(c.out) || c.makeRoom(n) }

// makeRoom makes room for the whole rest of the message. In the Binary protocol no value takes more than eight times as much.
//
//go:noinline
func (c *expander) makeRoom(n int) bool {
	if c.measures {
		if c.found < 0 && c.at+n > c.target {
			c.found = c.start
		}
		c.at += n
		return false
	}
	out := make([]byte, c.at+n+mostExpansion*(len(c.in)-c.off)+headBytes)
	copy(out, c.out[:c.at])
	c.out = out
	return true
}

// mostExpansion says how many times as long a list of i64 becomes if each number takes one byte in the Compact protocol. headBytes
// is more than the number of bytes that can have been read of a value before any of the value is written.
const (
	mostExpansion = 8
	headBytes     = 64
)

func (c *expander) put8(value byte) {
	if c.hasRoom(1) {
		c.out[c.at] = value
		c.at++
	}
}

func (c *expander) put16(value uint16) {
	if c.hasRoom(2) {
		binary.BigEndian.PutUint16(c.out[c.at:], value)
		c.at += 2
	}
}

func (c *expander) put32(value uint32) {
	if c.hasRoom(4) {
		binary.BigEndian.PutUint32(c.out[c.at:], value)
		c.at += 4
	}
}

func (c *expander) put64(value uint64) {
	if c.hasRoom(8) {
		binary.BigEndian.PutUint64(c.out[c.at:], value)
		c.at += 8
	}
}

func (c *expander) putBytes(value []byte) {
	if c.hasRoom(len(value)) {
		c.at += copy(c.out[c.at:], value)
	}
}

// putHead writes the header of a field.
func (c *expander) putHead(of thrift.Type, id int16) {
	if c.hasRoom(3) {
		b := c.out[c.at : c.at+3]
		b[0], b[1], b[2] = byte(of), byte(id>>8), byte(id)
		c.at += 3
	}
}
