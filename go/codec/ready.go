package codec

import (
	"reflect"

	"hone/go/raw"
	"hone/go/thrift"
)

// ready is the code for one type of container. The type is written out in the code, so that Go's compiler can make it fast.
type ready struct {
	read  func(d *thrift.Decoder, off int, into raw.Ref) int
	write func(b []byte, off int, from raw.Ref) int
}

func readyOf[T any](read func(*thrift.Decoder, int) (T, int), write func([]byte, int, T) int) *ready {
	return &ready{
		read: func(d *thrift.Decoder, off int, into raw.Ref) int {
			value, end := read(d, off)
			*raw.At[T](into) = value
			return end
		},
		write: func(b []byte, off int, from raw.Ref) int { return write(b, off, *raw.At[T](from)) },
	}
}

// lists are the code of lists, by the type of their elements.
var lists = map[reflect.Type]*ready{
	reflect.TypeFor[bool]():    readyOf((*thrift.Decoder).BoolList, thrift.PutBoolList),
	reflect.TypeFor[int8]():    readyOf((*thrift.Decoder).I8List, thrift.PutI8List),
	reflect.TypeFor[int16]():   readyOf((*thrift.Decoder).I16List, thrift.PutI16List),
	reflect.TypeFor[int32]():   readyOf((*thrift.Decoder).I32List, thrift.PutI32List),
	reflect.TypeFor[int64]():   readyOf((*thrift.Decoder).I64List, thrift.PutI64List),
	reflect.TypeFor[float64](): readyOf((*thrift.Decoder).DoubleList, thrift.PutDoubleList),
	reflect.TypeFor[string]():  readyOf((*thrift.Decoder).TextList, thrift.PutTextList),
}

// part is the code of a map's keys or values.
type part[T any] struct {
	wire  thrift.Type
	read  func(*thrift.Decoder, int) (T, int)
	write func([]byte, int, T) int
}

var (
	bools   = part[bool]{thrift.Bool, (*thrift.Decoder).BoolElement, thrift.PutBoolElement}
	i32s    = part[int32]{thrift.I32, (*thrift.Decoder).I32Element, thrift.PutI32Element}
	i64s    = part[int64]{thrift.I64, (*thrift.Decoder).I64Element, thrift.PutI64Element}
	doubles = part[float64]{thrift.Double, (*thrift.Decoder).DoubleElement, thrift.PutDoubleElement}
	texts   = part[string]{thrift.String, (*thrift.Decoder).TextElement, thrift.PutTextElement}
	i32list = part[[]int32]{thrift.List, (*thrift.Decoder).I32List, thrift.PutI32List}
	i64list = part[[]int64]{thrift.List, (*thrift.Decoder).I64List, thrift.PutI64List}
	textsOf = part[[]string]{thrift.List, (*thrift.Decoder).TextList, thrift.PutTextList}
)

// maps are the code of maps, by the type of the map.
var maps = map[reflect.Type]*ready{
	reflect.TypeFor[map[string]string](): readyOf((*thrift.Decoder).TextMap, thrift.PutTextMap),
}

func init() {
	addMaps(texts)
	addMaps(i32s)
	addMaps(i64s)
}

// addMaps adds the code of maps with one type of keys.
func addMaps[K comparable](key part[K]) {
	addMap(key, bools)
	addMap(key, i32s)
	addMap(key, i64s)
	addMap(key, doubles)
	addMap(key, i32list)
	addMap(key, i64list)
	addMap(key, textsOf)
	if key.wire != thrift.String {
		addMap(key, texts)
	}
}

func addMap[K comparable, V any](key part[K], value part[V]) {
	maps[reflect.TypeFor[map[K]V]()] = readyOf(
		func(d *thrift.Decoder, off int) (map[K]V, int) { return readMap(d, off, key, value) },
		func(b []byte, off int, pairs map[K]V) int {
			off = thrift.PutMapHead(b, off, key.wire, value.wire, len(pairs))
			for k, v := range pairs {
				off = key.write(b, off, k)
				off = value.write(b, off, v)
			}
			return off
		},
	)
}

func readMap[K comparable, V any](d *thrift.Decoder, off int, key part[K], value part[V]) (map[K]V, int) {
	n, at := d.MapHead(off, key.wire, value.wire)
	pairs := thrift.Pairs[K, V](d, n, off)
	for range n {
		var k K
		var v V
		k, at = key.read(d, at)
		v, at = value.read(d, at)
		if d.Broken() {
			break
		}
		pairs[k] = v
	}
	return pairs, at
}

// pointers are the code of optional scalars of Go's own types.
var pointers = map[reflect.Type]func(d *thrift.Decoder, off int, into raw.Ref) (int, uint32){
	reflect.TypeFor[*bool]():    pointerOf((*thrift.Decoder).BoolPointer),
	reflect.TypeFor[*int8]():    pointerOf((*thrift.Decoder).I8Pointer),
	reflect.TypeFor[*int16]():   pointerOf((*thrift.Decoder).I16Pointer),
	reflect.TypeFor[*int32]():   pointerOf((*thrift.Decoder).I32Pointer),
	reflect.TypeFor[*int64]():   pointerOf((*thrift.Decoder).I64Pointer),
	reflect.TypeFor[*float64](): pointerOf((*thrift.Decoder).DoublePointer),
	reflect.TypeFor[*string]():  pointerOf((*thrift.Decoder).TextPointer),
}

func pointerOf[T any](read func(*thrift.Decoder, int) (*T, int, uint32)) func(*thrift.Decoder, int, raw.Ref) (int, uint32) {
	return func(d *thrift.Decoder, off int, into raw.Ref) (int, uint32) {
		pointer, end, key := read(d, off)
		*raw.At[*T](into) = pointer
		return end, key
	}
}
