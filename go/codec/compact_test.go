package codec_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"hone/go/codec"
	"hone/go/internal/sample"
	"hone/go/internal/sample/recursive"
	"hone/go/internal/sample/shop/api"
	"hone/go/thrift"
)

// every is a struct with a field of each type of the protocol.
type every struct {
	Yes     bool             `thrift:"yes,1"`
	No      bool             `thrift:"no,2"`
	Byte    int8             `thrift:"byte,3"`
	Short   int16            `thrift:"short,4"`
	Int     int32            `thrift:"int,20"`
	Long    int64            `thrift:"long,21"`
	Double  float64          `thrift:"double,22"`
	Text    string           `thrift:"text,23"`
	Bytes   []byte           `thrift:"bytes,24"`
	UUID    [16]byte         `thrift:"uuid,25"`
	Numbers []int32          `thrift:"numbers,26,default,set<i32>"`
	Bools   []bool           `thrift:"bools,27"`
	Map     map[string]int64 `thrift:"map,28"`
	None    map[int8]int8    `thrift:"none,29"`
	Inner   struct {
		A int16 `thrift:"a,-1"`
	} `thrift:"inner,-7"`
	Long15 []int8 `thrift:"long15,30"`
}

// everyBytes is a message that was put together by hand from the text of the specification.
var everyBytes = strings.Join([]string{
	"\x0c\x0d\x04\x01\x06\x00", // struct: id -7, which is written first; inside it an i16 with id -1: 3
	"\x81",                     // bool true, delta 8
	"\x12",                     // bool false, delta 1
	"\x13\xff",                 // i8 -1
	"\x14\x03",                 // i16 -2
	"\x05\x28\xbf\x93\x06",     // i32, a delta of 16 is too long: id 20 as zigzag; -50400, zigzag 100799
	"\x16\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", // i64, the lowest number
	"\x17\x00\x00\x00\x00\x00\x00\xf8\x3f",         // double 1.5, little-endian
	"\x18\x02hi",                                   // string
	"\x18\x01\x00",                                 // binary
	"\x1d0123456789abcdef",                         // uuid
	"\x1a\x25\x01\x04",                             // set of two i32: -1, 2
	"\x19\x21\x01\x02",                             // list of two bools: true, false
	"\x1b\x01\x86\x01k\x0e",                        // map of one pair: string to i64: "k" to 7
	"\x1b\x00",                                     // an empty map
	"\x19\xf3\x0f" + strings.Repeat("\x07", 15),    // list of 15 i8
	"\x00",
}, "")

func everyValue() every {
	e := every{
		Yes: true, Byte: -1, Short: -2, Int: -50400, Long: -1 << 63, Double: 1.5, Text: "hi", Bytes: []byte{0},
		Numbers: []int32{-1, 2}, Bools: []bool{true, false}, Map: map[string]int64{"k": 7}, None: map[int8]int8{},
		Long15: []int8{7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7},
	}
	copy(e.UUID[:], "0123456789abcdef")
	e.Inner.A = 3
	return e
}

func TestCompactIsAsTheSpecificationHasIt(t *testing.T) {
	e := everyValue()
	written, err := codec.Compact{}.Marshal(&e)
	if err != nil || string(written) != everyBytes {
		t.Fatalf("%v:\n%x\n%x", err, written, everyBytes)
	}
	var read every
	if err := (codec.Compact{}).Unmarshal([]byte(everyBytes), &read); err != nil || !reflect.DeepEqual(read, e) {
		t.Fatalf("%v: %+v", err, read)
	}
}

func TestCompactReadsWhatOthersWriteForBools(t *testing.T) {
	// The type of the elements is 2 or 1, and false is 0 or 2. The fields have ids in the long form.
	for _, list := range []string{"\x21\x01\x02", "\x22\x01\x00", "\x22\x01\x02", "\x21\x01\x00"} {
		var read every
		err := (codec.Compact{}).Unmarshal([]byte("\x01\x02\x09\x36"+list+"\x00"), &read)
		if err != nil || !read.Yes || len(read.Bools) != 2 || !read.Bools[0] || read.Bools[1] {
			t.Fatalf("%x: %v: %+v", list, err, read)
		}
	}
}

func TestHeadersOfCompactMessages(t *testing.T) {
	header := thrift.Header{Method: "get", Type: thrift.Oneway, Sequence: 300}
	message := codec.Compact{}.AppendMessage([]byte("x"), header, new(api.Empty))[1:]
	if want := "\x82\x81\xac\x02\x03get\x00"; string(message) != want {
		t.Fatalf("%x", message)
	}
	read, off, err := codec.Compact{}.ReadHeader(message)
	if err != nil || read != header || off != len(message)-1 {
		t.Fatal(read, off, err)
	}
	negative := codec.Compact{}.AppendMessage(nil, thrift.Header{Sequence: -1}, new(api.Empty))
	if read, _, err := (codec.Compact{}).ReadHeader(negative); err != nil || read.Sequence != -1 {
		t.Fatal(read, err)
	}
	for end := range len(message) {
		if n, err := (codec.Compact{}).Length(message[:end]); n != 0 || err != nil {
			t.Fatal(end, n, err)
		}
	}
	if n, err := (codec.Compact{}).Length(append(message, message...)); n != len(message) || err != nil {
		t.Fatal(n, err)
	}
	for _, other := range []string{"\x80\x01\x00\x01", "\x82\x22\x00\x00", "\x82\x81\xff\xff\xff\xff\xff\x00"} {
		var fault *thrift.HeaderError
		if _, _, err := (codec.Compact{}).ReadHeader([]byte(other)); !errors.As(err, &fault) {
			t.Fatalf("%x: %v", other, err)
		}
		if n, err := (codec.Compact{}).Length([]byte(other)); n != 0 || !errors.As(err, &fault) {
			t.Fatalf("%x: %d, %v", other, n, err)
		}
	}
}

func TestTheEndOfACompactMessageIsFoundInEveryPart(t *testing.T) {
	sample.EachRandom(4, 4, func(filled sample.Message) {
		whole := codec.Compact{}.AppendMessage(nil, thrift.Header{Method: "get", Type: thrift.Call, Sequence: 7}, filled)
		for _, step := range []int{1, 2, 3, 7, 50} {
			extent := codec.Compact{}.NewExtent()
			part := bytes.Clone(whole)
			for n := 0; n < len(whole); n += step {
				if length, err := extent.Length(part[:n:n]); length != 0 || err != nil {
					t.Fatalf("%d bytes of %d: %d, %v", n, len(whole), length, err)
				}
			}
			if length, err := extent.Length(append(part, "and more"...)); length != len(whole) || err != nil {
				t.Fatal(length, err)
			}
		}
	})
}

// A part that comes must not cost as much as all parts before it: so the bytes that Extent has looked at may change.
func TestNoByteOfACompactMessageIsLookedAtTwice(t *testing.T) {
	e := everyValue()
	body, _ := codec.Compact{}.Marshal(&e)
	whole := append([]byte("\x82\x21\x00\x00"), body...)
	extent := codec.Compact{}.NewExtent()
	part := bytes.Clone(whole[:len(whole)-1])
	if length, err := extent.Length(part); length != 0 || err != nil {
		t.Fatal(length, err)
	}
	for i := range part {
		part[i] = 0xff
	}
	if length, err := extent.Length(append(part, 0)); length != len(whole) || err != nil {
		t.Fatal(length, err)
	}
}

func TestMessagesThatCannotEndAreRefused(t *testing.T) {
	for _, body := range []string{
		"\x1e", "\x1f", "\x19\x1e\x00", "\x1b\x01\xe1", "\x18\xff\xff\xff\xff\x0f", "\x19\xf1\xff\xff\xff\xff\x0f",
		"\x1b\xff\xff\xff\xff\x0f", "\x1b\xff\xff\xff\xff\x07", "\x15\xff\xff\xff\xff\xff", "\x16\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
		"\x05\xff\xff\xff\xff\xff", strings.Repeat("\x1c", 2000),
	} {
		var fault *thrift.HeaderError
		if n, err := (codec.Compact{}).Length([]byte("\x82\x21\x00\x00" + body)); n != 0 || !errors.As(err, &fault) {
			t.Errorf("%.20x: %d, %v", body, n, err)
		}
	}
}

func TestGeneratedStructsAreTheSameInBothProtocols(t *testing.T) {
	sample.EachRandom(100, 5, func(filled sample.Message) {
		for _, texts := range []thrift.Texts{thrift.Together, thrift.Apart, thrift.Borrowed} {
			p := codec.Compact{Options: thrift.Options{Texts: texts}}
			written, err := p.Marshal(filled)
			if err != nil {
				t.Fatal(err)
			}
			want, got := sample.EmptyLike(filled), sample.EmptyLike(filled)
			if err := errors.Join(thrift.Unmarshal(thrift.Marshal(filled), want), p.Unmarshal(written, got)); err != nil {
				t.Fatal(err)
			}
			if !thrift.DeepEqual(got, want) {
				t.Fatalf("%.500v was read as %.500v", want, got)
			}
		}
	})
}

func TestUnknownFieldsGoThroughBothProtocols(t *testing.T) {
	e := everyValue()
	written, _ := codec.Compact{}.Marshal(&e)
	var tree recursive.Tree
	if err := (codec.Compact{}).Unmarshal(written, &tree); err != nil {
		t.Fatal(err)
	}
	again, err := codec.Compact{}.Marshal(&tree)
	var read every
	if err := errors.Join(err, (codec.Compact{}).Unmarshal(again, &read)); err != nil || !reflect.DeepEqual(read, e) {
		t.Fatalf("%v: %+v", err, read)
	}
	if err := codec.Unmarshal(thrift.Marshal(&tree), &read); err != nil || !reflect.DeepEqual(read, e) {
		t.Fatalf("%v: %+v", err, read)
	}
}

func TestCompactMessagesThatEndTooEarlyAreRefused(t *testing.T) {
	sample.EachRandom(3, 3, func(filled sample.Message) {
		written, _ := codec.Compact{}.Marshal(filled)
		for end := range min(len(written), 1500) {
			err := (codec.Compact{}).Unmarshal(bytes.Clone(written[:end:end]), sample.EmptyLike(filled))
			if !errors.Is(err, thrift.Truncated) || !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Fatalf("%d of %d bytes of %T: %v", end, len(written), filled, err)
			}
		}
		if err := (codec.Compact{}).Unmarshal(append(written, 0), sample.EmptyLike(filled)); !errors.Is(err, thrift.Trailing) {
			t.Fatal(err)
		}
	})
}

func TestErrorsOfCompactLeadToTheValue(t *testing.T) {
	for _, test := range []struct{ message, want string }{
		{"\x39\x2c\x15\x0a\x4c\x00\x00\x00\x00", "*recursive.Node read field 3 'children' error: element 1 error: required field is not set: value (at byte 7)"},
		{"\x39\x2c\x15\x0a\x4c\x00\x00\x15\xff\xff\xff\xff\xff", "*recursive.Node read field 3 'children' error: element 1 error: *recursive.Node read field 1 'value' error: a number of more bytes than its type has (at byte 8)"},
		{"\x39\xfc\xff\xff\xff\xff\x0f", "*recursive.Node read field 3 'children' error: negative length (at byte 2)"},
		{"\x39\xfc\xff\xff\xff\xff\x07", "*recursive.Node read field 3 'children' error: the message ends too early (at byte 1)"},
		{"\x39\x28\x00\x00\x00", "*recursive.Node read field 3 'children' error: elements of another type (at byte 1)"},
		{"\x1e", "*recursive.Node read field 1 'value' error: unknown type (at byte 0)"},
		{"\x05\x80", "*recursive.Node read field begin error: the message ends too early (at byte 2)"},
		{"", "*recursive.Node read field begin error: the message ends too early (at byte 0)"},
	} {
		err := (codec.Compact{}).Unmarshal([]byte(test.message), new(recursive.Node))
		if err == nil || err.Error() != test.want {
			t.Errorf("%x: %v\nnot %s", test.message, err, test.want)
		}
	}
}

func TestCompactIsBounded(t *testing.T) {
	for _, deep := range []string{"\x2c", "\x7c", "\x79\x19"} {
		err := (codec.Compact{}).Unmarshal(bytes.Repeat([]byte(deep), 100_000), new(recursive.Node))
		if !errors.Is(err, thrift.TooDeep) {
			t.Fatalf("%x: %v", deep, err)
		}
	}
	const size = 2 << 20
	for _, head := range []string{"\x39\xfc\xff\xff\xff\x00", "\x39\xfc\xff\xff\x7f", "\x79\xf6\xff\xff\x7f", "\x4b\xff\xff\x7f\x8c\x00\x00"} {
		message := append([]byte(head), make([]byte, size)...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := (codec.Compact{}).Unmarshal(message, new(recursive.Node))
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Fatalf("%x was read", head)
		}
		// The limit counts the message in the Binary protocol, in a buffer of the usual size and then in one of the largest size, and the
		// values that were read.
		limit := uint64(10*len(message) + 2*thrift.DefaultLimits.Expansion*len(message) + thrift.DefaultLimits.Slack)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > limit {
			t.Fatalf("%x: %d bytes for a message of %d (%v)", head, taken, len(message), err)
		}
	}
}

func TestDamagedCompactMessagesNeverPanic(t *testing.T) {
	random := rand.New(rand.NewSource(2))
	sample.EachRandom(30, 4, func(filled sample.Message) {
		written, _ := codec.Compact{}.Marshal(filled)
		for range 20 {
			damaged := bytes.Clone(written)
			for range 1 + random.Intn(4) {
				damaged[random.Intn(len(damaged))] = byte(random.Intn(256))
			}
			if err := readCompact(damaged, filled); err != nil {
				t.Fatalf("%x: %v", damaged, err)
			}
		}
	})
}

// readCompact reads a message that may be damaged. If it can be read, it must be the same after it has been written and read again.
func readCompact(b []byte, like sample.Message) error {
	read, again := sample.EmptyLike(like), sample.EmptyLike(like)
	if err := (codec.Compact{}).Unmarshal(b, read); err != nil {
		var fault *thrift.ProtocolError
		if !errors.As(err, &fault) || fault.Fault.Offset() > len(b) || err.Error() == "" {
			return errors.Join(errors.New("no proper error"), err)
		}
		return nil
	}
	written, err := codec.Compact{}.Marshal(read)
	if err != nil {
		return err
	}
	if err := (codec.Compact{}).Unmarshal(written, again); err != nil {
		return err
	}
	if !thrift.DeepEqual(read, again) {
		return errors.New("it became another one")
	}
	return nil
}

func FuzzCompact(f *testing.F) {
	f.Add([]byte(everyBytes))
	sample.EachRandom(1, 3, func(filled sample.Message) {
		written, _ := codec.Compact{}.Marshal(filled)
		f.Add(written)
	})
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, of := range sample.Messages {
			if err := readCompact(b, of); err != nil {
				t.Fatal(err)
			}
		}
		codec.Compact{}.ReadHeader(b)
		if n, err := (codec.Compact{}).Length(b); n < 0 || n > len(b) || n > 0 && err != nil {
			t.Fatal(n, err)
		}
		// A message that can be turned into the other protocol has an end, and it is the right one.
		whole := append([]byte("\x82\x21\x00\x00"), b...)
		isRead := (codec.Compact{}).Unmarshal(b, new(struct{})) == nil
		if n, err := (codec.Compact{}).Length(whole); isRead && (n != len(whole) || err != nil) {
			t.Fatal(n, err)
		}
	})
}
