// Package current measures the current version of Apache's Go library, which needs other generated code than thriftgo's: Apache's own.
package current

import (
	"context"
	"testing"

	"github.com/apache/thrift/lib/go/thrift"

	"hone/bench/thrift/apache-current/generated/article"
	"hone/bench/thrift/apache-current/generated/many"
	"hone/bench/thrift/apache-current/generated/order"
	"hone/bench/thrift/payload"
	"hone/bench/thrift/timed"
)

var empty = map[string]func() thrift.TStruct{
	"order.Order":     func() thrift.TStruct { return order.NewOrder() },
	"order.Batch":     func() thrift.TStruct { return order.NewBatch() },
	"article.Example": func() thrift.TStruct { return article.NewExample() },
	"many.Whole":      func() thrift.TStruct { return many.NewWhole() },
}

// codec reads and writes with the same protocols each time.
type codec struct {
	memory   *thrift.TMemoryBuffer
	protocol thrift.TProtocol
}

func newCodec() codec {
	memory := thrift.NewTMemoryBuffer()
	return codec{memory, thrift.NewTBinaryProtocolConf(memory, nil)}
}

func (c codec) read(body []byte, into thrift.TStruct) error {
	c.memory.Reset()
	c.memory.Write(body)
	return into.Read(context.Background(), c.protocol)
}

func (c codec) write(from thrift.TStruct) (int, error) {
	c.memory.Reset()
	err := from.Write(context.Background(), c.protocol)
	return c.memory.Len(), err
}

func TestAgree(t *testing.T) {
	for _, m := range payload.Messages() {
		value := empty[m.Kind]()
		if err := newCodec().read(m.Body, value); err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		if n, err := newCodec().write(value); err != nil || n != len(m.Body) {
			t.Fatalf("%s: %d bytes were written: %v", m.Name, n, err)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for _, m := range payload.Messages() {
		b.Run(m.Name+"/codec=current", func(b *testing.B) {
			c := newCodec()
			timed.Run(b, func() error { return c.read(m.Body, empty[m.Kind]()) })
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	for _, m := range payload.Messages() {
		c, value := newCodec(), empty[m.Kind]()
		if err := c.read(m.Body, value); err != nil {
			b.Fatal(err)
		}
		b.Run(m.Name+"/codec=current", func(b *testing.B) {
			timed.Run(b, func() error {
				_, err := c.write(value)
				return err
			})
		})
	}
}
