package proto_test

import (
	"bytes"
	"testing"

	google "google.golang.org/protobuf/proto"
	"hone/go/internal/protosample"
	"hone/go/proto"
)

// For any bytes, this package and Google's both refuse them, or both read the same message.
func FuzzBothReadTheSame(f *testing.F) {
	whole, err := google.Marshal(full())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	for _, seed := range [][]byte{
		{}, {0x8a, 0x00, 0x01, 'a'}, {0x6a, 2, 0x6a, 0}, {0xa3, 1, 0xa3, 1, 0xa4, 1, 0xa4, 1}, {0xa3, 1, 0xa4, 2}, {0x52, 2, 0xff, 0x01}, {0x52, 1, 0xff}, {0x5a, 3, 1, 2, 0x83},
		{0x62, 7, 1, 2, 3, 4, 5, 6, 7}, {0x7a, 0}, {0x7a, 4, 0x12, 2, 0x10, 1}, {0x82, 1, 6, 0x08, 1, 0x12, 0, 0x18, 5}, {0x9a, 1, 2, 'h', 'i', 0x9a, 1, 0}, {0xba, 1, 3, 0x08, 0x80, 0x01},
		{0x72, 0, 0xf2, 0x00, 0, 0x72, 0}, {0xaa, 1, 4, 0x08, 5, 0x18, 6}, {0x08, 1}, {0x28, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
	} {
		f.Add(seed)
	}
	for cut := range 40 {
		f.Add(whole[:len(whole)*cut/40])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := bytes.Clone(data)
		var ours, theirs protosample.Sample
		oursErr, theirsErr := ours.UnmarshalPB(data), google.Unmarshal(data, &theirs)
		switch {
		case !bytes.Equal(data, before):
			t.Fatal("the bytes were changed")
		case (oursErr != nil) != (theirsErr != nil):
			t.Fatalf("our error is %v, Google's is %v", oursErr, theirsErr)
		case oursErr != nil:
			return
		case !google.Equal(&ours, &theirs):
			t.Fatalf("we read\n%v\ninstead of\n%v", &ours, &theirs)
		}
		written, err := proto.Marshal(&ours)
		var again protosample.Sample
		if err != nil || google.Unmarshal(written, &again) != nil || !google.Equal(&again, &theirs) {
			t.Fatalf("we write\n%v\ninstead of\n%v (%v)", &again, &theirs, err)
		}
	})
}

// Messages with extensions and required fields take another way through the code.
func FuzzBothReadTheSameOfAMessageWithExtensions(f *testing.F) {
	for _, seed := range [][]byte{
		{}, {0x08, 1}, {0x08, 1, 0xa2, 6, 2, 0x10, 5}, {0x08, 1, 0x12, 2, 0x08, 2}, {0x08, 1, 0xa8, 6, 1},
		{0x08, 1, 0xa2, 6, 2, 0x0a, 5}, {0x08, 1, 0x12, 3, 0x08, 2, 0xc8}, {0x0c},
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var ours, theirs protosample.Strict
		oursErr, theirsErr := ours.UnmarshalPB(data), google.Unmarshal(data, &theirs)
		if (oursErr != nil) != (theirsErr != nil) || oursErr == nil && !google.Equal(&ours, &theirs) {
			t.Fatalf("we read\n%v (%v)\ninstead of\n%v (%v)", &ours, oursErr, &theirs, theirsErr)
		}
	})
}
