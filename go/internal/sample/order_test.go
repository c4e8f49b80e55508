package sample_test

import (
	"bytes"
	"encoding/binary"
	"math/rand"
	"reflect"
	"testing"

	"hone/go/internal/sample"
	"hone/go/internal/sample/shop/api"
	"hone/go/thrift"
)

// sizeOf returns the number of bytes of a value, by an implementation of the protocol that does not depend on package thrift.
func sizeOf(kind byte, b []byte) int {
	number := func(at int) int { return int(binary.BigEndian.Uint32(b[at:])) }
	switch kind {
	case 2, 3:
		return 1
	case 6:
		return 2
	case 8:
		return 4
	case 4, 10:
		return 8
	case 16:
		return 16
	case 11:
		return 4 + number(0)
	case 12:
		size := 0
		for b[size] != 0 {
			size += 3 + sizeOf(b[size], b[size+3:])
		}
		return size + 1
	case 14, 15:
		size := 5
		for range number(1) {
			size += sizeOf(b[0], b[size:])
		}
		return size
	case 13:
		size := 6
		for range number(2) {
			size += sizeOf(b[0], b[size:])
			size += sizeOf(b[1], b[size:])
		}
		return size
	}
	panic("no type")
}

// fieldsIn splits a struct's bytes into its fields.
func fieldsIn(b []byte) [][]byte {
	var fields [][]byte
	for b[0] != 0 {
		size := 3 + sizeOf(b[0], b[3:])
		fields = append(fields, b[:size])
		b = b[size:]
	}
	return fields
}

// unknown holds fields that no struct of the definitions has, and one with another type than the defined one.
var unknown = [][]byte{
	[]byte("\x08\x7f\x01\x00\x00\x00\x01"),
	[]byte("\x0c\x7f\x02\x0b\x00\x01\x00\x00\x00\x02hi\x00"),
	[]byte("\x0d\x7f\x03\x0b\x0f\x00\x00\x00\x01\x00\x00\x00\x01k\x08\x00\x00\x00\x01\x00\x00\x00\x05"),
	[]byte("\x0e\x00\x01\x02\x00\x00\x00\x02\x01\x00"),
}

func TestTheOrderOfFieldsAndUnknownOnesMakeNoDifference(t *testing.T) {
	random := rand.New(rand.NewSource(3))
	eachRandom(50, func(filled, empty sample.Message) {
		written := thrift.Marshal(filled)
		straight := reflect.New(reflect.TypeOf(filled).Elem()).Interface().(sample.Message)
		if err := thrift.Unmarshal(written, straight); err != nil {
			t.Fatal(err)
		}
		fields := fieldsIn(written)
		extra := random.Intn(len(unknown) + 1)
		fields = append(fields, unknown[:extra]...)
		random.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
		mixed := append(bytes.Join(fields, nil), 0)
		if err := thrift.Unmarshal(mixed, empty); err != nil {
			t.Fatalf("%T: %v", filled, err)
		}
		kept := thrift.Marshal(empty)
		added := len(bytes.Join(unknown[:extra], nil))
		if len(kept) != len(written)+added {
			t.Fatalf("%T: %d bytes became %d, with %d unknown ones", filled, len(written), len(kept), added)
		}
		again := reflect.New(reflect.TypeOf(filled).Elem()).Interface().(sample.Message)
		var known [][]byte
		for _, field := range fieldsIn(kept) {
			if !isUnknown(field) {
				known = append(known, field)
			}
		}
		if err := thrift.Unmarshal(append(bytes.Join(known, nil), 0), again); err != nil {
			t.Fatal(err)
		}
		if !thrift.DeepEqual(straight, again) {
			t.Fatalf("%.500v became %.500v", straight.String(), again.String())
		}
	})
}

func isUnknown(field []byte) bool {
	for _, other := range unknown {
		if bytes.Equal(field, other) {
			return true
		}
	}
	return false
}

func TestTheLastOfTwoFieldsCounts(t *testing.T) {
	first, second := thrift.Marshal(&api.Item{ID: 1, Name: "a"}), thrift.Marshal(&api.Item{ID: 2, Name: "b"})
	both := append(first[:len(first)-1:len(first)-1], second...)
	var item api.Item
	if err := thrift.Unmarshal(both, &item); err != nil || item.ID != 2 || item.Name != "b" {
		t.Fatal(item, err)
	}
}

func FuzzUnmarshal(f *testing.F) {
	eachRandom(2, func(filled, _ sample.Message) { f.Add(thrift.Marshal(filled)) })
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, of := range sample.Messages {
			read := sample.EmptyLike(of)
			if err := thrift.Unmarshal(b, read); err != nil {
				if err.Error() == "" {
					t.Fatal("an error without text")
				}
				continue
			}
			again := sample.EmptyLike(of)
			if err := thrift.Unmarshal(thrift.Marshal(read), again); err != nil || !thrift.DeepEqual(read, again) {
				t.Fatalf("%.500v became %.500v: %v", read.String(), again.String(), err)
			}
		}
	})
}
