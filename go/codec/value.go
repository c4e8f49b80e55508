package codec

import (
	"reflect"
	"sync"
	"sync/atomic"

	"hone/go/raw"
	"hone/go/thrift"
)

// kind is how a Go value is read and written.
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
	// structKind is a struct in its place, pointerKind a pointer to one.
	structKind
	pointerKind
	// optionalKind is a pointer to a scalar.
	optionalKind
	// readyKind is a container whose code knows its type, listKind, mapKind and pairsKind are all others.
	readyKind
	listKind
	mapKind
	pairsKind
)

// value is what is known of a field's or an element's type.
type value struct {
	kind   kind
	wire   thrift.Type
	goType reflect.Type
	// structure is that of structKind and pointerKind.
	structure *structure
	// element is that of containers, the value of maps, and what an optional points to; key is that of maps.
	element, key *value
	slices       raw.Slices
	ready        *ready
	// pointer reads an optional of a type that Go has; nil for others.
	pointer func(d *thrift.Decoder, off int, into raw.Ref) (int, uint32)
	// pair is where the two parts of an element of pairsKind stand.
	pair struct{ key, value place }
	// pairs are for the entries of maps of mapKind, one at a time.
	pairs *sync.Pool
}

// place is where a field stands in its struct.
type place struct {
	offset uintptr
	index  int
}

func (p place) in(r raw.Ref) raw.Ref { return r.Field(p.offset, p.index) }

// field is a field of a message.
type field struct {
	// key announces it in a message: type<<16 | id. head is what writes it.
	key, head uint32
	kind      kind
	place
	// bit is that of a required field.
	bit thrift.Seen
	*value
	when condition
	// of is the struct that has the field.
	of *structure
}

// condition is when a field is written.
type condition byte

const (
	always condition = iota
	// ifThere: where it is not nil.
	ifThere
	// ifOther: where it is not its default.
	ifOther
)

// structure is what is known of a struct.
type structure struct {
	goType, sliceType reflect.Type
	// bytes is how much memory it takes.
	bytes  int
	fields []field
	// low gives the index of a field by its id, plus 1, for small ids; high for all others.
	low  []uint16
	high map[uint16]int
	// all has the bit of each required field.
	all         thrift.Seen
	isRecursive bool
	// standard are its defaults; nil until they are asked for.
	standard atomic.Pointer[defaults]
	// unknown is where the fields stand that its code does not know.
	unknown              place
	keeps, writesUnknown bool
	// slot is the place of its memory in a reader.
	slot int
}

// lowIDs is how far a table goes.
const lowIDs = 256

// find is the index of the field that a key announces, or -1.
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
