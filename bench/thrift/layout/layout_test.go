// Package layout measures the cost of error branches: the same codec without them, with them behind the return, and between its instructions.
package layout

import (
	"testing"

	honeArticle "hone/bench/thrift/generated/hone/article"
	honeMany "hone/bench/thrift/generated/hone/many"
	honeOrder "hone/bench/thrift/generated/hone/order"
	inlineArticle "hone/bench/thrift/generated/inline/article"
	inlineMany "hone/bench/thrift/generated/inline/many"
	inlineOrder "hone/bench/thrift/generated/inline/order"
	insideArticle "hone/bench/thrift/generated/inside/article"
	insideMany "hone/bench/thrift/generated/inside/many"
	insideOrder "hone/bench/thrift/generated/inside/order"
	labelsArticle "hone/bench/thrift/generated/labels/article"
	labelsMany "hone/bench/thrift/generated/labels/many"
	labelsOrder "hone/bench/thrift/generated/labels/order"
	"hone/bench/thrift/payload"
	"hone/bench/thrift/timed"
	"hone/go/thrift"
)

// shapes are the codecs, with empty structs by the name of their kind.
var shapes = []struct {
	name  string
	makes map[string]func() thrift.Reader
}{
	{"none", map[string]func() thrift.Reader{
		"order.Order": func() thrift.Reader { return new(honeOrder.Order) }, "order.Batch": func() thrift.Reader { return new(honeOrder.Batch) },
		"article.Example": func() thrift.Reader { return new(honeArticle.Example) }, "many.Whole": func() thrift.Reader { return new(honeMany.Whole) },
	}},
	{"labels", map[string]func() thrift.Reader{
		"order.Order": func() thrift.Reader { return new(labelsOrder.Order) }, "order.Batch": func() thrift.Reader { return new(labelsOrder.Batch) },
		"article.Example": func() thrift.Reader { return new(labelsArticle.Example) }, "many.Whole": func() thrift.Reader { return new(labelsMany.Whole) },
	}},
	{"inline", map[string]func() thrift.Reader{
		"order.Order": func() thrift.Reader { return new(inlineOrder.Order) }, "order.Batch": func() thrift.Reader { return new(inlineOrder.Batch) },
		"article.Example": func() thrift.Reader { return new(inlineArticle.Example) }, "many.Whole": func() thrift.Reader { return new(inlineMany.Whole) },
	}},
	{"inside", map[string]func() thrift.Reader{
		"order.Order": func() thrift.Reader { return new(insideOrder.Order) }, "order.Batch": func() thrift.Reader { return new(insideOrder.Batch) },
		"article.Example": func() thrift.Reader { return new(insideArticle.Example) }, "many.Whole": func() thrift.Reader { return new(insideMany.Whole) },
	}},
}

func BenchmarkRead(b *testing.B) {
	for _, m := range payload.Messages() {
		for _, shape := range shapes {
			b.Run(m.Name+"/branches="+shape.name, func(b *testing.B) {
				makeOne := shape.makes[m.Kind]
				timed.Run(b, func() error { return thrift.Unmarshal(m.Body, makeOne()) })
			})
		}
	}
}
