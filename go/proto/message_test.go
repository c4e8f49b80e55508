package proto_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	google "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"hone/go/internal/protosample"
	"hone/go/proto"
)

// full is a message with every field set.
func full() *protosample.Sample {
	details, _ := structpb.NewStruct(map[string]any{"a": 1.5, "b": []any{"x", true}})
	m := &protosample.Sample{
		Name: "né", Count: -5, Ratio: math.Copysign(0, -1), Body: []byte{1, 0, 255}, Done: true, Colour: protosample.Colour_COLOUR_RED,
		Note: google.String(""), Change: google.Int32(math.MinInt32), Tags: []string{"a", "", strings.Repeat("long", 50)}, Numbers: []int32{0, 1, -1, 300, math.MaxInt32},
		Changes: []int64{-1, 1 << 40}, Hashes: []uint64{1, math.MaxUint64}, Child: &protosample.Sample{Name: "child"},
		Children: []*protosample.Sample{{}, {Name: "second", Tags: []string{"b"}}, {Count: 1 << 62}},
		Named:    map[string]*protosample.Sample{"": {}, "k": {Name: "v"}}, Texts: map[int32]string{-1: "minus", 7: ""},
		Choice: &protosample.Sample_Other{Other: &protosample.Sample{Choice: &protosample.Sample_Number{Number: 9}}},
		Group:  &protosample.Sample{Name: "group", Group: &protosample.Sample{Choice: &protosample.Sample_Word{Word: "inner"}}},
		At:     &timestamppb.Timestamp{Seconds: 1_790_000_000, Nanos: 5}, Details: details, Waits: []*durationpb.Duration{{Seconds: -3}, {}},
		Raw: google.String("\xff"), Flags: []bool{true, false}, Parts: [][]byte{{}, {1}},
	}
	m.ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, 1000, protowire.VarintType), 77))
	return m
}

func TestMessagesGoBothWaysBetweenOursAndGoogles(t *testing.T) {
	for _, m := range []*protosample.Sample{full(), {}} {
		ours, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := google.Marshal(m)
		if err != nil || len(theirs) != len(ours) || m.SizePB() != len(ours) {
			t.Fatalf("%d bytes, SizePB %d, and Google has %d (%v)", len(ours), m.SizePB(), len(theirs), err)
		}
		var a, b protosample.Sample
		if err := google.Unmarshal(ours, &a); err != nil || !google.Equal(&a, m) {
			t.Errorf("Google reads %v (%v)", &a, err)
		}
		if err := b.UnmarshalPB(theirs); err != nil || !google.Equal(&b, m) {
			t.Errorf("we read %v (%v)", &b, err)
		}
	}
}

func TestAMessageIsWrittenSoThatItEndsWhereTheBufferEnds(t *testing.T) {
	around := bytes.Repeat([]byte{0xee}, 16)
	for _, m := range []*protosample.Sample{full(), {Count: 1 << 40}, {Numbers: []int32{300}}, {}} {
		size := m.SizePB()
		for _, room := range []int{0, 1, 5, 17} {
			all := bytes.Repeat([]byte{0xee}, 16+room+size+16)
			b := all[16 : 16+room+size]
			start, err := m.MarshalToPB(b)
			if err != nil || start != room || !bytes.Equal(all[:16], around) || !bytes.Equal(all[16+room+size:], around) {
				t.Errorf("with %d bytes of room the message begins at %d (%v), or bytes around the buffer were changed", room, start, err)
			}
			var read protosample.Sample
			if err := read.UnmarshalPB(b[start:]); err != nil || !google.Equal(&read, m) {
				t.Errorf("with %d bytes of room another message was written (%v)", room, err)
			}
		}
		for length := range size {
			if start, err := m.MarshalToPB(make([]byte, length)); err != nil || start != length-size {
				t.Fatalf("a buffer of %d bytes is too short by %d, not %d (%v)", length, size-length, -start, err)
			}
		}
	}
}

func TestAppendKeepsWhatIsThereForMessagesOfEachLength(t *testing.T) {
	for _, length := range []int{0, 10, 8 << 10, 100 << 10, 300 << 10} {
		m := &protosample.Sample{Body: bytes.Repeat([]byte{7}, length)}
		for _, to := range [][]byte{nil, []byte("before"), append(make([]byte, 0, 400<<10), "before"...)} {
			b, err := proto.Append(to, m)
			var read protosample.Sample
			if err != nil || !bytes.HasPrefix(b, to) || read.UnmarshalPB(b[len(to):]) != nil || !google.Equal(&read, m) {
				t.Errorf("%d bytes behind %q: %v", length, to, err)
			}
		}
	}
}

func TestReadingMergesAsTheSpecificationSays(t *testing.T) {
	first := &protosample.Sample{
		Name: "first", Note: google.String("kept"), Tags: []string{"a"}, Numbers: []int32{1}, Child: &protosample.Sample{Name: "child", Count: 1}, Texts: map[int32]string{1: "a", 2: "b"},
		Named: map[string]*protosample.Sample{"x": {Count: 5}}, Choice: &protosample.Sample_Other{Other: &protosample.Sample{Name: "other"}},
	}
	second := &protosample.Sample{
		Name: "second", Tags: []string{"b"}, Numbers: []int32{2, 3}, Child: &protosample.Sample{Count: 2}, Texts: map[int32]string{2: "c"},
		Named: map[string]*protosample.Sample{"x": {Name: "new"}}, Choice: &protosample.Sample_Other{Other: &protosample.Sample{Count: 4}},
	}
	want := &protosample.Sample{
		Name: "second", Note: google.String("kept"), Tags: []string{"a", "b"}, Numbers: []int32{1, 2, 3}, Child: &protosample.Sample{Name: "child", Count: 2},
		Texts: map[int32]string{1: "a", 2: "c"}, Named: map[string]*protosample.Sample{"x": {Name: "new"}},
		Choice: &protosample.Sample_Other{Other: &protosample.Sample{Name: "other", Count: 4}},
	}
	b, _ := proto.Append(nil, first)
	b, _ = proto.Append(b, second)
	var atOnce, inTurn protosample.Sample
	if err := atOnce.UnmarshalPB(b); err != nil || !google.Equal(&atOnce, want) {
		t.Errorf("both in a row are %v (%v)", &atOnce, err)
	}
	for _, part := range []*protosample.Sample{first, second} {
		b, _ := proto.Marshal(part)
		if err := inTurn.UnmarshalPB(b); err != nil {
			t.Fatal(err)
		}
	}
	if !google.Equal(&inTurn, want) {
		t.Errorf("one after the other they are %v", &inTurn)
	}
}

func TestErrorsSayWhatIsWrongAndWhere(t *testing.T) {
	deep := []byte(nil)
	for range 10_001 {
		deep = protowire.AppendBytes([]byte{0x6a}, deep)
	}
	for _, c := range []struct {
		what  string
		data  []byte
		cause proto.Cause
		text  string
	}{
		{"a string of which a part is missing", []byte{0x0a, 5, 'a'}, proto.Truncated, "hone.sample.Sample: the message ends too early, at byte 1"},
		{"a submessage that reaches over its end", []byte{0x6a, 2, 0x10, 0x80, 0x01}, proto.Truncated, "hone.sample.Sample: the message ends too early, at byte 4"},
		{"a length that no memory has", []byte{0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, proto.Truncated, ""},
		{"a number of more than 64 bits", append([]byte{0x10}, bytes.Repeat([]byte{0xff}, 10)...), proto.Malformed, ""},
		{"a field's number of 0", []byte{0x02, 0}, proto.Malformed, ""},
		{"a group that ends without a beginning", []byte{0xa4, 1}, proto.Malformed, ""},
		{"a group without an end", []byte{0xa3, 1, 0x10, 1}, proto.Malformed, ""},
		{"a type that there is not", []byte{0x0f, 0}, proto.Malformed, ""},
		{"a string that is not UTF-8", []byte{0x0a, 1, 0xff}, proto.NotUTF8, "hone.sample.Sample: a string is not UTF-8, at byte 1"},
		{"messages in each other without an end", deep, proto.TooDeep, ""},
		{"a submessage of Google's that is wrong", []byte{0xb2, 1, 2, 0x0a, 7}, proto.Foreign, ""},
	} {
		err := new(protosample.Sample).UnmarshalPB(c.data)
		if !errors.Is(err, c.cause) || !errors.Is(err, google.Error) || !strings.Contains(fmt.Sprint(err), c.text) {
			t.Errorf("%s: %v", c.what, err)
		}
		if errors.Is(err, io.ErrUnexpectedEOF) != (c.cause == proto.Truncated) {
			t.Errorf("%s: io.ErrUnexpectedEOF is found or not, and should be the other", c.what)
		}
	}
}

func TestWritingRefusesWhatGoogleRefuses(t *testing.T) {
	for _, m := range []*protosample.Sample{
		{Name: "\xff"}, {Tags: []string{"a", "\xff"}}, {Texts: map[int32]string{1: "\xff"}}, {Child: &protosample.Sample{Note: google.String("\xff")}},
		{Details: &structpb.Struct{Fields: map[string]*structpb.Value{"\xff": nil}}},
	} {
		_, theirs := google.Marshal(m)
		if _, err := proto.Marshal(m); theirs == nil || err == nil || !errors.Is(err, google.Error) {
			t.Errorf("%v: our error is %v, Google's is %v", m, err, theirs)
		}
	}
}

func TestARequiredFieldThatIsNotSetIsAnErrorOfBothWays(t *testing.T) {
	m := &protosample.Strict{Id: google.Int32(1), Next: &protosample.Strict{}}
	_, theirs := google.Marshal(m)
	_, err := proto.Marshal(m)
	if err == nil || !errors.Is(err, google.Error) || !strings.Contains(theirs.Error(), err.Error()) {
		t.Errorf("our error is %v, Google's is %v", err, theirs)
	}
	if err := new(protosample.Strict).UnmarshalPB([]byte{0x08, 1, 0x12, 0}); err == nil || !strings.Contains(err.Error(), "hone.sample.Strict.id not set") {
		t.Error(err)
	}
}

func TestExtensionsAreReadAndWritten(t *testing.T) {
	m := &protosample.Strict{Id: google.Int32(1)}
	google.SetExtension(m, protosample.E_Extra, &protosample.Sample{Name: "more"})
	m.ProtoReflect().SetUnknown([]byte{0xc8, 0x0c, 5}) // field 201
	b, err := proto.Marshal(m)
	var read protosample.Strict
	if err != nil || read.UnmarshalPB(b) != nil || !google.Equal(&read, m) || google.GetExtension(&read, protosample.E_Extra).(*protosample.Sample).Name != "more" {
		t.Errorf("%v: %v", &read, err)
	}
}

func TestDepthIsALimitThatOptionsCanSet(t *testing.T) {
	nested := func(n int) []byte {
		b := []byte(nil)
		for range n - 1 {
			b = protowire.AppendBytes([]byte{0x6a}, b)
		}
		return b
	}
	for _, depth := range []int{1, 2, 50, 0} {
		most := depth
		if depth == 0 {
			most = proto.DefaultDepth
		}
		options := proto.Options{Depth: depth}
		if err := proto.UnmarshalWith(options, nested(most), new(protosample.Sample)); err != nil {
			t.Errorf("depth %d: %v", depth, err)
		}
		if err := proto.UnmarshalWith(options, nested(most+1), new(protosample.Sample)); !errors.Is(err, proto.TooDeep) {
			t.Errorf("depth %d and one more: %v", depth, err)
		}
	}
	if err := proto.UnmarshalWith(proto.Options{Depth: -1}, nil, new(protosample.Sample)); !errors.Is(err, proto.TooDeep) {
		t.Error(err)
	}
}

func TestStringsLiveWhereOptionsSay(t *testing.T) {
	data, _ := proto.Marshal(&protosample.Sample{Name: "a name", Tags: []string{"b", "c"}, Texts: map[int32]string{1: "d"}, Body: []byte("bytes")})
	for _, texts := range []proto.Texts{proto.Together, proto.Apart, proto.Borrowed} {
		b := bytes.Clone(data)
		var m protosample.Sample
		if err := proto.UnmarshalWith(proto.Options{Texts: texts}, b, &m); err != nil {
			t.Fatal(err)
		}
		before := fmt.Sprint(m.Name, m.Tags, m.Texts, m.Body)
		if texts != proto.Borrowed {
			clear(b)
		}
		if after := fmt.Sprint(m.Name, m.Tags, m.Texts, m.Body); after != before || m.Name != "a name" || m.Texts[1] != "d" {
			t.Errorf("texts %d: %s became %s", texts, before, after)
		}
		clear(b)
		if string(m.Body) != "bytes" {
			t.Errorf("texts %d: bytes are the message's", texts)
		}
	}
}

func TestALengthThatIsOnlyClaimedTakesNoMemory(t *testing.T) {
	for _, tag := range [][]byte{{0x0a}, {0x22}, {0x4a}, {0x52}, {0x62}, {0x6a}, {0x72}, {0x7a}, {0x82, 1}, {0xca, 1}, {0xd2, 1}} {
		data := protowire.AppendVarint(tag, 1<<30)
		data = append(data, make([]byte, 64)...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := new(protosample.Sample).UnmarshalPB(data)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; err == nil || took > 1<<20 {
			t.Errorf("tag %x: %d bytes for a length that is not there (%v)", tag, took, err)
		}
	}
}

// Values of one message share memory. So they must not overlap, and the next message must not see them.
func TestValuesThatShareMemoryAreKeptApart(t *testing.T) {
	var all []*protosample.Sample
	want := full()
	for i := range 50 {
		want.Count = int64(i)
		want.Children = append(want.Children, &protosample.Sample{Count: int64(i), Change: google.Int32(int32(i)), Note: google.String(fmt.Sprint(i)), Numbers: []int32{int32(i)}})
		data, err := proto.Marshal(want)
		m := new(protosample.Sample)
		if err != nil || m.UnmarshalPB(data) != nil {
			t.Fatal(err)
		}
		all = append(all, m)
		// An append to a list must not write into the list beside it.
		m.Children[0].Numbers = append(m.Children[0].Numbers, 99)
		m.Tags = append(m.Tags, "more")
		m.Body = append(m.Body, 1)
	}
	for i, m := range all {
		if m.Count != int64(i) || len(m.Children) != 4+i || m.Children[3+i].GetNote() != fmt.Sprint(i) || m.Children[3+i].GetChange() != int32(i) || m.Children[3+i].Numbers[0] != int32(i) {
			t.Fatalf("message %d changed: %v", i, m)
		}
	}
}

func TestManyGoroutinesReadAndWriteAtOnce(t *testing.T) {
	want := full()
	data, _ := proto.Marshal(want)
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 100 {
				var m protosample.Sample
				b, err := proto.Marshal(want)
				if err != nil || len(b) != len(data) || m.UnmarshalPB(b) != nil || !google.Equal(&m, want) {
					t.Errorf("another message: %v", err)
				}
			}
		}()
	}
	group.Wait()
}

func TestANilMessageIsEmpty(t *testing.T) {
	m := &protosample.Sample{Children: []*protosample.Sample{nil}, Named: map[string]*protosample.Sample{"a": nil}, Choice: (*protosample.Sample_Word)(nil), Waits: []*durationpb.Duration{nil}}
	b, err := proto.Marshal(m)
	var read protosample.Sample
	if err != nil || read.UnmarshalPB(b) != nil || len(read.Children) != 1 || len(read.Named) != 1 || len(read.Waits) != 1 || read.Choice != nil {
		t.Errorf("%v (%v)", &read, err)
	}
	if b, err := proto.Marshal((*protosample.Sample)(nil)); err != nil || len(b) > 0 {
		t.Errorf("%x (%v)", b, err)
	}
}
