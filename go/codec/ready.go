package codec

import (
	"reflect"

	"hone/go/raw"
	"hone/go/thrift"
)

// ready is the code of a container whose type it knows, so that Go's compiler could make the best of it.
type ready struct {
	read  func(d *thrift.Decoder, off int, into raw.Ref) int
	size  func(from raw.Ref) int
	write func(b []byte, off int, from raw.Ref) int
}

func readyOf[T any](read func(*thrift.Decoder, int) (T, int), size func(T) int, write func([]byte, int, T) int) *ready {
	return &ready{
		read: func(d *thrift.Decoder, off int, into raw.Ref) int {
			value, end := read(d, off)
			*raw.At[T](into) = value
			return end
		},
		size:  func(from raw.Ref) int { return size(*raw.At[T](from)) },
		write: func(b []byte, off int, from raw.Ref) int { return write(b, off, *raw.At[T](from)) },
	}
}

// lists are those of these elements.
var lists = map[reflect.Type]*ready{
	reflect.TypeFor[bool]():    readyOf((*thrift.Decoder).BoolList, thrift.SizeBoolList, thrift.PutBoolList),
	reflect.TypeFor[int8]():    readyOf((*thrift.Decoder).I8List, thrift.SizeI8List, thrift.PutI8List),
	reflect.TypeFor[int16]():   readyOf((*thrift.Decoder).I16List, thrift.SizeI16List, thrift.PutI16List),
	reflect.TypeFor[int32]():   readyOf((*thrift.Decoder).I32List, thrift.SizeI32List, thrift.PutI32List),
	reflect.TypeFor[int64]():   readyOf((*thrift.Decoder).I64List, thrift.SizeI64List, thrift.PutI64List),
	reflect.TypeFor[float64](): readyOf((*thrift.Decoder).DoubleList, thrift.SizeDoubleList, thrift.PutDoubleList),
	reflect.TypeFor[string]():  readyOf((*thrift.Decoder).TextList, thrift.SizeTextList, thrift.PutTextList),
}

// part is the code of a map's keys or values. The size is that of all values, or what is to be added to a text's length.
type part[T any] struct {
	wire  thrift.Type
	size  func(T) int
	fixed int
	read  func(*thrift.Decoder, int) (T, int)
	write func([]byte, int, T) int
}

var (
	bools   = part[bool]{thrift.Bool, nil, 1, (*thrift.Decoder).BoolElement, thrift.PutBoolElement}
	i32s    = part[int32]{thrift.I32, nil, 4, (*thrift.Decoder).I32Element, thrift.PutI32Element}
	i64s    = part[int64]{thrift.I64, nil, 8, (*thrift.Decoder).I64Element, thrift.PutI64Element}
	doubles = part[float64]{thrift.Double, nil, 8, (*thrift.Decoder).DoubleElement, thrift.PutDoubleElement}
	texts   = part[string]{thrift.String, func(s string) int { return len(s) }, 4, (*thrift.Decoder).TextElement, thrift.PutTextElement}
	i32list = part[[]int32]{thrift.List, thrift.SizeI32List, 0, (*thrift.Decoder).I32List, thrift.PutI32List}
	i64list = part[[]int64]{thrift.List, thrift.SizeI64List, 0, (*thrift.Decoder).I64List, thrift.PutI64List}
	textsOf = part[[]string]{thrift.List, thrift.SizeTextList, 0, (*thrift.Decoder).TextList, thrift.PutTextList}
)

// maps are those of these types.
var maps = map[reflect.Type]*ready{
	reflect.TypeFor[map[string]string](): readyOf((*thrift.Decoder).TextMap, thrift.SizeTextMap, thrift.PutTextMap),
}

func init() {
	addMaps(texts)
	addMaps(i32s)
	addMaps(i64s)
}

// addMaps adds those of a type of keys.
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
		func(pairs map[K]V) int { return sizeMap(pairs, key, value) },
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

func sizeMap[K comparable, V any](pairs map[K]V, key part[K], value part[V]) int {
	size := 6 + (key.fixed+value.fixed)*len(pairs)
	if key.size == nil && value.size == nil {
		return size
	}
	for k, v := range pairs {
		if key.size != nil {
			size += key.size(k)
		}
		if value.size != nil {
			size += value.size(v)
		}
	}
	return size
}

// pointers are optional scalars of types that Go has.
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
