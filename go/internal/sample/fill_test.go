package sample_test

import (
	"math"
	"math/rand"
	"reflect"
)

// filler fills structs with random values: all of a type's, extremes and empty ones among them.
type filler struct {
	*rand.Rand
	// depth is how many pointers and containers may still lie in each other.
	depth int
}

func (f filler) fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(f.Intn(2) == 0)
	case reflect.Int8, reflect.Int16, reflect.Int32:
		v.SetInt(f.number() >> (64 - v.Type().Bits()))
	case reflect.Int64:
		f.fillInt64(v)
	case reflect.Float64:
		v.SetFloat(f.double())
	case reflect.String:
		v.SetString(string(f.bytes()))
	case reflect.Array:
		reflect.Copy(v, reflect.ValueOf(append(f.bytes(), make([]byte, 16)...)[:16]))
	case reflect.Slice:
		f.fillSlice(v)
	case reflect.Map:
		f.fillMap(v)
	case reflect.Pointer:
		f.fillPointer(v)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				f.fill(v.Field(i))
			}
		}
	}
}

func (f filler) number() int64 {
	if f.Intn(4) == 0 {
		return []int64{0, -1, math.MinInt64, math.MaxInt64}[f.Intn(4)]
	}
	return int64(f.Uint64())
}

// fillInt64 keeps to 32 bits in types of their own: enums are no longer on the wire.
func (f filler) fillInt64(v reflect.Value) {
	number := f.number()
	if v.Type() != reflect.TypeFor[int64]() {
		number >>= 32
	}
	v.SetInt(number)
}

func (f filler) double() float64 {
	if f.Intn(4) == 0 {
		return []float64{0, math.Copysign(0, -1), math.Inf(1), math.NaN()}[f.Intn(4)]
	}
	return f.NormFloat64()
}

func (f filler) bytes() []byte {
	b := make([]byte, f.Intn(20)*f.Intn(20))
	f.Read(b)
	return b
}

func (f filler) deeper() filler { return filler{f.Rand, f.depth - 1} }

func (f filler) fillSlice(v reflect.Value) {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		v.SetBytes(f.bytes())
		return
	}
	n := 0
	if f.depth > 0 {
		n = f.Intn(5)
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := range n {
		f.deeper().fillElement(v.Index(i))
	}
}

func (f filler) fillMap(v reflect.Value) {
	v.Set(reflect.MakeMap(v.Type()))
	if f.depth <= 0 {
		return
	}
	for range f.Intn(4) {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		f.fill(key)
		f.deeper().fillElement(value)
		v.SetMapIndex(key, value)
	}
}

// fillElement fills an element of a container, which is never nil.
func (f filler) fillElement(v reflect.Value) {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
		return
	}
	f.fill(v)
}

func (f filler) fillPointer(v reflect.Value) {
	if f.depth <= 0 || f.Intn(3) == 0 {
		return
	}
	v.Set(reflect.New(v.Type().Elem()))
	f.deeper().fill(v.Elem())
}
