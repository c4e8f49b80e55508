package compat

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/rand"
	"testing"

	apache "github.com/apache/thrift/lib/go/thrift"

	"hone/go/codec"
	"hone/go/thrift"
)

// body is a struct that was written before.
type body []byte

func (b body) WriteThrift(into []byte, off int) int { return thrift.PutUnknown(into, off, b) }

// kept is a struct without fields, which keeps all fields that it reads.
type kept struct{ fields []byte }

func (k *kept) ReadThrift(d *thrift.Decoder, off int) int {
	key := d.Key(off)
	if key>>16 != 0 {
		return d.Rest(k, off, key, 0, 0)
	}
	return off + 1
}

func (k *kept) KeepUnknown(field []byte) { k.fields = append(k.fields, field...) }

var types = []thrift.Type{
	thrift.Bool, thrift.I8, thrift.Double, thrift.I16, thrift.I32, thrift.I64, thrift.String, thrift.UUID,
	thrift.Struct, thrift.Map, thrift.Set, thrift.List,
}

// maker writes random values in the Binary protocol.
type maker struct{ *rand.Rand }

// kind returns a random type whose values may be nested up to depth deep.
func (m maker) kind(depth int) thrift.Type {
	if depth <= 0 {
		return types[m.Intn(8)]
	}
	return types[m.Intn(len(types))]
}

func (m maker) fields(b []byte, depth int) []byte {
	for range m.Intn(8) {
		kind, id := m.kind(depth), uint16(m.Uint32())
		if m.Intn(2) == 0 {
			id %= 20
		}
		b = binary.BigEndian.AppendUint16(append(b, byte(kind)), id)
		b = m.value(b, kind, depth-1)
	}
	return append(b, 0)
}

func (m maker) random(b []byte, n int) []byte {
	random := make([]byte, n)
	if m.Intn(2) == 0 {
		// Small numbers, and large negative ones.
		m.Read(random[n-1:])
	} else {
		m.Read(random)
	}
	return append(b, random...)
}

func (m maker) value(b []byte, kind thrift.Type, depth int) []byte {
	switch kind {
	case thrift.Bool:
		return append(b, byte(m.Intn(2)))
	case thrift.I8:
		return m.random(b, 1)
	case thrift.I16:
		return m.random(b, 2)
	case thrift.I32:
		return m.random(b, 4)
	case thrift.I64, thrift.Double:
		return m.random(b, 8)
	case thrift.UUID:
		return m.random(b, 16)
	case thrift.String:
		n := m.Intn(300)
		return append(binary.BigEndian.AppendUint32(b, uint32(n)), bytes.Repeat([]byte("x"), n)...)
	case thrift.Struct:
		return m.fields(b, depth)
	case thrift.Map:
		return m.mapping(b, depth)
	}
	element, n := m.kind(depth), m.Intn(20)
	b = binary.BigEndian.AppendUint32(append(b, byte(element)), uint32(n))
	for range n {
		b = m.value(b, element, depth-1)
	}
	return b
}

// mapping writes a map. An empty one has no types, since it has none in the Compact protocol.
func (m maker) mapping(b []byte, depth int) []byte {
	key, value, n := m.kind(depth), m.kind(depth), m.Intn(4)
	if n == 0 {
		key, value = 0, 0
	}
	b = binary.BigEndian.AppendUint32(append(b, byte(key), byte(value)), uint32(n))
	for range n {
		b = m.value(b, key, depth-1)
		b = m.value(b, value, depth-1)
	}
	return b
}

// copier lets Apache Thrift read by one protocol and write by another. It stops the test at an error of Apache Thrift.
type copier struct {
	*testing.T
	from, to apache.TProtocol
}

var ctx = context.Background()

func (c copier) check(err error) {
	c.Helper()
	if err != nil {
		c.Fatal(err)
	}
}

func (c copier) fields() {
	_, err := c.from.ReadStructBegin(ctx)
	c.check(err)
	c.check(c.to.WriteStructBegin(ctx, ""))
	for {
		_, kind, id, err := c.from.ReadFieldBegin(ctx)
		c.check(err)
		if kind == apache.STOP {
			break
		}
		c.check(c.to.WriteFieldBegin(ctx, "", kind, id))
		c.value(kind)
		c.check(c.from.ReadFieldEnd(ctx))
		c.check(c.to.WriteFieldEnd(ctx))
	}
	c.check(c.to.WriteFieldStop(ctx))
	c.check(c.from.ReadStructEnd(ctx))
	c.check(c.to.WriteStructEnd(ctx))
}

// scalar copies a value by a function that reads it and one that writes it.
func scalar[T any](c copier, read func(context.Context) (T, error), write func(context.Context, T) error) {
	value, err := read(ctx)
	c.check(err)
	c.check(write(ctx, value))
}

func (c copier) value(kind apache.TType) {
	switch kind {
	case apache.BOOL:
		scalar(c, c.from.ReadBool, c.to.WriteBool)
	case apache.BYTE:
		scalar(c, c.from.ReadByte, c.to.WriteByte)
	case apache.I16:
		scalar(c, c.from.ReadI16, c.to.WriteI16)
	case apache.I32:
		scalar(c, c.from.ReadI32, c.to.WriteI32)
	case apache.I64:
		scalar(c, c.from.ReadI64, c.to.WriteI64)
	case apache.DOUBLE:
		scalar(c, c.from.ReadDouble, c.to.WriteDouble)
	case apache.STRING:
		scalar(c, c.from.ReadBinary, c.to.WriteBinary)
	case apache.UUID:
		scalar(c, c.from.ReadUUID, c.to.WriteUUID)
	case apache.STRUCT:
		c.fields()
	case apache.MAP:
		c.mapping()
	case apache.LIST:
		element, n, err := c.from.ReadListBegin(ctx)
		c.check(err)
		c.check(c.to.WriteListBegin(ctx, element, n))
		c.values(n, element)
	case apache.SET:
		element, n, err := c.from.ReadSetBegin(ctx)
		c.check(err)
		c.check(c.to.WriteSetBegin(ctx, element, n))
		c.values(n, element)
	default:
		c.Fatalf("a value of type %v", kind)
	}
}

func (c copier) mapping() {
	key, value, n, err := c.from.ReadMapBegin(ctx)
	c.check(err)
	c.check(c.to.WriteMapBegin(ctx, key, value, n))
	c.values(n, key, value)
}

func (c copier) values(n int, kinds ...apache.TType) {
	for range n {
		for _, kind := range kinds {
			c.value(kind)
		}
	}
}

// compact and binaryOf use Apache Thrift to convert a message of one protocol to the other.
func compact(t *testing.T, message []byte) []byte {
	out := apache.NewTMemoryBuffer()
	copier{t, apache.NewTBinaryProtocolConf(holding(message), nil), apache.NewTCompactProtocolConf(out, nil)}.fields()
	return out.Bytes()
}

func binaryOf(t *testing.T, message []byte) []byte {
	out := apache.NewTMemoryBuffer()
	copier{t, apache.NewTCompactProtocolConf(holding(message), nil), apache.NewTBinaryProtocolConf(out, nil)}.fields()
	return out.Bytes()
}

func holding(message []byte) apache.TTransport {
	buffer := apache.NewTMemoryBuffer()
	buffer.Write(message)
	return buffer
}

func TestCompactIsThatOfApacheThriftInBothDirections(t *testing.T) {
	m := maker{rand.New(rand.NewSource(1))}
	for range 2000 {
		message := m.fields(nil, 4)
		ours, err := codec.Compact{}.Marshal(body(message))
		if err != nil {
			t.Fatal(err)
		}
		if theirs := compact(t, message); !bytes.Equal(ours, theirs) {
			t.Fatalf("%.500x:\n%.500x\n%.500x", message, ours, theirs)
		}
		if back := binaryOf(t, ours); !bytes.Equal(back, message) {
			t.Fatalf("%.500x became %.500x", message, back)
		}
		var read kept
		if err := (codec.Compact{}).Unmarshal(ours, &read); err != nil || !bytes.Equal(append(read.fields, 0), message) {
			t.Fatalf("%.500x was read as %.500x: %v", message, read.fields, err)
		}
	}
}

func TestHeadersOfCompactAreThoseOfApacheThrift(t *testing.T) {
	for _, header := range []thrift.Header{
		{Method: "get", Type: thrift.Call, Sequence: 1}, {Type: thrift.Oneway, Sequence: -1},
		{Method: string(bytes.Repeat([]byte("long"), 100)), Type: thrift.Exception, Sequence: 1 << 30},
	} {
		ours := codec.Compact{}.AppendMessage(nil, header, body("\x00"))
		out := apache.NewTMemoryBuffer()
		protocol := apache.NewTCompactProtocolConf(out, nil)
		copier := copier{T: t}
		copier.check(protocol.WriteMessageBegin(ctx, header.Method, apache.TMessageType(header.Type), header.Sequence))
		copier.check(protocol.WriteStructBegin(ctx, ""))
		copier.check(protocol.WriteFieldStop(ctx))
		copier.check(protocol.WriteStructEnd(ctx))
		copier.check(protocol.WriteMessageEnd(ctx))
		if !bytes.Equal(ours, out.Bytes()) {
			t.Fatalf("%x\n%x", ours, out.Bytes())
		}
		read, _, err := codec.Compact{}.ReadHeader(out.Bytes())
		if err != nil || read != header {
			t.Fatal(read, err)
		}
		if n, err := (codec.Compact{}).Length(append(out.Bytes(), 1)); err != nil || n != len(ours) {
			t.Fatal(n, err)
		}
	}
}
