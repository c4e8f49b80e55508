package sample

import (
	"math/rand"
	"reflect"

	"hone/go/internal/sample/gowords"
	"hone/go/internal/sample/recursive"
	"hone/go/internal/sample/shop/api"
	"hone/go/internal/sample/shop/base"
	"hone/go/thrift"
)

// Message is a generated struct.
type Message interface {
	thrift.Reader
	thrift.Writer
	String() string
}

// Messages are structs of all kinds.
var Messages = []Message{
	new(api.Item), new(api.Order), new(api.Payment), new(api.OutOfStock), new(api.Empty), new(base.Context),
	new(recursive.Node), new(recursive.Tree), new(gowords.Type),
}

// EmptyLike returns an empty struct of the same type.
func EmptyLike(m Message) Message {
	return reflect.New(reflect.TypeOf(m).Elem()).Interface().(Message)
}

// EachRandom calls do with random structs of all kinds. most is the largest number of elements of a container.
func EachRandom(count, most int, do func(filled Message)) {
	random := rand.New(rand.NewSource(1))
	for range count {
		for _, sample := range Messages {
			filled := EmptyLike(sample)
			filler{random, most, false}.fill(reflect.ValueOf(filled).Elem(), random.Intn(6))
			do(filled)
		}
	}
}
