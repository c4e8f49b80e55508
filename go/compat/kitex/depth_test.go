package kitex

import (
	"bytes"
	"strings"
	"testing"

	apache "github.com/apache/thrift/lib/go/thrift"

	"hone/go/compat/kitex/ours/recursive"
	"hone/go/compat/kitex/ours/shop/api"
	"hone/go/thrift"
)

// Readers by the protocols of Apache's module 0.13 read and skip values up to the depth of thrift.DefaultLimits. The module's own code for skipping
// has no limit for nested maps.
func TestReadersByApachesProtocolsHaveALimitOfDepth(t *testing.T) {
	limit := thrift.DefaultLimits.Depth
	type reader interface {
		Read(in apache.TProtocol) error
	}
	for name, shape := range map[string]struct {
		first, before, inmost, after string
		into                         func() reader
	}{
		"structs":       {"", "\x0f\x00\x02\x0c\x00\x00\x00\x01", "\x00", "\x00", func() reader { return new(recursive.Tree) }},
		"unknown lists": {"\x0f\x00\x63", "\x0f\x00\x00\x00\x01", "\x08\x00\x00\x00\x01\x00\x00\x00\x07\x00", "", func() reader { return new(api.Empty) }},
		"unknown maps":  {"\x0d\x00\x63", "\x03\x0d\x00\x00\x00\x01\x05", "\x03\x03\x00\x00\x00\x01\x01\x02\x00", "", func() reader { return new(api.Empty) }},
	} {
		for _, n := range []int{limit, limit + 1, limit + 1000000} {
			message := shape.first + strings.Repeat(shape.before, n-1) + shape.inmost + strings.Repeat(shape.after, n-1)
			err := shape.into().Read(apache.NewTBinaryProtocolTransport(&apache.TMemoryBuffer{Buffer: bytes.NewBufferString(message)}))
			exception, isException := err.(apache.TProtocolException)
			isRefused := isException && exception.TypeId() == apache.DEPTH_LIMIT
			if isDeep := n > limit; isDeep != isRefused || !isDeep && err != nil {
				t.Errorf("%s: %d values in each other: %.300v", name, n, err)
			}
		}
	}
}
