package sample

import (
	"math"
	"math/rand"
	"reflect"
	"strings"
)

// filler fills all fields of a value at random, also with extremes and empty values. Pointers and containers are nested at most depth deep.
type filler struct {
	*rand.Rand
	// most is the largest number of elements of a container.
	most int
	// isWhole is true if structs are never nil unless they are optional: a nil one is written as an empty one, if at all.
	isWhole bool
}

func (f filler) fill(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(f.Intn(2) == 0)
	case reflect.Int8, reflect.Int16, reflect.Int32:
		v.SetInt(f.number() >> (64 - v.Type().Bits()))
	case reflect.Int64:
		number := f.number()
		if v.Type() != reflect.TypeFor[int64]() {
			// Enums have only 32 bits on the wire.
			number >>= 32
		}
		v.SetInt(number)
	case reflect.Float64:
		v.SetFloat([]float64{0, math.Copysign(0, -1), math.Inf(1), math.NaN(), f.NormFloat64()}[f.Intn(5)])
	case reflect.String:
		v.SetString(string(f.bytes()))
	case reflect.Array:
		reflect.Copy(v, reflect.ValueOf(append(f.bytes(), make([]byte, 16)...)[:16]))
	case reflect.Slice:
		f.fillSlice(v, depth-1)
	case reflect.Map:
		f.fillMap(v, depth-1)
	case reflect.Pointer:
		if depth > 0 && f.Intn(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem(), depth-1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			switch field := v.Type().Field(i); {
			case !field.IsExported():
			case f.isWhole && !strings.Contains(field.Tag.Get("thrift"), ",optional"):
				f.fillElement(v.Field(i), depth)
			default:
				f.fill(v.Field(i), depth)
			}
		}
	}
}

func (f filler) number() int64 {
	if f.Intn(4) == 0 {
		return []int64{0, -1, math.MinInt64, math.MaxInt64}[f.Intn(4)]
	}
	return int64(f.Uint64()) >> f.Intn(64)
}

func (f filler) bytes() []byte {
	b := make([]byte, f.Intn(20)*f.Intn(20))
	f.Read(b)
	return b
}

func (f filler) count(depth int) int {
	if depth < 0 {
		return 0
	}
	return f.Intn(f.most + 1)
}

func (f filler) fillSlice(v reflect.Value, depth int) {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		v.SetBytes(f.bytes())
		return
	}
	n := f.count(depth)
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := range n {
		f.fillElement(v.Index(i), depth)
	}
}

func (f filler) fillMap(v reflect.Value, depth int) {
	v.Set(reflect.MakeMap(v.Type()))
	for range f.count(depth) {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		if f.isWhole {
			f.fillElement(key, min(depth, 1))
		} else {
			f.fill(key, 1)
		}
		f.fillElement(value, depth)
		v.SetMapIndex(key, value)
	}
}

// fillElement fills an element of a container, which is never nil.
func (f filler) fillElement(v reflect.Value, depth int) {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	f.fill(v, depth)
}

// FillWhole fills a struct at random, with containers of up to three elements. Only optional structs may be nil.
func FillWhole(random *rand.Rand, v reflect.Value) {
	filler{random, 3, true}.fill(v, random.Intn(6))
}
