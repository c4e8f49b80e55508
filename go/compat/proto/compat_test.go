package proto_test

import (
	"bytes"
	"math/rand"
	"slices"
	"strings"
	"testing"

	google "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"hone/go/proto"

	_ "hone/go/compat/proto/ours/conformance/test_protos"
	_ "hone/go/compat/proto/ours/editions/golden"
	_ "hone/go/compat/proto/ours/editionsfuzztest"
	_ "hone/go/compat/proto/ours/logs/v1"
	_ "hone/go/compat/proto/ours/metrics/v1"
	_ "hone/go/compat/proto/ours/names"
	_ "hone/go/compat/proto/ours/required"
	_ "hone/go/compat/proto/ours/shapes"
	_ "hone/go/compat/proto/ours/test"
	_ "hone/go/compat/proto/ours/test3"
	_ "hone/go/compat/proto/ours/test_messages_proto2"
	_ "hone/go/compat/proto/ours/test_messages_proto3"
	_ "hone/go/compat/proto/ours/testeditions"
	_ "hone/go/compat/proto/ours/textpb3"
	_ "hone/go/compat/proto/ours/trace/v1"
)

// types returns all types of messages that have our code.
func types(t testing.TB) []protoreflect.MessageType {
	var all []protoreflect.MessageType
	protoregistry.GlobalTypes.RangeMessages(func(of protoreflect.MessageType) bool {
		if _, ok := of.Zero().Interface().(proto.Message); ok {
			all = append(all, of)
		}
		return true
	})
	if len(all) < 200 {
		t.Fatalf("%d types have our code", len(all))
	}
	slices.SortFunc(all, func(a, b protoreflect.MessageType) int {
		return strings.Compare(string(a.Descriptor().FullName()), string(b.Descriptor().FullName()))
	})
	return all
}

func TestMessagesOfEachTypeGoBothWaysBetweenOursAndGoogles(t *testing.T) {
	for i, of := range types(t) {
		for round := range 30 {
			r := random{rand.New(rand.NewSource(int64(1000*i + round))), []int{5, 40, 90}[round%3], round%4 > 0}
			m := of.New()
			r.message(m, 3)
			compareWriting(t, m.Interface().(proto.Message))
			if t.Failed() {
				t.Fatalf("round %d", round)
			}
		}
	}
}

// compareWriting compares both ways to write a message, and reads each by the other library.
func compareWriting(t *testing.T, m proto.Message) {
	t.Helper()
	name := m.ProtoReflect().Descriptor().FullName()
	ours, oursErr := proto.Marshal(m)
	theirs, theirsErr := google.Marshal(m)
	switch {
	case (oursErr != nil) != (theirsErr != nil):
		t.Fatalf("%s: our error is %v, Google's is %v", name, oursErr, theirsErr)
	case oursErr != nil:
		return
	case len(ours) != len(theirs) || m.SizePB() != len(ours):
		t.Fatalf("%s: %d bytes, SizePB is %d, and Google's are %d", name, len(ours), m.SizePB(), len(theirs))
	}
	read := m.ProtoReflect().New().Interface()
	if err := google.Unmarshal(ours, read); err != nil || !google.Equal(m, read) {
		t.Fatalf("%s: Google's code reads of ours (%v)\n%v\ninstead of\n%v", name, err, read, m)
	}
	again := m.ProtoReflect().New().Interface().(proto.Message)
	if err := again.UnmarshalPB(theirs); err != nil || !google.Equal(m, again) {
		t.Fatalf("%s: our code reads of Google's (%v)\n%v\ninstead of\n%v", name, err, again, m)
	}
}

func TestBothReadTheSameOfAnyBytes(t *testing.T) {
	accepted, refused := 0, 0
	for i, of := range types(t) {
		for round := range 200 {
			r := random{rand.New(rand.NewSource(int64(1000*i + round))), []int{5, 20, 60}[round%3], round%4 > 0}
			m, other := of.New(), of.New()
			r.message(m, 2)
			r.message(other, 2)
			if compareReading(t, of, r.changed(partial(m), partial(other), of.Descriptor())) {
				accepted++
			} else {
				refused++
			}
			if t.Failed() {
				t.Fatalf("round %d", round)
			}
		}
	}
	if accepted < refused/10 || refused < accepted/10 {
		t.Errorf("%d were accepted and %d refused: that says little", accepted, refused)
	}
}

func partial(m protoreflect.Message) []byte {
	b, err := google.MarshalOptions{AllowPartial: true}.Marshal(m.Interface())
	if err != nil {
		return nil
	}
	return b
}

// compareReading compares the results of both libraries for the same bytes.
func compareReading(t *testing.T, of protoreflect.MessageType, data []byte) (isAccepted bool) {
	t.Helper()
	ours, theirs := of.New().Interface().(proto.Message), of.New().Interface()
	before := bytes.Clone(data)
	oursErr, theirsErr := ours.UnmarshalPB(data), google.Unmarshal(data, theirs)
	if theirsErr == nil {
		// Their Unmarshal does not see a required field missing in most members of a oneof, though their own check does.
		theirsErr = google.CheckInitialized(theirs)
	}
	switch name := of.Descriptor().FullName(); {
	case !bytes.Equal(data, before):
		t.Fatalf("%s: the bytes were changed", name)
	case (oursErr != nil) != (theirsErr != nil):
		t.Fatalf("%s: of %x our error is %v, Google's is %v", name, data, oursErr, theirsErr)
	case oursErr != nil:
		return false
	case !google.Equal(ours, theirs):
		t.Fatalf("%s: of %x we read\n%v\ninstead of\n%v", name, data, ours, theirs)
	}
	inOrder := google.MarshalOptions{Deterministic: true}
	a, _ := inOrder.Marshal(ours)
	b, _ := inOrder.Marshal(theirs)
	if !bytes.Equal(a, b) {
		t.Fatalf("%s: of %x we read what Google writes as\n%x\ninstead of\n%x", of.Descriptor().FullName(), data, a, b)
	}
	return true
}

// vt is the interface of a message that vtprotobuf's code has.
type vt interface {
	MarshalVT() ([]byte, error)
	UnmarshalVT([]byte) error
}

func TestMessagesGoBothWaysBetweenOursAndVtprotobufs(t *testing.T) {
	compared := 0
	for i, of := range types(t) {
		if _, ok := of.Zero().Interface().(vt); !ok {
			continue
		}
		compared++
		for round := range 50 {
			r := random{rand.New(rand.NewSource(int64(1000*i + round))), 50, true}
			m := of.New()
			r.message(m, 3)
			ours, oursErr := proto.Marshal(m.Interface().(proto.Message))
			theirs, theirsErr := m.Interface().(vt).MarshalVT()
			weRead, theyRead, sent := of.New().Interface().(proto.Message), of.New().Interface(), of.New().Interface()
			if oursErr != nil || theirsErr != nil || weRead.UnmarshalPB(theirs) != nil || theyRead.(vt).UnmarshalVT(ours) != nil || google.Unmarshal(theirs, sent) != nil {
				t.Fatalf("%s, round %d: %v, %v", of.Descriptor().FullName(), round, oursErr, theirsErr)
			}
			// Their output may differ: they leave out a negative zero.
			if !google.Equal(weRead, sent) || !google.Equal(theyRead, m.Interface()) {
				t.Fatalf("%s, round %d: of\n%v\nwe read\n%v\nand vtprotobuf\n%v", of.Descriptor().FullName(), round, m, weRead, theyRead)
			}
		}
	}
	if compared < 30 {
		t.Errorf("%d types have vtprotobuf's code", compared)
	}
}
