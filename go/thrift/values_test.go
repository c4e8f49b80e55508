package thrift_test

import (
	"math"
	"testing"

	"hone/go/thrift"
)

func TestMapsWithKeysThatNoMapFindsAreComparedAndCopied(t *testing.T) {
	nan := math.NaN()
	type point struct{ X float64 }
	type maps struct {
		Numbers  map[float64]int32
		Points   map[point]int32
		Pointers map[*point][]int32
	}
	given := func(last int32) maps {
		return maps{
			map[float64]int32{nan: 1, 2: 2, math.NaN(): last},
			map[point]int32{{nan}: 1, {3}: 4},
			map[*point][]int32{{nan}: {1}, {5}: {last}, {nan}: {2}},
		}
	}
	if !thrift.DeepEqual(given(7), given(7)) {
		t.Fatal("the same is not equal")
	}
	if thrift.DeepEqual(given(7), given(8)) {
		t.Fatal("another value is equal")
	}
	twice, once := map[float64]int32{nan: 1, -nan: 1}, map[float64]int32{nan: 1, 1: 1}
	if thrift.DeepEqual(twice, once) || thrift.DeepEqual(once, twice) {
		t.Fatal("one pair was met twice")
	}
	copied := thrift.DeepCopy(given(7))
	if !thrift.DeepEqual(copied, given(7)) {
		t.Fatalf("%v was copied", copied)
	}
}

// keeping is a struct like those that are generated with -keep-unknown.
type keeping struct {
	Name    string
	unknown []byte
}

func (k *keeping) KeepUnknown(field []byte) { k.unknown = append(k.unknown, field...) }

func TestACopyOfAContainerHasUnknownFieldsOfItsOwn(t *testing.T) {
	one := &keeping{Name: "a", unknown: append(make([]byte, 0, 8), 1)}
	for name, copied := range map[string]*keeping{
		"list":    &thrift.DeepCopy([]keeping{*one})[0],
		"pointer": thrift.DeepCopy([]*keeping{one})[0],
		"map":     thrift.DeepCopy(map[string]*keeping{"": one})[""],
	} {
		copied.KeepUnknown([]byte{2})
		(&keeping{unknown: one.unknown}).KeepUnknown([]byte{3})
		if copied.Name != "a" || string(copied.unknown) != "\x01\x02" {
			t.Errorf("%s: %q % x", name, copied.Name, copied.unknown)
		}
	}
}
