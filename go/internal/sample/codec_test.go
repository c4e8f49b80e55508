package sample_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"hone/go/internal/sample"
	"hone/go/internal/sample/recursive"
	"hone/go/internal/sample/shop/api"
	"hone/go/internal/sample/shop/base"
	"hone/go/thrift"
)

// eachRandom calls do with random structs of all kinds, and an empty struct of the same type.
func eachRandom(count int, do func(filled, empty sample.Message)) {
	sample.EachRandom(count, 4, func(filled sample.Message) { do(filled, sample.EmptyLike(filled)) })
}

func TestWhatIsWrittenIsReadAgain(t *testing.T) {
	eachRandom(200, func(filled, empty sample.Message) {
		written := thrift.Marshal(filled)
		if len(written) != thrift.Size(filled) {
			t.Fatalf("%v: %d bytes, not %d", filled, len(written), thrift.Size(filled))
		}
		for _, texts := range []thrift.Texts{thrift.Together, thrift.Apart, thrift.Borrowed} {
			read := sample.EmptyLike(empty)
			if err := thrift.UnmarshalWith(thrift.Options{Texts: texts}, written, read); err != nil {
				t.Fatalf("%T: %v", filled, err)
			}
			// Unset fields are written as empty, so that the second reading must give the same.
			again := sample.EmptyLike(empty)
			rewritten := thrift.Marshal(read)
			if err := thrift.Unmarshal(rewritten, again); err != nil {
				t.Fatal(err)
			}
			if len(rewritten) != len(written) || !thrift.DeepEqual(read, again) {
				t.Fatalf("%.500v became %.500v", read, again)
			}
			sameFields(t, reflect.ValueOf(filled), reflect.ValueOf(read))
		}
	})
}

// A struct is written the same into any room, and nothing is touched behind it.
func TestStructsAreWrittenIntoAnyRoom(t *testing.T) {
	guard := []byte{0xa5}
	eachRandom(3, func(filled, _ sample.Message) {
		// A map is written in another order each time, so messages are compared by their decoded values.
		size := thrift.Size(filled)
		for room := 0; room <= size+9; room += 1 + room/32 {
			buffer := bytes.Repeat(guard, size+20)
			if end := filled.WriteThrift(buffer[:room:room], 0); end != size {
				t.Fatalf("%T: %d bytes where there is room for %d, not %d", filled, end, room, size)
			}
			if behind := buffer[min(room, size):]; bytes.Count(behind, guard) != len(behind) {
				t.Fatalf("%T: wrote behind %d bytes of %d", filled, room, size)
			}
			given := append(make([]byte, 0, 3+room), "abc"...)
			message, isPrefixed := bytes.CutPrefix(thrift.Append(given, filled), []byte("abc"))
			read := sample.EmptyLike(filled)
			if err := thrift.Unmarshal(message, read); err != nil || !isPrefixed || len(message) != size {
				t.Fatalf("%T behind 3 bytes with room for %d: %v", filled, room, err)
			}
		}
	})
}

// sameFields compares a filled struct with the one read from its message; a nil struct is read as an empty one.
func sameFields(t *testing.T, filled, read reflect.Value) {
	t.Helper()
	for i := range filled.Elem().NumField() {
		a, b := filled.Elem().Field(i), read.Elem().Field(i)
		if !a.CanInterface() || a.Kind() == reflect.Pointer && a.IsNil() {
			continue
		}
		if a.Kind() == reflect.Pointer && a.Elem().Kind() == reflect.Struct {
			sameFields(t, a, b)
			continue
		}
		if isPlain(a.Type()) && !thrift.DeepEqual(a.Interface(), b.Interface()) {
			t.Fatalf("%s: %v became %v", filled.Elem().Type().Field(i).Name, a.Interface(), b.Interface())
		}
	}
}

// isPlain reports whether a type contains no pointers to structs, which are empty instead of nil when they are read.
func isPlain(of reflect.Type) bool {
	switch of.Kind() {
	case reflect.Slice, reflect.Pointer:
		return isPlain(of.Elem())
	case reflect.Map:
		return isPlain(of.Key()) && isPlain(of.Elem())
	}
	return of.Kind() != reflect.Struct
}

func TestMessagesThatEndTooEarlyAreRefused(t *testing.T) {
	eachRandom(20, func(filled, _ sample.Message) {
		written := thrift.Marshal(filled)
		if len(written) > 2000 {
			return
		}
		for end := range len(written) {
			read := reflect.New(reflect.TypeOf(filled).Elem()).Interface().(sample.Message)
			// The message is copied to its exact length, so that no read behind it goes unnoticed.
			err := thrift.Unmarshal(bytes.Clone(written[:end:end]), read)
			if !errors.Is(err, thrift.Truncated) || !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Fatalf("%d of %d bytes of %v: %v", end, len(written), filled, err)
			}
			if text := err.Error(); !strings.Contains(text, "ends too early") {
				t.Fatalf("%q", text)
			}
		}
	})
}

func TestDamagedMessagesNeverPanic(t *testing.T) {
	random := rand.New(rand.NewSource(2))
	eachRandom(40, func(filled, _ sample.Message) {
		written := thrift.Marshal(filled)
		for range 20 {
			damaged := bytes.Clone(written)
			for range 1 + random.Intn(4) {
				damaged[random.Intn(len(damaged))] = byte(random.Intn(20))
			}
			read := reflect.New(reflect.TypeOf(filled).Elem()).Interface().(sample.Message)
			if err := thrift.Unmarshal(damaged, read); err != nil && err.Error() == "" {
				t.Fatal("an error without text")
			}
		}
	})
}

func TestTextsOfErrorsLeadToTheValue(t *testing.T) {
	item := &api.Item{ID: 7, Contexts: map[string]*base.Context{"a": base.NewContext()}}
	written := thrift.Marshal(item)
	// The cut is in the last field of the only context; the stops of the context and the item follow.
	cut := written[:len(written)-30]
	err := thrift.Unmarshal(cut, new(api.Item))
	var fault *thrift.ProtocolError
	if !errors.As(err, &fault) || fault.TypeId() != thrift.InvalidData {
		t.Fatal(err)
	}
	if text := err.Error(); !strings.HasPrefix(text, "*api.Item read field ") {
		t.Fatal(text)
	}
	missing := thrift.Unmarshal([]byte{0}, new(api.Item))
	if text := missing.Error(); text != "required field is not set: id (at byte 0)" || !errors.Is(missing, thrift.Missing) {
		t.Fatal(text)
	}
	inside := []byte("\x0f\x00\x03\x0c\x00\x00\x00\x02\x08\x00\x01\x00\x00\x00\x05\x0c\x00\x05\x00\x00\x00")
	inside = append(inside, 0)
	err = thrift.Unmarshal(inside, new(recursive.Node))
	const want = "*recursive.Node read field 3 'children' error: element 1 error: required field is not set: value (at byte 20)"
	if err == nil || err.Error() != want {
		t.Fatal(err)
	}
}

func TestAllocationIsBoundedByTheMessage(t *testing.T) {
	const size = 4 << 20
	// These are lists with the smallest possible elements: empty structs, empty strings, empty lists.
	messages := map[string][]byte{
		"structs that are not there": append([]byte("\x0f\x00\x03\x0c\x7f\xff\xff\xff"), make([]byte, size)...),
		"empty structs":              append([]byte("\x0f\x00\x03\x0c\x00\x3f\xff\xff"), make([]byte, size)...),
		"a map of empty unions":      append([]byte("\x0d\x00\x04\x0b\x0c\x00\x03\x00\x00"), make([]byte, size)...),
	}
	for name, message := range messages {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := thrift.Unmarshal(message, new(recursive.Node))
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Fatalf("%s: it was read", name)
		}
		limits := thrift.DefaultLimits
		limit := uint64(limits.Expansion*len(message) + limits.Slack)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > limit {
			t.Fatalf("%s: %d bytes for a message of %d (%v)", name, taken, len(message), err)
		}
	}
}

func TestDepthIsBounded(t *testing.T) {
	deep := bytes.Repeat([]byte("\x0c\x00\x02"), 100_000)
	err := thrift.Unmarshal(deep, new(recursive.Node))
	if !errors.Is(err, thrift.TooDeep) {
		t.Fatal(err)
	}
	// These are unknown fields, which are skipped.
	deep = bytes.Repeat([]byte("\x0c\x00\x77"), 100_000)
	if err := thrift.Unmarshal(deep, new(api.Empty)); !errors.Is(err, thrift.TooDeep) {
		t.Fatal(err)
	}
}

func TestWhatIsOverTheLimitIsRefusedWhereverItStands(t *testing.T) {
	eachRandom(20, func(filled, empty sample.Message) {
		written := thrift.Marshal(filled)
		for slack := range 200 {
			options := thrift.Options{Limits: thrift.Limits{Slack: 10 * slack, Depth: 64}}
			if err := thrift.UnmarshalWith(options, written, empty); err != nil && !errors.Is(err, thrift.TooLarge) {
				t.Fatalf("%T: %v", filled, err)
			}
		}
	})
}

// A struct with an unknown field, or with fields in another order, is read in several passes, each of which enters the struct again.
func TestDepthIsThatOfTheValuesInAnyOrder(t *testing.T) {
	for _, unknown := range []string{"", "\x02\x00\x77\x01"} {
		message := strings.Repeat("\x08\x00\x01\x00\x00\x00\x01"+unknown+"\x0c\x00\x02", 62) +
			"\x08\x00\x01\x00\x00\x00\x01" + strings.Repeat("\x0c\x00\x05\x00\x00", 63)
		if err := thrift.Unmarshal([]byte(message), new(recursive.Node)); err != nil {
			t.Fatalf("with %q: %.200v", unknown, err)
		}
	}
}

func TestAListOfAnotherTypeIsWrongItself(t *testing.T) {
	err := thrift.Unmarshal([]byte("\x0f\x00\x03\x0b\x00\x00\x00\x01\x00\x00\x00\x00\x00"), new(recursive.Node))
	const want = "*recursive.Node read field 3 'children' error: elements of another type (at byte 3)"
	if !errors.Is(err, thrift.WrongType) || err.Error() != want {
		t.Fatal(err)
	}
}
