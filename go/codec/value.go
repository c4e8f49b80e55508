package codec

import (
	"reflect"
	"sync"
	"sync/atomic"

	"hone/go/raw"
	"hone/go/thrift"
)

// kind says how a Go value is read and written.
type kind byte

const (
	boolKind kind = iota + 1
	i8Kind
	i16Kind
	i32Kind
	i64Kind
	doubleKind
	textKind
	binaryKind
	uuidKind
	// enumKind is an i32 on the wire and an int64 in Go.
	enumKind
	// structKind is a struct that lies in its holder, pointerKind is a pointer to one.
	structKind
	pointerKind
	// optionalKind is a pointer to a scalar.
	optionalKind
	// readyKind is a container of a type with code of its own; listKind, mapKind and pairsKind are all other containers.
	readyKind
	listKind
	mapKind
	pairsKind
)

// value describes the type of a field or an element.
type value struct {
	kind   kind
	wire   thrift.Type
	goType reflect.Type
	// structure is the struct of a structKind or a pointerKind.
	structure *structure
	// element is the element of a container, the value of a map, and the scalar behind an optional; key is the key of a map.
	element, key *value
	slices       raw.Slices
	ready        *ready
	// pointer reads an optional scalar of one of Go's own types; nil for others.
	pointer func(d *thrift.Decoder, off int, into raw.Ref) (int, uint32)
	// pair says where the two parts of an element of a pairsKind are.
	pair struct{ key, value place }
	// pairs is a pool of room for entries of a mapKind, one entry at a time.
	pairs *sync.Pool
}

// place says where a field is in its struct.
type place struct {
	offset uintptr
	index  int
}

func (p place) in(r raw.Ref) raw.Ref { return r.Field(p.offset, p.index) }

// field is a field of a message.
type field struct {
	// key identifies the field in a message: type<<16 | id. head is the form of the key that is written.
	key, head uint32
	kind      kind
	place
	// bit is the bit of a required field.
	bit thrift.Seen
	*value
	when condition
	// of is the struct that has the field.
	of *structure
}

// condition says when a field is written.
type condition byte

const (
	always condition = iota
	// ifThere: the field is written where it is not nil.
	ifThere
	// ifOther: the field is written where it differs from its default.
	ifOther
)

// structure describes a struct.
type structure struct {
	goType, sliceType reflect.Type
	// bytes is the size of the struct in memory.
	bytes  int
	fields []field
	// low gives the index of a field by its id, plus 1, for small ids; high does so for all others.
	low  []uint16
	high map[uint16]int
	// all has the bit of each required field.
	all         thrift.Seen
	isRecursive bool
	// standard holds the defaults; nil until they are first needed.
	standard atomic.Pointer[defaults]
	// unknown is the place of the fields that the struct's code does not know.
	unknown              place
	keeps, writesUnknown bool
	// slot is the place, in a reader, of the memory for structs of this type.
	slot int
}

// lowIDs is the number of ids that the table covers.
const lowIDs = 256

// find returns the index of the field with this key, or -1.
func (s *structure) find(key uint32) int {
	id, i := uint16(key), 0
	if int(id) < len(s.low) {
		i = int(s.low[id]) - 1
	} else {
		i = s.high[id] - 1
	}
	if i < 0 || s.fields[i].key != key {
		return -1
	}
	return i
}

// entry is room for an entry of a map.
type entry struct {
	key, value     reflect.Value
	keyAt, valueAt raw.Ref
	each           reflect.MapIter
}

func newEntries(mapType reflect.Type) *sync.Pool {
	return &sync.Pool{New: func() any {
		key, value := reflect.New(mapType.Key()), reflect.New(mapType.Elem())
		return &entry{key: key.Elem(), value: value.Elem(), keyAt: raw.Of(key), valueAt: raw.Of(value)}
	}}
}

// clear lets go of the entry and its map.
func (e *entry) clear() {
	e.each.Reset(reflect.Value{})
	e.key.SetZero()
	e.value.SetZero()
}
