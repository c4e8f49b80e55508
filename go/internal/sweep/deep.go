package sweep

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"hone/go/codec"
	"hone/go/thrift"
)

// Deep holds messages of the Binary protocol with millions of nested values: structs, and structs in lists, in maps and as keys of maps. They are
// fields of Recursive, and unknown fields of Nothing.
var Deep = []string{
	strings.Repeat("\x0c\x00\x05", 4<<20),
	strings.Repeat("\x0f\x00\x01\x0c\x00\x00\x00\x01", 1<<20),
	strings.Repeat("\x0d\x00\x03\x0b\x0c\x00\x00\x00\x01\x00\x00\x00\x00", 1<<20),
	strings.Repeat("\x0d\x00\x04\x0c\x0c\x00\x00\x00\x01", 1<<20),
	"\x0f\x00\x09" + strings.Repeat("\x0f\x00\x00\x00\x01", 2<<20),
}

// DeepCompact holds the same messages in the Compact protocol.
var DeepCompact = []string{
	strings.Repeat("\x5c", 12<<20),
	strings.Repeat("\x19\x1c", 6<<20),
	strings.Repeat("\x3b\x01\x8c\x00", 3<<20),
	strings.Repeat("\x4b\x01\xcc", 3<<20),
	"\x99" + strings.Repeat("\x19", 12<<20),
}

// TakesDeep reports whether the messages of [Deep] fit a struct: some other structs have other fields with these ids.
func TakesDeep(m Message) bool {
	name := reflect.TypeOf(m).Elem().Name()
	return name == "Recursive" || name == "Nothing"
}

// checkDeep reads messages with more nested values than any stack has room for.
func checkDeep(t *testing.T, maker func() Message) {
	t.Helper()
	refused := func(way string, n int, err error) {
		if !errors.Is(err, thrift.TooDeep) {
			t.Fatalf("%s: message %d: %.500v", way, n, err)
		}
	}
	for n, message := range Deep {
		refused("binary", n, thrift.Unmarshal([]byte(message), maker()))
		if fast, isFast := maker().(fastCodec); isFast {
			_, err := fast.FastRead([]byte(message))
			refused("fast", n, err)
		}
	}
	for n, message := range DeepCompact {
		refused("compact", n, codec.Compact{}.Unmarshal([]byte(message), maker()))
	}
}
