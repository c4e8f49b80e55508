package codec

import (
	"encoding/binary"
	"fmt"

	"hone/go/thrift"
)

// compactTypes are the types of the Compact protocol by those of the Binary protocol; 0 for a number that is no type.
var compactTypes = [256]byte{
	thrift.Bool: compactTrue, thrift.I8: compactI8, thrift.I16: compactI16, thrift.I32: compactI32, thrift.I64: compactI64,
	thrift.Double: compactDouble, thrift.String: compactBinary, thrift.List: compactList, thrift.Set: compactSet,
	thrift.Map: compactMap, thrift.Struct: compactStruct, thrift.UUID: compactUUID,
}

// compressor turns a struct of the Binary protocol, which this program has written, into one of the Compact protocol. It panics if
// the bytes are not a valid struct, as an index out of range does.
type compressor struct {
	in  []byte
	off int
	out []byte
}

// appendVarint writes a number, 7 bits in a byte, the lowest bits first.
func appendVarint(to []byte, value uint64) []byte { return binary.AppendUvarint(to, value) }

// appendZigzag writes a number in a form that is short near zero, for negative numbers too.
func appendZigzag(to []byte, value int64) []byte {
	return binary.AppendUvarint(to, uint64(value)<<1^uint64(value>>63))
}

func (c *compressor) byte() byte {
	c.off++
	return c.in[c.off-1]
}

// take returns the next n bytes.
func (c *compressor) take(n int) []byte {
	c.off += n
	return c.in[c.off-n : c.off]
}

func (c *compressor) uint32() uint32 { return binary.BigEndian.Uint32(c.take(4)) }

// fields turns the fields of a struct, up to the stop.
func (c *compressor) fields() {
	last := int16(0)
	for {
		of := thrift.Type(c.byte())
		if of == thrift.Stop {
			c.out = append(c.out, 0)
			return
		}
		id := int16(binary.BigEndian.Uint16(c.take(2)))
		kind := compactTypes[of]
		if of == thrift.Bool && c.byte() == 0 {
			kind = compactFalse
		}
		if delta := int(id) - int(last); delta > 0 && delta < 16 {
			c.out = append(c.out, byte(delta)<<4|kind)
		} else {
			c.out = appendZigzag(append(c.out, kind), int64(id))
		}
		last = id
		if of != thrift.Bool {
			c.value(of)
		}
	}
}

// value turns a value that has no header.
func (c *compressor) value(of thrift.Type) {
	switch of {
	case thrift.Bool:
		c.out = append(c.out, 2-bit(c.byte() != 0))
	case thrift.I8:
		c.out = append(c.out, c.byte())
	case thrift.I16:
		c.out = appendZigzag(c.out, int64(int16(binary.BigEndian.Uint16(c.take(2)))))
	case thrift.I32:
		c.out = appendZigzag(c.out, int64(int32(c.uint32())))
	case thrift.I64:
		c.out = appendZigzag(c.out, int64(binary.BigEndian.Uint64(c.take(8))))
	case thrift.Double:
		c.out = binary.LittleEndian.AppendUint64(c.out, binary.BigEndian.Uint64(c.take(8)))
	case thrift.String:
		n := int(c.uint32())
		c.out = append(appendVarint(c.out, uint64(n)), c.take(n)...)
	case thrift.UUID:
		c.out = append(c.out, c.take(16)...)
	case thrift.Struct:
		c.fields()
	case thrift.Map:
		c.mapping()
	case thrift.List, thrift.Set:
		c.list()
	default:
		panic(fmt.Sprintf("codec: byte %d of what was written has the type %d", c.off, of))
	}
}

func (c *compressor) list() {
	of := thrift.Type(c.byte())
	n := c.uint32()
	if n < 15 {
		c.out = append(c.out, byte(n)<<4|compactTypes[of])
	} else {
		c.out = appendVarint(append(c.out, 0xf0|compactTypes[of]), uint64(n))
	}
	for range n {
		c.value(of)
	}
}

func (c *compressor) mapping() {
	key, value := thrift.Type(c.byte()), thrift.Type(c.byte())
	n := c.uint32()
	c.out = appendVarint(c.out, uint64(n))
	if n == 0 {
		return
	}
	c.out = append(c.out, compactTypes[key]<<4|compactTypes[value])
	for range n {
		c.value(key)
		c.value(value)
	}
}
