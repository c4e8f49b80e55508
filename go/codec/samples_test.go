package codec_test

import (
	"math/rand"
	"reflect"

	"hone/go/internal/fill"
	"hone/go/internal/sample/gowords"
	"hone/go/internal/sample/recursive"
	"hone/go/internal/sample/shop/api"
	"hone/go/internal/sample/shop/base"
	"hone/go/thrift"
)

// message is a generated struct.
type message interface {
	thrift.Reader
	thrift.Writer
	String() string
}

// samples are structs of all kinds.
var samples = []message{
	new(api.Item), new(api.Order), new(api.Payment), new(api.OutOfStock), new(api.Empty), new(base.Context),
	new(recursive.Node), new(recursive.Tree), new(gowords.Type),
}

func emptyLike(m any) message {
	return reflect.New(reflect.TypeOf(m).Elem()).Interface().(message)
}

// eachRandom calls with random structs of all kinds. most is how many elements a container has at most.
func eachRandom(count, most int, do func(filled message)) {
	random := rand.New(rand.NewSource(1))
	for range count {
		for _, sample := range samples {
			filled := emptyLike(sample)
			fill.Struct(random, filled, random.Intn(6), most)
			do(filled)
		}
	}
}
