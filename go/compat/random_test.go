package compat_test

import (
	"fmt"
	"math"
	"math/rand"
	"reflect"
	"strings"
)

// random fills structs with values that every codec can write: text is UTF-8, sets have no equal elements, one field of a union is set, and all
// fields that are not optional are set.
type random struct {
	*rand.Rand
	// depth is the remaining number of nested optional structs and containers.
	depth int
	// pairs is the largest number of pairs of a map: bytes can be compared only for maps with one pair.
	pairs int
}

func (r random) fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.Intn(2) == 0)
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		number := int64(r.Uint64()) >> (64 - v.Type().Bits())
		if v.Type().Kind() == reflect.Int64 && v.Type() != reflect.TypeFor[int64]() {
			number >>= 32 // an enum
		}
		v.SetInt(number)
	case reflect.Float64:
		v.SetFloat([]float64{r.NormFloat64(), 0, math.Inf(1), math.MaxFloat64, 3}[r.Intn(5)])
	case reflect.String:
		v.SetString(r.text())
	case reflect.Slice:
		r.slice(v)
	case reflect.Map:
		r.pairsOf(v)
	case reflect.Pointer:
		if r.depth < -8 {
			return // the struct always contains itself by its definition
		}
		v.Set(reflect.New(v.Type().Elem()))
		r.fill(v.Elem())
	case reflect.Struct:
		r.fields(v)
	}
}

func (r random) text() string {
	return strings.Repeat("é\"x\n", r.Intn(4)) + fmt.Sprint(r.Intn(1000))
}

func (r random) fields(v reflect.Value) {
	if isUnion := v.Addr().MethodByName("CountSetFields" + v.Type().Name()).IsValid(); isUnion {
		only := r.Intn(v.NumField())
		if r.depth <= 0 {
			only = v.NumField() - 1
		}
		random{r.Rand, r.depth - 1, r.pairs}.fill(v.Field(only))
		return
	}
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag.Get("thrift")
		field := v.Field(i)
		isOptional := strings.Contains(tag, ",optional")
		switch {
		case isOptional && (r.depth <= 0 || r.Intn(3) == 0):
		case field.Kind() == reflect.Slice:
			random{r.Rand, r.depth - 1, r.pairs}.slice(field)
		default:
			random{r.Rand, r.depth - 1, r.pairs}.fill(field)
		}
	}
}

func (r random) slice(v reflect.Value) {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		v.SetBytes([]byte(r.text()))
		return
	}
	n := 0
	if r.depth > 0 {
		n = r.Intn(4)
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, n))
	for range n {
		element := reflect.New(v.Type().Elem()).Elem()
		random{r.Rand, r.depth - 1, r.pairs}.fill(element)
		if !contains(v, element) {
			v.Set(reflect.Append(v, element))
		}
	}
}

// contains reports whether a slice has an equal element: elements of sets must differ, and those of lists may.
func contains(list, element reflect.Value) bool {
	for i := range list.Len() {
		if reflect.DeepEqual(list.Index(i).Interface(), element.Interface()) {
			return true
		}
	}
	return false
}

func (r random) pairsOf(v reflect.Value) {
	v.Set(reflect.MakeMap(v.Type()))
	if r.depth <= 0 {
		return
	}
	for range r.Intn(r.pairs + 1) {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		r.fill(key)
		random{r.Rand, r.depth - 1, r.pairs}.fill(value)
		v.SetMapIndex(key, value)
	}
}
