package compat_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	apache "github.com/apache/thrift/lib/go/thrift"

	"hone/go/compat/ours/recursive"
	"hone/go/compat/ours/shop/api"
	"hone/go/thrift"
)

// nested returns inmost within n levels, each of which has before and after around the next one.
func nested(n int, before, inmost, after string, first ...string) []byte {
	return []byte(strings.Join(first, "") + strings.Repeat(before, n) + inmost + strings.Repeat(after, n))
}

// value and other are the required fields of a recursive.Node; other is a node within it.
const value, other = "\x08\x00\x01\x00\x00\x00\x01", "\x0c\x00\x05\x00"

// deepShapes make messages of the Binary protocol with n values nested in each other.
var deepShapes = map[string]struct {
	message func(n int) []byte
	into    func() ours
}{
	"structs": {func(n int) []byte { return nested(n-2, value+"\x0c\x00\x02", value+other+"\x00", other+"\x00") }, func() ours { return new(recursive.Node) }},
	"structs in lists": {func(n int) []byte { return nested(n-1, "\x0f\x00\x02\x0c\x00\x00\x00\x01", "\x00", "\x00") },
		func() ours { return new(recursive.Tree) }},
	"unknown structs": {func(n int) []byte { return nested(n, "\x0c\x00\x63", "\x00", "\x00") }, func() ours { return new(api.Empty) }},
	"unknown lists": {func(n int) []byte {
		return nested(n-1, "\x0f\x00\x00\x00\x01", "\x08\x00\x00\x00\x01\x00\x00\x00\x07\x00", "", "\x0f\x00\x63")
	}, func() ours { return new(api.Empty) }},
	"unknown sets": {func(n int) []byte {
		return nested(n-1, "\x0e\x00\x00\x00\x01", "\x0a\x00\x00\x00\x00\x00", "", "\x0e\x00\x63")
	},
		func() ours { return new(api.Empty) }},
	"unknown maps": {func(n int) []byte {
		return nested(n-1, "\x03\x0d\x00\x00\x00\x01\x05", "\x03\x03\x00\x00\x00\x01\x01\x02\x00", "", "\x0d\x00\x63")
	}, func() ours { return new(api.Empty) }},
	"unknown numbers in structs": {func(n int) []byte {
		return nested(n-1, "\x0f\x00\x02\x0c\x00\x00\x00\x01", "\x08\x00\x63\x00\x00\x00\x07\x00", "\x00")
	}, func() ours { return new(recursive.Tree) }},
	"unknown lists in structs": {func(n int) []byte {
		lists := nested(n-n/2-2, "\x0f\x00\x00\x00\x01", "\x03\x00\x00\x00\x01\x07\x00", "", "\x0f\x00\x63")
		return nested(n/2, "\x0f\x00\x02\x0c\x00\x00\x00\x01", string(lists), "\x00")
	}, func() ours { return new(recursive.Tree) }},
}

// Readers by Apache's protocols read and skip values up to the depth of thrift.DefaultLimits. Deeper values cause Apache's exception of type
// DEPTH_LIMIT, one level too deep as well as a million.
func TestReadersByApachesProtocolsHaveALimitOfDepth(t *testing.T) {
	limit := thrift.DefaultLimits.Depth
	for name, shape := range deepShapes {
		for way, protocol := range protocols {
			if way == "simple json" {
				continue // no reader for this protocol
			}
			for _, n := range []int{limit - 1, limit, limit + 1, limit + 2} {
				in := protocol(inProtocol(t, protocol, shape.message(n)))
				checkDepth(t, name+" by "+way, n, shape.into().Read(background, in))
			}
		}
		checkDepth(t, name, limit+1000000, shape.into().Read(background, apacheBinary(buffer(shape.message(limit+1000000)))))
	}
}

func checkDepth(t *testing.T, name string, n int, err error) {
	t.Helper()
	var exception apache.TProtocolException
	isRefused := errors.As(err, &exception) && exception.TypeId() == apache.DEPTH_LIMIT && errors.Is(err, thrift.TooDeep)
	if isDeep := n > thrift.DefaultLimits.Depth; isDeep != isRefused || !isDeep && err != nil {
		t.Errorf("%s: %d values in each other: %.300v", name, n, err)
	}
}

// inProtocol writes a message of the Binary protocol by another one, without the types of the message.
func inProtocol(t *testing.T, protocol func(apache.TTransport) apache.TProtocol, message []byte) *apache.TMemoryBuffer {
	t.Helper()
	into := buffer(nil)
	in, out := apacheBinary(buffer(bytes.Clone(message))), protocol(into)
	if err := copyValue(in, out, apache.STRUCT); err != nil {
		t.Fatal(err)
	}
	if err := out.Flush(background); err != nil {
		t.Fatal(err)
	}
	return into
}

// copyValue hands a value on from one protocol to another.
func copyValue(in, out apache.TProtocol, kind apache.TType) (err error) {
	var errs []error
	add := func(err error) { errs = append(errs, err) }
	switch kind {
	case apache.BYTE:
		value, err := in.ReadByte(background)
		return errors.Join(err, out.WriteByte(background, value))
	case apache.I32:
		value, err := in.ReadI32(background)
		return errors.Join(err, out.WriteI32(background, value))
	case apache.STRUCT:
		_, err := in.ReadStructBegin(background)
		add(errors.Join(err, out.WriteStructBegin(background, "")))
		for {
			_, of, id, err := in.ReadFieldBegin(background)
			if err != nil || of == apache.STOP {
				add(errors.Join(err, out.WriteFieldStop(background), out.WriteStructEnd(background)))
				return errors.Join(errs...)
			}
			add(errors.Join(out.WriteFieldBegin(background, "", of, id), copyValue(in, out, of), out.WriteFieldEnd(background)))
		}
	case apache.LIST, apache.SET:
		of, n, err := in.ReadListBegin(background)
		begin, end := out.WriteListBegin, out.WriteListEnd
		if kind == apache.SET {
			begin, end = out.WriteSetBegin, out.WriteSetEnd
		}
		add(errors.Join(err, begin(background, of, n)))
		for range n {
			add(copyValue(in, out, of))
		}
		add(end(background))
	case apache.MAP:
		key, value, n, err := in.ReadMapBegin(background)
		add(errors.Join(err, out.WriteMapBegin(background, key, value, n)))
		for range n {
			add(errors.Join(copyValue(in, out, key), copyValue(in, out, value)))
		}
		add(out.WriteMapEnd(background))
	}
	return errors.Join(errs...)
}
