package codec_test

import (
	"bytes"
	"errors"
	"math/rand"
	"runtime"
	"sync"
	"testing"

	"hone/go/codec"
	"hone/go/internal/sample"
	"hone/go/internal/sample/recursive"
	"hone/go/internal/sample/shop/api"
	"hone/go/thrift"
)

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	b, err := codec.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBytesAreThoseOfGeneratedCode(t *testing.T) {
	// A map of several entries has no order, so containers have one entry at most here.
	sample.EachRandom(200, 1, func(filled sample.Message) {
		want := thrift.Marshal(filled)
		if got := marshal(t, filled); !bytes.Equal(got, want) {
			t.Fatalf("%T:\n%.300x\n%.300x", filled, got, want)
		}
		if size, err := codec.Size(filled); err != nil || size != len(want) {
			t.Fatalf("%T: %d bytes, not %d: %v", filled, size, len(want), err)
		}
		behind, err := codec.Append([]byte("head"), filled)
		if err != nil || string(behind[:4]) != "head" || !bytes.Equal(behind[4:], want) {
			t.Fatalf("%T: %v: %x", filled, err, behind)
		}
	})
}

func TestWhatGeneratedCodeWritesIsReadAsItDoes(t *testing.T) {
	sample.EachRandom(150, 5, func(filled sample.Message) {
		written, ours := thrift.Marshal(filled), marshal(t, filled)
		if len(written) != len(ours) {
			t.Fatalf("%T: %d bytes, not %d", filled, len(ours), len(written))
		}
		for _, texts := range []thrift.Texts{thrift.Together, thrift.Apart, thrift.Borrowed} {
			want, got, back := sample.EmptyLike(filled), sample.EmptyLike(filled), sample.EmptyLike(filled)
			options := thrift.Options{Texts: texts}
			if err := errors.Join(thrift.UnmarshalWith(options, written, want), codec.UnmarshalWith(options, written, got),
				thrift.UnmarshalWith(options, ours, back)); err != nil {
				t.Fatal(err)
			}
			if !thrift.DeepEqual(got, want) || !thrift.DeepEqual(back, want) {
				t.Fatalf("%.500v was read as %.500v and %.500v", want, got, back)
			}
		}
	})
}

// sameOutcome reads a message by both codecs: they must give the same values and errors.
func sameOutcome(t *testing.T, b []byte, like sample.Message) {
	t.Helper()
	want, got := sample.EmptyLike(like), sample.EmptyLike(like)
	wantErr, gotErr := thrift.Unmarshal(b, want), codec.Unmarshal(b, got)
	switch {
	case wantErr == nil && gotErr == nil:
		if !thrift.DeepEqual(got, want) {
			t.Fatalf("%.300x:\n%.500v was read as\n%.500v", b, want, got)
		}
		kept, ours := thrift.Marshal(want), marshal(t, got)
		if len(kept) != len(ours) {
			t.Fatalf("%.300x is written as %.300x, not as %.300x", b, ours, kept)
		}
	case wantErr == nil || gotErr == nil || wantErr.Error() != gotErr.Error():
		t.Fatalf("%T: %.300x: %v, not %v", like, b, gotErr, wantErr)
	}
}

func TestDamagedMessagesHaveTheErrorsOfGeneratedCode(t *testing.T) {
	random := rand.New(rand.NewSource(2))
	sample.EachRandom(40, 4, func(filled sample.Message) {
		written := thrift.Marshal(filled)
		if len(written) > 4000 {
			return
		}
		for range 20 {
			damaged := bytes.Clone(written)
			for range 1 + random.Intn(3) {
				damaged[random.Intn(len(damaged))] = byte(random.Intn(20))
			}
			end := len(damaged)
			if random.Intn(3) == 0 {
				end = random.Intn(end)
			}
			sameOutcome(t, damaged[:end:end], filled)
		}
	})
}

func TestAnotherStructsMessagesAreReadAsGeneratedCodeDoes(t *testing.T) {
	// The messages have fields that the struct does not know, fields of other types, and fewer fields.
	sample.EachRandom(10, 3, func(filled sample.Message) {
		written := thrift.Marshal(filled)
		for _, other := range sample.Messages {
			sameOutcome(t, written, other)
		}
	})
}

func TestTheOrderOfFieldsMakesNoDifference(t *testing.T) {
	first, second := thrift.Marshal(&api.Item{ID: 1, Name: "a"}), thrift.Marshal(&api.Item{ID: 2, Labels: []string{"b"}})
	both := append(first[:len(first)-1:len(first)-1], second...)
	sameOutcome(t, both, new(api.Item))
	unknown := append([]byte("\x08\x7f\x01\x00\x00\x00\x01\x0b\x7f\x02\x00\x00\x00\x01x"), both...)
	sameOutcome(t, unknown, new(api.Item))
	var item api.Item
	if err := codec.Unmarshal(unknown, &item); err != nil || !bytes.Contains(marshal(t, &item), unknown[:15]) {
		t.Fatal("unknown fields were lost", err)
	}
}

func TestWhatFollowsAStructIsLeftAlone(t *testing.T) {
	written := thrift.Marshal(&api.Item{ID: 1, Name: "a"})
	var item api.Item
	n, err := codec.UnmarshalPrefix(append(bytes.Clone(written), "more"...), &item)
	if err != nil || n != len(written) || item.Name != "a" {
		t.Fatal(n, err)
	}
	if err := codec.Unmarshal(append(bytes.Clone(written), 0), &item); !errors.Is(err, thrift.Trailing) {
		t.Fatal(err)
	}
}

func TestNothingIsAnEmptyStruct(t *testing.T) {
	if got := marshal(t, (*api.Item)(nil)); string(got) != "\x00" {
		t.Fatalf("%x", got)
	}
	node := recursive.Node{Value: 7}
	if got := marshal(t, node); !bytes.Equal(got, thrift.Marshal(&node)) {
		t.Fatalf("%x", got)
	}
}

func TestDefaultsAreThoseOfGeneratedCode(t *testing.T) {
	order := api.Payment{Barter: api.NewItem()}
	order.Barter.ID = 3
	written := marshal(t, &order)
	if !bytes.Equal(written, thrift.Marshal(&order)) {
		t.Fatalf("%.300x", written)
	}
	sameOutcome(t, written, new(api.Payment))
	var read api.Payment
	if err := codec.Unmarshal(written, &read); err != nil || read.Barter.Price != order.Barter.Price {
		t.Fatal(read, err)
	}
}

func TestAllocationIsBoundedByTheMessage(t *testing.T) {
	const size = 4 << 20
	messages := map[string][]byte{
		"structs that are not there": append([]byte("\x0f\x00\x03\x0c\x7f\xff\xff\xff"), make([]byte, size)...),
		"empty structs":              append([]byte("\x0f\x00\x03\x0c\x00\x3f\xff\xff"), make([]byte, size)...),
		"a map of empty unions":      append([]byte("\x0d\x00\x04\x0b\x0c\x00\x03\x00\x00"), make([]byte, size)...),
	}
	if err := codec.Check(new(recursive.Node)); err != nil {
		t.Fatal(err)
	}
	for name, message := range messages {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := codec.Unmarshal(message, new(recursive.Node))
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Fatalf("%s: it was read", name)
		}
		limit := uint64(thrift.DefaultLimits.Expansion*len(message) + thrift.DefaultLimits.Slack)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > limit {
			t.Fatalf("%s: %d bytes for a message of %d (%v)", name, taken, len(message), err)
		}
	}
}

func TestDepthIsBounded(t *testing.T) {
	for _, field := range []string{"\x0c\x00\x02", "\x0c\x00\x77"} {
		deep := bytes.Repeat([]byte(field), 100_000)
		if err := codec.Unmarshal(deep, new(recursive.Node)); !errors.Is(err, thrift.TooDeep) {
			t.Fatal(err)
		}
	}
}

func TestManyCanReadAndWriteAtOnce(t *testing.T) {
	type local struct {
		A map[string]*api.Item `thrift:"a,1"`
		B []local              `thrift:"b,2"`
	}
	want := local{A: map[string]*api.Item{"x": {ID: 1}}, B: []local{{}, {A: map[string]*api.Item{}}}}
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 50 {
				var got local
				written, err := codec.Marshal(&want)
				if err == nil {
					err = codec.Unmarshal(written, &got)
				}
				if err != nil || len(got.A) != 1 || got.A["x"].ID != 1 || len(got.B) != 2 {
					t.Error(got, err)
				}
			}
		}()
	}
	all.Wait()
}

func FuzzUnmarshal(f *testing.F) {
	sample.EachRandom(1, 3, func(filled sample.Message) { f.Add(thrift.Marshal(filled)) })
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, of := range sample.Messages {
			sameOutcome(t, b, of)
		}
	})
}
