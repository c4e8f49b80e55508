//go:build (amd64 || arm64) && !purego

package raw

import (
	"reflect"
	"unsafe"
)

// Ref is the place of a Go value whose type is known only when the program runs: a pointer without a type. Whoever uses
// one keeps to the type it was made for. The zero value refers to nothing.
//
// This makes each function below sound: what is read or written has the type that it is read or written as, an offset is
// that of a field of the struct here, and an index is below the length. So an address stays within its value, which the pointer keeps
// alive.
type Ref struct {
	p unsafe.Pointer
}

// Of refers to what a pointer points to; to nothing for a nil pointer.
func Of(pointer reflect.Value) Ref { return Ref{pointer.UnsafePointer()} }

// New refers to a new value of a type.
func New(of reflect.Type) Ref { return Ref{reflect.New(of).UnsafePointer()} }

// IsNil reports whether the Ref refers to nothing.
func (r Ref) IsNil() bool { return r.p == nil }

// At is the value as one of T: of T itself, or of a type that was defined by T.
func At[T any](r Ref) *T { return (*T)(r.p) }

// Field refers to a field of the struct here: the one at this offset, which is the one of this index too.
func (r Ref) Field(offset uintptr, _ int) Ref { return Ref{unsafe.Add(r.p, offset)} }

// Elem refers to what the pointer here points to.
func (r Ref) Elem() Ref { return Ref{*(*unsafe.Pointer)(r.p)} }

// HoldsNil reports whether the pointer, the slice or the map here is nil. All of them begin with a pointer.
func (r Ref) HoldsNil() bool { return *(*unsafe.Pointer)(r.p) == nil }

// Point sets the pointer here.
func (r Ref) Point(to Ref) { *(*unsafe.Pointer)(r.p) = to.p }

// Bytes are those of the slice of bytes here.
func (r Ref) Bytes() []byte { return *(*[]byte)(r.p) }

// Value is the value here, which can be set.
func (r Ref) Value(of reflect.Type) reflect.Value { return reflect.NewAt(of, r.p).Elem() }

// Slices are those of a type.
type Slices struct {
	of         reflect.Type
	size       uintptr
	isPointers bool
}

// SlicesOf are the slices of a type.
func SlicesOf(slice reflect.Type) Slices {
	return Slices{slice, slice.Elem().Size(), slice.Elem().Kind() == reflect.Pointer}
}

// Make puts a new slice of n elements here.
func (s *Slices) Make(r Ref, n int) {
	if s.isPointers {
		// To memory management all pointers are the same.
		*(*[]unsafe.Pointer)(r.p) = make([]unsafe.Pointer, n)
		return
	}
	r.Value(s.of).Set(reflect.MakeSlice(s.of, n, n))
}

// Len returns the number of elements of the slice here.
func (s *Slices) Len(r Ref) int { return len(*(*[]struct{})(r.p)) }

// Element refers to an element of the slice here, which has it.
func (s *Slices) Element(r Ref, i int) Ref {
	return Ref{unsafe.Add(*(*unsafe.Pointer)(r.p), uintptr(i)*s.size)}
}

// Block is memory for values of a type. The zero value has none.
type Block struct {
	first   unsafe.Pointer
	size    uintptr
	next, n int
}

// NewBlock is memory for n elements of a type of slices.
func NewBlock(slice reflect.Type, n int) Block {
	return Block{reflect.MakeSlice(slice, n, n).UnsafePointer(), slice.Elem().Size(), 0, n}
}

// Left returns the number of values that nobody has taken.
func (b *Block) Left() int { return b.n - b.next }

// Next takes a value, of which one is left.
func (b *Block) Next() Ref {
	r := Ref{unsafe.Add(b.first, uintptr(b.next)*b.size)}
	b.next++
	return r
}
