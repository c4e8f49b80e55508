package compat_test

import (
	"bytes"
	"context"
	"math/rand"
	"reflect"
	"testing"

	apache "github.com/apache/thrift/lib/go/thrift"
	gopkg "github.com/cloudwego/gopkg/protocol/thrift"

	"hone/go/compat/kitex/ours/recursive"
	"hone/go/compat/kitex/ours/shop/api"
	"hone/go/compat/kitex/ours/shop/base"
	"hone/go/thrift"
	theirRecursive "peer/recursive"
	theirAPI "peer/shop/api"
	theirBase "peer/shop/base"
)

// ours and theirs are structs by hone-thrift and by thriftgo.
type ours interface {
	thrift.Reader
	thrift.Writer
	gopkg.FastCodec
	apache.TStruct
}

type theirs interface {
	gopkg.FastCodec
	apache.TStruct
}

var kinds = []struct {
	ours   func() ours
	theirs func() theirs
}{
	{func() ours { return new(api.Item) }, func() theirs { return new(theirAPI.Item) }},
	{func() ours { return new(api.Order) }, func() theirs { return new(theirAPI.Order) }},
	{func() ours { return new(api.Payment) }, func() theirs { return new(theirAPI.Payment) }},
	{func() ours { return new(api.OutOfStock) }, func() theirs { return new(theirAPI.OutOfStock) }},
	{func() ours { return new(api.Empty) }, func() theirs { return new(theirAPI.Empty) }},
	{func() ours { return new(api.ShopOrderArgs) }, func() theirs { return new(theirAPI.ShopOrderArgs) }},
	{func() ours { return new(api.ShopAllResult) }, func() theirs { return new(theirAPI.ShopAllResult) }},
	{func() ours { return new(base.Context) }, func() theirs { return new(theirBase.Context) }},
	{func() ours { return new(recursive.Node) }, func() theirs { return new(theirRecursive.Node) }},
	{func() ours { return new(recursive.Tree) }, func() theirs { return new(theirRecursive.Tree) }},
}

func eachRandom(t *testing.T, do func(filled, want ours, empty func() ours, theirs theirs)) {
	source := rand.New(rand.NewSource(1))
	for range 100 {
		for _, kind := range kinds {
			filled, want := kind.ours(), kind.ours()
			random{source, source.Intn(7), 3}.fill(reflect.ValueOf(filled).Elem())
			// Nil and empty values are the same on the wire.
			if err := thrift.Unmarshal(thrift.Marshal(filled), want); err != nil {
				t.Fatal(err)
			}
			do(filled, want, kind.ours, kind.theirs())
		}
	}
}

func same(t *testing.T, want, got ours) {
	t.Helper()
	if !thrift.DeepEqual(want, got) {
		t.Fatalf("%v became %v", want, got)
	}
}

func TestFastCodec(t *testing.T) {
	eachRandom(t, func(filled, want ours, empty func() ours, theirs theirs) {
		if err := gopkg.FastUnmarshal(gopkg.FastMarshal(filled), theirs); err != nil {
			t.Fatalf("%T: %v", filled, err)
		}
		got := empty()
		if err := gopkg.FastUnmarshal(gopkg.FastMarshal(theirs), got); err != nil {
			t.Fatalf("%T: %v", filled, err)
		}
		same(t, want, got)
	})
}

func TestApachesProtocols(t *testing.T) {
	for name, protocol := range map[string]func(apache.TTransport) apache.TProtocol{
		"binary":  func(t apache.TTransport) apache.TProtocol { return apache.NewTBinaryProtocolTransport(t) },
		"compact": func(t apache.TTransport) apache.TProtocol { return apache.NewTCompactProtocol(t) },
		"json":    func(t apache.TTransport) apache.TProtocol { return apache.NewTJSONProtocol(t) },
	} {
		t.Run(name, func(t *testing.T) {
			eachRandom(t, func(filled, want ours, empty func() ours, theirs theirs) {
				move(t, protocol, filled, theirs)
				got := empty()
				move(t, protocol, theirs, got)
				same(t, want, got)
			})
		})
	}
}

// move writes one struct and reads it into another.
func move(t *testing.T, protocol func(apache.TTransport) apache.TProtocol, from, into apache.TStruct) {
	t.Helper()
	buffer := &apache.TMemoryBuffer{Buffer: new(bytes.Buffer)}
	out := protocol(buffer)
	if err := from.Write(out); err != nil {
		t.Fatalf("%T: %v", from, err)
	}
	if err := out.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := into.Read(protocol(buffer)); err != nil {
		t.Fatalf("%T: %v", into, err)
	}
}
