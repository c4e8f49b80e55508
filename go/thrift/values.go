package thrift

import (
	"encoding/hex"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// Text gives the text of a struct for logs and messages: its name and its fields.
func Text(p any, name string) string {
	of := reflect.ValueOf(p)
	if of.IsNil() {
		return "<nil>"
	}
	// The fields are formatted without the struct's methods: its method String would call Text again.
	return fmt.Sprintf("%s(%+v)", name, fieldTexts(of.Elem()))
}

// fieldTexts gives the exported fields of a struct, as "{name:value name:value}".
func fieldTexts(of reflect.Value) string {
	var fields []string
	for i := range of.NumField() {
		if field := of.Type().Field(i); field.IsExported() {
			value := of.Field(i)
			for value.Kind() == reflect.Pointer && !value.IsNil() && value.Elem().Kind() != reflect.Struct {
				value = value.Elem()
			}
			fields = append(fields, fmt.Sprintf("%s:%+v", field.Name, value.Interface()))
		}
	}
	return "{" + strings.Join(fields, " ") + "}"
}

// EqualPointers reports whether both pointers are nil, or point to equal values.
func EqualPointers[T any](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return DeepEqual(*a, *b)
}

// DeepEqual reports whether two values of the same type have the same content. Nil containers equal empty ones, and a NaN equals a
// NaN of the same bits.
func DeepEqual[T any](a, b T) bool {
	return equal(reflect.ValueOf(&a).Elem(), reflect.ValueOf(&b).Elem())
}

func equal(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Float64:
		return math.Float64bits(a.Float()) == math.Float64bits(b.Float())
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return equal(a.Elem(), b.Elem())
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !equal(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		return equalMaps(a, b)
	case reflect.Struct:
		for i := range a.NumField() {
			if !equal(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}

// equalMaps compares maps by their keys.
func equalMaps(a, b reflect.Value) bool {
	if a.Len() != b.Len() {
		return false
	}
	// others are the pairs of b that have met no pair of a yet; they are searched one by one.
	var others [][2]reflect.Value
	for pairs := a.MapRange(); pairs.Next(); {
		if isFound(pairs.Key()) {
			other := b.MapIndex(pairs.Key())
			if !other.IsValid() || !equal(pairs.Value(), other) {
				return false
			}
			continue
		}
		if others == nil {
			others = unfound(b)
		}
		i := slices.IndexFunc(others, func(pair [2]reflect.Value) bool {
			return equal(pairs.Key(), pair[0]) && equal(pairs.Value(), pair[1])
		})
		if i < 0 {
			return false
		}
		others = slices.Delete(others, i, i+1)
	}
	return true
}

// isFound reports whether a map finds a key with the same content. It does not for pointers, which it compares by their addresses,
// and for a NaN, which equals nothing.
func isFound(key reflect.Value) bool {
	switch key.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Struct:
		return false
	case reflect.Float64:
		return !math.IsNaN(key.Float())
	}
	return true
}

// unfound returns the pairs of a map with keys that the map does not find.
func unfound(of reflect.Value) [][2]reflect.Value {
	pairs := make([][2]reflect.Value, 0, of.Len())
	for each := of.MapRange(); each.Next(); {
		if !isFound(each.Key()) {
			pairs = append(pairs, [2]reflect.Value{each.Key(), each.Value()})
		}
	}
	return pairs
}

// DeepCopy returns a copy that shares no memory with the value except that of strings.
func DeepCopy[T any](value T) T {
	return deepCopy(reflect.ValueOf(&value).Elem()).Interface().(T)
}

func deepCopy(of reflect.Value) reflect.Value {
	result := reflect.New(of.Type()).Elem()
	result.Set(of)
	switch of.Kind() {
	case reflect.Pointer:
		if !of.IsNil() {
			result.Set(reflect.New(of.Type().Elem()))
			result.Elem().Set(deepCopy(of.Elem()))
		}
	case reflect.Slice:
		if !of.IsNil() {
			result.Set(reflect.MakeSlice(of.Type(), of.Len(), of.Len()))
			for i := range of.Len() {
				result.Index(i).Set(deepCopy(of.Index(i)))
			}
		}
	case reflect.Map:
		if !of.IsNil() {
			result.Set(reflect.MakeMapWithSize(of.Type(), of.Len()))
			for pairs := of.MapRange(); pairs.Next(); {
				result.SetMapIndex(deepCopy(pairs.Key()), deepCopy(pairs.Value()))
			}
		}
	case reflect.Struct:
		copyFields(result, of)
	}
	return result
}

// copyFields copies the values that the fields of a struct point to, and also the fields that its code does not know: only the
// struct itself can set these.
func copyFields(into, of reflect.Value) {
	keeper, keeps := into.Addr().Interface().(UnknownKeeper)
	unknown := of.FieldByName("unknown")
	keeps = keeps && unknown.IsValid() && unknown.Type() == reflect.TypeFor[[]byte]()
	if keeps {
		into.SetZero()
	}
	for i := range of.NumField() {
		if into.Field(i).CanSet() {
			into.Field(i).Set(deepCopy(of.Field(i)))
		}
	}
	if keeps {
		keeper.KeepUnknown(unknown.Bytes())
	}
}

// NegativeZero returns -0.0, which no constant of Go can be.
func NegativeZero() float64 { return math.Copysign(0, -1) }

// ParseUUID reads the text of a UUID, with or without hyphens and braces.
func ParseUUID(text string) (value [16]byte, err error) {
	digits := strings.ReplaceAll(strings.Trim(text, "{}"), "-", "")
	if len(digits) != 32 {
		return value, fmt.Errorf("%q is no UUID: it has %d digits, not 32", text, len(digits))
	}
	if _, err := hex.Decode(value[:], []byte(digits)); err != nil {
		return value, fmt.Errorf("%q is no UUID: %w", text, err)
	}
	return value, nil
}

// MustParseUUID is ParseUUID for constants, which are known to be valid.
func MustParseUUID(text string) [16]byte {
	value, err := ParseUUID(text)
	if err != nil {
		panic(err)
	}
	return value
}
