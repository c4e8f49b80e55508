package codec_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"testing"

	"hone/go/codec"
	"hone/go/internal/sample/recursive"
	"hone/go/thrift"
)

// sparse is a struct with messages that need much memory for each byte.
type sparse struct {
	Small   []map[int8]int8            `thrift:"small,1"`
	Maps    []map[int32]int32          `thrift:"maps,2"`
	Structs map[int32]*sparse          `thrift:"structs,3"`
	Bools   map[int32]bool             `thrift:"bools,4"`
	Bytes   [][]byte                   `thrift:"bytes,5"`
	Lists   [][][]bool                 `thrift:"lists,6"`
	Numbers map[int64]int8             `thrift:"numbers,7"`
	Pairs   []thrift.Pair[bool, int64] `thrift:"pairs,8"`
	unknown []byte
}

func (s *sparse) KeepUnknown(field []byte) { s.unknown = append(s.unknown, field...) }

// repeated makes a message of one list of n equal elements.
func repeated(id byte, of thrift.Type, n int, element string) []byte {
	message := binary.BigEndian.AppendUint32([]byte{byte(thrift.List), 0, id, byte(of)}, uint32(n))
	for range n {
		message = append(message, element...)
	}
	return append(message, 0)
}

// numbered makes a message of one map of n different i32 keys, all with the same value.
func numbered(id byte, of thrift.Type, n int, value string) []byte {
	message := binary.BigEndian.AppendUint32([]byte{byte(thrift.Map), 0, id, byte(thrift.I32), byte(of)}, uint32(n))
	for i := range n {
		message = append(binary.BigEndian.AppendUint32(message, uint32(i)), value...)
	}
	return append(message, 0)
}

func TestWhatGoNeedsForContainersIsCounted(t *testing.T) {
	const n = 300_000
	messages := map[string][]byte{
		"empty maps":             repeated(1, thrift.Map, n, "\x03\x03\x00\x00\x00\x00"),
		"maps of one byte":       repeated(1, thrift.Map, n, "\x03\x03\x00\x00\x00\x01\x00\x00"),
		"maps of one":            repeated(2, thrift.Map, n, "\x08\x08\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x01"),
		"empty bytes":            repeated(5, thrift.String, n, "\x00\x00\x00\x00"),
		"lists in lists":         repeated(6, thrift.List, n, "\x0f\x00\x00\x00\x01\x02\x00\x00\x00\x00"),
		"unknown fields of one":  append(repeated(77, thrift.Bool, 4*n, "\x01")[:8+4*n], 0),
		"structs with unknown":   numbered(3, thrift.Struct, n, "\x02\x00\x77\x01\x00"),
		"a map of empty structs": numbered(3, thrift.Struct, n, "\x00"),
	}
	// These are the largest numbers of entries that a map holds before it grows, and one more than each.
	for _, n := range []int{350 << 10, 358400, 408576, 450_000, 448 << 10, 448<<10 + 1} {
		messages[fmt.Sprint("a map of structs, ", n)] = numbered(3, thrift.Struct, n, "\x00")
		messages[fmt.Sprint("a map of bools, ", n)] = numbered(4, thrift.Bool, n, "\x01")
	}
	if err := codec.Check(new(sparse)); err != nil {
		t.Fatal(err)
	}
	for name, message := range messages {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := codec.Unmarshal(message, new(sparse))
		runtime.ReadMemStats(&after)
		// Go's allocator rounds up.
		limit := uint64(thrift.DefaultLimits.Bytes(len(message))) / 8 * 9
		if taken := after.TotalAlloc - before.TotalAlloc; taken > limit {
			t.Errorf("%s: %d bytes for a message of %d (%v)", name, taken, len(message), err)
		}
	}
}

// Where an int has 32 bits, these lengths, or products of them, do not fit into it.
var huge = []string{"\x7f\xff\xff\xff", "\xff\xff\xff\xff", "\xff\xff\xff\xfd", "\x80\x00\x00\x00", "\x20\x00\x00\x00", "\x20\x00\x00\x01", "\x10\x00\x00\x00", "\x40\x00\x00\x00"}

// wideOpen has a field for each type that has its length in the message.
type wideOpen struct {
	Numbers []int64         `thrift:"numbers,1"`
	UUIDs   [][16]byte      `thrift:"uuids,2,default,list<uuid>"`
	Text    string          `thrift:"text,3"`
	Texts   []string        `thrift:"texts,4"`
	Map     map[int64]int64 `thrift:"map,5"`
	Bytes   []byte          `thrift:"bytes,6"`
}

func TestLengthsThatAreHugeAreRefused(t *testing.T) {
	const text = "\x0b\x00\x03\x00\x00\x00\x08abcdefgh"
	for _, length := range huge {
		for _, head := range []string{
			"\x0f\x00\x01\x0a", "\x0f\x00\x02\x10", "\x0b\x00\x03", text + "\x0b\x00\x03", "\x0f\x00\x04\x0b", "\x0f\x00\x04\x0b\x00\x00\x00\x01",
			"\x0d\x00\x05\x0a\x0a", "\x0b\x00\x06", "\x0f\x00\x77\x0a", "\x0d\x00\x77\x0a\x10", "\x0b\x00\x77",
		} {
			message := append([]byte(head+length), make([]byte, 64)...)
			if err := codec.Unmarshal(message, new(wideOpen)); err == nil {
				t.Errorf("%q was read", head+length)
			}
			whole := thrift.Binary{}.AppendMessage(nil, thrift.Header{Method: "a"}, new(thrift.ApplicationException))
			whole = append(whole[:13], message...)
			if n, err := (thrift.Binary{}).Length(whole); n > 0 {
				t.Errorf("%q ends at %d, %v", head+length, n, err)
			}
		}
	}
}

func TestCompactHasNoLimitsThatAreTooLargeForANumber(t *testing.T) {
	p := codec.Compact{Options: thrift.Options{Limits: thrift.Limits{Expansion: math.MaxInt, Slack: math.MaxInt, Depth: math.MaxInt}}}
	message, err := p.Marshal(&recursive.Node{Value: 1, Other: new(recursive.Other)})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Unmarshal(message, new(recursive.Node)); err != nil {
		t.Fatal(err)
	}
}
