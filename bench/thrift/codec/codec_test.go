// Package codec measures how fast hone-thrift's code, thriftgo's FastCodec, Frugal and Apache's code read and write messages. All read the same bytes
// into their own structs of the same definition.
package codec

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/apache/thrift/lib/go/thrift"
	"github.com/cloudwego/frugal"

	"hone/bench/thrift/generated/kinds"
	"hone/bench/thrift/payload"
	"hone/bench/thrift/timed"
	hone "hone/go/thrift"
)

// contestant is one codec.
type contestant struct {
	name string
	read func(body []byte, into any) error
	// write writes into a buffer that is long enough, and returns the number of bytes.
	write func(to []byte, from any) (int, error)
}

// empty returns a function that makes empty structs of a kind, of the codec's own code.
func (c contestant) empty(kind string) func() any {
	code := c.name
	if code == "again" {
		code = "hone"
	}
	return kinds.Empty[code][kind]
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
		read: func(body []byte, into any) error { return hone.Unmarshal(body, into.(hone.Reader)) },
		write: func(to []byte, from any) (int, error) {
			return len(hone.Append(to[:0], from.(hone.Writer))), nil
		},
	},
	{
		// hone-thrift's code with the methods that Kitex calls.
		name:  "kitex",
		read:  fastRead,
		write: fastWrite,
	},
	{
		name:  "fastgo",
		read:  fastRead,
		write: fastWrite,
	},
	{
		name: "frugal",
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

// again is hone once more, measured after its peers: the difference to hone shows the error of measurement.
func init() {
	again := contestants[0]
	again.name = "again"
	contestants = append(contestants, again)
}

// messages calls each with all messages and their contestants: Apache's code only takes part for the messages by which the codec was tuned.
func messages(each func(m payload.Message, by []contestant)) {
	for _, m := range payload.Messages() {
		each(m, contestants)
	}
	withoutApache := slices.DeleteFunc(slices.Clone(contestants), func(c contestant) bool { return c.name == "apache" })
	for _, m := range payload.Others() {
		each(m, withoutApache)
	}
}

// All contestants write the original number of bytes, and read equal values from each other's output.
func TestAllContestantsAgree(t *testing.T) {
	messages(func(m payload.Message, by []contestant) {
		for _, c := range by {
			value := c.empty(m.Kind)()
			if err := c.read(m.Body, value); err != nil {
				t.Fatalf("%s: %s: %v", m.Name, c.name, err)
			}
			written := make([]byte, 2*len(m.Body))
			n, err := c.write(written, value)
			if err != nil || n != len(m.Body) {
				t.Fatalf("%s: %s wrote %d bytes of %d: %v", m.Name, c.name, n, len(m.Body), err)
			}
			expected, got := contestants[0].empty(m.Kind)().(ours), contestants[0].empty(m.Kind)().(ours)
			if err := hone.Unmarshal(m.Body, expected); err != nil {
				t.Fatal(err)
			}
			if err := hone.Unmarshal(written[:n], got); err != nil || !hone.DeepEqual(expected, got) {
				t.Fatalf("%s: what %s wrote is something else: %v", m.Name, c.name, err)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	messages(func(m payload.Message, by []contestant) {
		for _, c := range by {
			b.Run(m.Name+"/codec="+c.name, func(b *testing.B) {
				makeOne := c.empty(m.Kind)
				timed.Run(b, func() error { return c.read(m.Body, makeOne()) })
			})
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	messages(func(m payload.Message, by []contestant) {
		to := make([]byte, 2*len(m.Body))
		b.Run(m.Name+"/codec=copy", func(b *testing.B) {
			timed.Run(b, func() error { copy(to, m.Body); return nil })
		})
		for _, c := range by {
			value := c.empty(m.Kind)()
			if err := c.read(m.Body, value); err != nil {
				b.Fatal(err)
			}
			b.Run(m.Name+"/codec="+c.name, func(b *testing.B) {
				timed.Run(b, func() error {
					_, err := c.write(to, value)
					return err
				})
			})
		}
	})
}
