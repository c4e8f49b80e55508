package sweep

import (
	"bytes"
	"fmt"
	"math/rand"
	"reflect"
	"testing"

	"hone/go/codec"
	"hone/go/internal/sample"
	"hone/go/thrift"
)

// Message is a generated struct.
type Message = sample.Message

// rounds is the number of random values that each struct is checked with.
const rounds = 6

// Check writes and reads random values of each struct in every way that its code supports. more, which may be nil, makes checks that need other
// modules.
func Check(t *testing.T, more func(t *testing.T, filled Message, maker func() Message), makers ...func() Message) {
	// Empty structs, and structs in containers with Values, take more memory than the default limit allows for each byte of a message.
	thrift.DefaultLimits.Expansion = 1000
	random := rand.New(rand.NewSource(1))
	for _, maker := range makers {
		t.Run(fmt.Sprintf("%T", maker()), func(t *testing.T) {
			if TakesDeep(maker()) {
				checkDeep(t, maker)
			}
			for range rounds {
				filled := maker()
				sample.FillWhole(random, reflect.ValueOf(filled).Elem())
				check(t, filled, maker)
				if more != nil {
					more(t, filled, maker)
				}
			}
		})
	}
}

func check(t *testing.T, filled Message, maker func() Message) {
	t.Helper()
	written := thrift.Marshal(filled)
	// Nil and empty values are the same on the wire, so that the values are compared as they are read.
	want := maker()
	if err := thrift.Unmarshal(written, want); err != nil {
		t.Fatalf("%v: %.1000v", err, filled)
	}
	same(t, "binary", written, want, func(into Message) error { return thrift.Unmarshal(thrift.Marshal(want), into) }, maker)
	compact, err := codec.Compact{}.Marshal(filled)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "compact", written, want, func(into Message) error { return codec.Compact{}.Unmarshal(compact, into) }, maker)
	if fast, isFast := filled.(fastCodec); isFast {
		b := make([]byte, fast.BLength())
		if n := fast.FastWrite(b); n != len(b) || n != len(written) {
			t.Fatalf("%d and %d bytes instead of %d", len(b), n, len(written))
		}
		same(t, "fast", written, want, func(into Message) error { _, err := into.(fastCodec).FastRead(b); return err }, maker)
	}
	checkCopies(t, want)
	checkUnknown(t, written, maker)
}

// same reads a value again, which must equal the first and take as many bytes.
func same(t *testing.T, way string, written []byte, want Message, read func(into Message) error, maker func() Message) {
	t.Helper()
	got := maker()
	if err := read(got); err != nil {
		t.Fatalf("%s: %v: %.1000v", way, err, want)
	}
	if !thrift.DeepEqual(want, got) {
		t.Fatalf("%s: %.1000v became %.1000v", way, want, got)
	}
	if again := thrift.Marshal(got); len(again) != len(written) {
		t.Fatalf("%s: %d bytes became %d: %.1000v", way, len(written), len(again), got)
	}
}

// fastCodec is the interface that Kitex calls.
type fastCodec interface {
	BLength() int
	FastRead([]byte) (int, error)
	FastWrite([]byte) int
}

// checkCopies checks DeepEqual and DeepCopy if they are generated.
func checkCopies(t *testing.T, m Message) {
	t.Helper()
	copied := m
	if method := reflect.ValueOf(m).MethodByName("DeepCopy"); method.IsValid() {
		copied = method.Call(nil)[0].Interface().(Message)
	}
	equal := thrift.DeepEqual(m, copied)
	if method := reflect.ValueOf(m).MethodByName("DeepEqual"); method.IsValid() {
		equal = equal && method.Call([]reflect.Value{reflect.ValueOf(copied)})[0].Bool()
	}
	if !equal {
		t.Fatalf("%v is not equal to %v, its copy", m, copied)
	}
}

// checkUnknown reads a message with an unknown field in front of it, which the struct must keep or skip.
func checkUnknown(t *testing.T, written []byte, maker func() Message) {
	t.Helper()
	unknown := []byte{byte(thrift.Map), 0x7f, 0xff, byte(thrift.Struct), byte(thrift.List), 0, 0, 0, 1, 0, byte(thrift.I8), 0, 0, 0, 1, 9}
	into := maker()
	if err := thrift.Unmarshal(append(unknown, written...), into); err != nil {
		t.Fatal(err)
	}
	again := thrift.Marshal(into)
	if _, keeps := into.(thrift.UnknownKeeper); keeps && !bytes.Contains(again, unknown) {
		t.Fatal("an unknown field was not kept")
	} else if !keeps && len(again) != len(written) {
		t.Fatalf("%d bytes became %d", len(written), len(again))
	}
}
