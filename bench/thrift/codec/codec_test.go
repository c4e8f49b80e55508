// Package codec measures how fast messages are read and written: by hone-thrift's code, by thriftgo's FastCodec, by Frugal, and by
// Apache's. All read the same bytes into their own structs of the same definition.
package codec

import (
	"bytes"
	"context"
	"testing"

	"github.com/apache/thrift/lib/go/thrift"
	"github.com/cloudwego/frugal"

	apacheArticle "hone-bench/thrift/generated/apache/article"
	apacheMany "hone-bench/thrift/generated/apache/many"
	apacheOrder "hone-bench/thrift/generated/apache/order"
	fastArticle "hone-bench/thrift/generated/fastgo/article"
	fastMany "hone-bench/thrift/generated/fastgo/many"
	fastOrder "hone-bench/thrift/generated/fastgo/order"
	frugalArticle "hone-bench/thrift/generated/frugal/article"
	frugalMany "hone-bench/thrift/generated/frugal/many"
	frugalOrder "hone-bench/thrift/generated/frugal/order"
	ourArticle "hone-bench/thrift/generated/hone/article"
	ourMany "hone-bench/thrift/generated/hone/many"
	ourOrder "hone-bench/thrift/generated/hone/order"
	kitexArticle "hone-bench/thrift/generated/kitex/article"
	kitexMany "hone-bench/thrift/generated/kitex/many"
	kitexOrder "hone-bench/thrift/generated/kitex/order"
	"hone-bench/thrift/payload"
	hone "hone/go/thrift"
)

// contestant is one codec.
type contestant struct {
	name string
	// makes are empty structs by the name of their kind.
	makes map[string]func() any
	read  func(body []byte, into any) error
	// write writes into a buffer that is long enough, and gives how many bytes it wrote.
	write func(to []byte, from any) (int, error)
}

type ours interface {
	hone.Reader
	hone.Writer
}

type fast interface {
	FastRead([]byte) (int, error)
	BLength() int
	FastWrite([]byte) int
}

func fastRead(body []byte, into any) error {
	_, err := into.(fast).FastRead(body)
	return err
}

func fastWrite(to []byte, from any) (int, error) {
	x := from.(fast)
	return x.FastWrite(to[:x.BLength()]), nil
}

var contestants = []contestant{
	{
		name: "hone",
		makes: map[string]func() any{
			"Order": func() any { return new(ourOrder.Order) }, "Batch": func() any { return new(ourOrder.Batch) },
			"Example": func() any { return new(ourArticle.Example) }, "Whole": func() any { return new(ourMany.Whole) },
		},
		read: func(body []byte, into any) error { return hone.Unmarshal(body, into.(ours)) },
		write: func(to []byte, from any) (int, error) {
			return len(hone.Append(to[:0], from.(ours))), nil
		},
	},
	{
		// hone-thrift's code with the methods that Kitex calls.
		name: "kitex",
		makes: map[string]func() any{
			"Order": func() any { return new(kitexOrder.Order) }, "Batch": func() any { return new(kitexOrder.Batch) },
			"Example": func() any { return new(kitexArticle.Example) }, "Whole": func() any { return new(kitexMany.Whole) },
		},
		read:  fastRead,
		write: fastWrite,
	},
	{
		name: "fastgo",
		makes: map[string]func() any{
			"Order": func() any { return new(fastOrder.Order) }, "Batch": func() any { return new(fastOrder.Batch) },
			"Example": func() any { return new(fastArticle.Example) }, "Whole": func() any { return new(fastMany.Whole) },
		},
		read:  fastRead,
		write: fastWrite,
	},
	{
		name: "frugal",
		makes: map[string]func() any{
			"Order": func() any { return new(frugalOrder.Order) }, "Batch": func() any { return new(frugalOrder.Batch) },
			"Example": func() any { return new(frugalArticle.Example) }, "Whole": func() any { return new(frugalMany.Whole) },
		},
		read: func(body []byte, into any) error {
			_, err := frugal.DecodeObject(body, into)
			return err
		},
		write: func(to []byte, from any) (int, error) {
			return frugal.EncodeObject(to[:frugal.EncodedSize(from)], nil, from)
		},
	},
	{
		name: "apache",
		makes: map[string]func() any{
			"Order": func() any { return new(apacheOrder.Order) }, "Batch": func() any { return new(apacheOrder.Batch) },
			"Example": func() any { return new(apacheArticle.Example) }, "Whole": func() any { return new(apacheMany.Whole) },
		},
		read: func(body []byte, into any) error {
			memory := thrift.TMemoryBuffer{Buffer: bytes.NewBuffer(body)}
			return into.(thrift.TStruct).Read(thrift.NewTBinaryProtocolTransport(&memory))
		},
		write: func(to []byte, from any) (int, error) {
			memory := thrift.TMemoryBuffer{Buffer: bytes.NewBuffer(to[:0])}
			protocol := thrift.NewTBinaryProtocolTransport(&memory)
			err := from.(thrift.TStruct).Write(protocol)
			protocol.Flush(context.Background())
			return memory.Len(), err
		},
	},
}

// Everybody writes as many bytes as there were, and what they write is read again as the same.
func TestAllContestantsAgree(t *testing.T) {
	for _, m := range payload.Messages() {
		for _, c := range contestants {
			value := c.makes[m.Kind]()
			if err := c.read(m.Body, value); err != nil {
				t.Fatalf("%s: %s: %v", m.Name, c.name, err)
			}
			written := make([]byte, 2*len(m.Body))
			n, err := c.write(written, value)
			if err != nil || n != len(m.Body) {
				t.Fatalf("%s: %s wrote %d bytes: %v", m.Name, c.name, n, err)
			}
			expected, got := contestants[0].makes[m.Kind]().(ours), contestants[0].makes[m.Kind]().(ours)
			if err := hone.Unmarshal(m.Body, expected); err != nil {
				t.Fatal(err)
			}
			if err := hone.Unmarshal(written[:n], got); err != nil || !hone.DeepEqual(expected, got) {
				t.Fatalf("%s: what %s wrote is something else: %v", m.Name, c.name, err)
			}
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for _, m := range payload.Messages() {
		for _, c := range contestants {
			b.Run(m.Name+"/codec="+c.name, func(b *testing.B) {
				b.ReportAllocs()
				makeOne := c.makes[m.Kind]
				for b.Loop() {
					if err := c.read(m.Body, makeOne()); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	for _, m := range payload.Messages() {
		to := make([]byte, 2*len(m.Body))
		b.Run(m.Name+"/codec=copy", func(b *testing.B) {
			for b.Loop() {
				copy(to, m.Body)
			}
		})
		for _, c := range contestants {
			value := c.makes[m.Kind]()
			if err := c.read(m.Body, value); err != nil {
				b.Fatal(err)
			}
			b.Run(m.Name+"/codec="+c.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := c.write(to, value); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
