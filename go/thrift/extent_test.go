package thrift_test

import (
	"testing"

	"hone/go/internal/sample/shop/api"
	"hone/go/internal/sample/shop/base"
	"hone/go/thrift"
)

// full is a message with values of all types, in each other.
func full() []byte {
	item := api.NewItem()
	item.Contexts = map[string]*base.Context{"a": {Caller: "b", Tags: map[string]string{"c": "d", "": "e"}}, "f": {}}
	item.Sizes, item.Numbers, item.Words = []int32{1, 2, 3}, []int32{}, []string{"x", ""}
	item.Deep = map[string][]map[int32][]string{"g": {{1: {"h"}, 2: {}}, {}}}
	item.Parent = &api.Item{ID: 3, Digest: []byte("i")}
	all := &api.ShopAllResult{Success: map[string][]*api.Item{"j": {item, {}}, "k": {}}}
	return thrift.Binary{}.AppendMessage(nil, thrift.Header{Method: "all", Type: thrift.Reply, Sequence: -1}, all)
}

func TestTheEndOfAMessageIsFoundInEveryPart(t *testing.T) {
	whole := full()
	for _, step := range []int{1, 2, 3, 7, 50} {
		extent := thrift.Binary{}.NewExtent()
		for n := 0; n < len(whole); n += step {
			if length, err := extent.Length(whole[:n]); length != 0 || err != nil {
				t.Fatalf("%d bytes of %d: %d, %v", n, len(whole), length, err)
			}
		}
		longer := append(whole[:len(whole):len(whole)], "and more"...)
		if length, err := extent.Length(longer); length != len(whole) || err != nil {
			t.Fatal(length, err)
		}
	}
}

// A part that comes must not cost as much as all parts before it. The test does not tell that by a clock, but by the bytes that are
// read: if the code looks at the message from its start again, it finds a byte that the test has changed since.
func TestNoByteIsLookedAtTwice(t *testing.T) {
	whole := full()
	extent := thrift.Binary{}.NewExtent()
	part := append([]byte(nil), whole[:len(whole)-1]...)
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

// FuzzTheEndOfAMessage checks that a message that comes in parts ends where the whole message ends, and that no end is beyond the
// bytes that came.
func FuzzTheEndOfAMessage(f *testing.F) {
	f.Add(full(), 3)
	for _, h := range hostile {
		f.Add([]byte(h.bytes), 1)
	}
	f.Fuzz(func(t *testing.T, b []byte, step int) {
		whole, fault := thrift.Binary{}.Length(b)
		if whole > len(b) || whole < 0 {
			t.Fatal(whole, len(b))
		}
		extent := thrift.Binary{}.NewExtent()
		for n := 0; ; n = min(n+max(1, step), len(b)) {
			length, err := extent.Length(b[:n])
			if err != nil || length > 0 || n == len(b) {
				if length != whole || (err == nil) != (fault == nil) {
					t.Fatalf("%d, %v in parts, %d, %v as a whole", length, err, whole, fault)
				}
				return
			}
		}
	})
}
