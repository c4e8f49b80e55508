//go:build (amd64 || arm64) && !purego

package raw

import (
	"reflect"
	"unsafe"
)

// Ref refers to a Go value whose type is known only when the program runs: it is a pointer without a type. Callers must use a Ref only as the type
// that it was made for. The zero value refers to nothing.
//
// If callers do so, each function below is sound. A value is read and written as its own type, an offset is that of a field of the struct, and an
// index is below the length. So an address stays within its value, which the pointer keeps alive.
type Ref struct {
	p unsafe.Pointer
}

// Of refers to the value that a pointer points to; to nothing if the pointer is nil.
func Of(pointer reflect.Value) Ref { return Ref{pointer.UnsafePointer()} }

// New refers to a new value of a type.
func New(of reflect.Type) Ref { return Ref{reflect.New(of).UnsafePointer()} }

// IsNil reports whether r refers to nothing.
func (r Ref) IsNil() bool { return r.p == nil }

// At returns the value as a T. The type of the value is T, or a type that was defined from T.
func At[T any](r Ref) *T { return (*T)(r.p) }

// Field refers to a field of the struct. offset and index name the same field; this version uses the offset.
func (r Ref) Field(offset uintptr, _ int) Ref { return Ref{unsafe.Add(r.p, offset)} }

// Elem refers to the value that the pointer here points to.
func (r Ref) Elem() Ref { return Ref{*(*unsafe.Pointer)(r.p)} }

// HoldsNil reports whether the pointer, slice or map here is nil. All of these begin with a pointer.
func (r Ref) HoldsNil() bool { return *(*unsafe.Pointer)(r.p) == nil }

// Point makes the pointer here point to the value of another Ref.
func (r Ref) Point(to Ref) { *(*unsafe.Pointer)(r.p) = to.p }

// Bytes returns the slice of bytes here.
func (r Ref) Bytes() []byte { return *(*[]byte)(r.p) }

// Value returns the value here. It can be set.
func (r Ref) Value(of reflect.Type) reflect.Value { return reflect.NewAt(of, r.p).Elem() }

// Slices makes and reads slices of one type.
type Slices struct {
	of         reflect.Type
	size       uintptr
	isPointers bool
}

// SlicesOf returns the Slices of a type of slices.
func SlicesOf(slice reflect.Type) Slices {
	return Slices{slice, slice.Elem().Size(), slice.Elem().Kind() == reflect.Pointer}
}

// Make stores a new slice of n elements here.
func (s *Slices) Make(r Ref, n int) {
	if s.isPointers {
		// For Go's memory management, all pointers have the same type.
		*(*[]unsafe.Pointer)(r.p) = make([]unsafe.Pointer, n)
		return
	}
	r.Value(s.of).Set(reflect.MakeSlice(s.of, n, n))
}

// Len returns the number of elements of the slice here.
func (s *Slices) Len(r Ref) int { return len(*(*[]struct{})(r.p)) }

// Element refers to an element of the slice here. The index must be below the length.
func (s *Slices) Element(r Ref, i int) Ref {
	return Ref{unsafe.Add(*(*unsafe.Pointer)(r.p), uintptr(i)*s.size)}
}

// Block is memory for values of one type. The zero value has room for none.
type Block struct {
	first   unsafe.Pointer
	size    uintptr
	next, n int
}

// NewBlock returns memory for n elements of a type of slices.
func NewBlock(slice reflect.Type, n int) Block {
	return Block{reflect.MakeSlice(slice, n, n).UnsafePointer(), slice.Elem().Size(), 0, n}
}

// Left returns the number of values that have not been taken yet.
func (b *Block) Left() int { return b.n - b.next }

// Next takes a value. At least one must be left.
func (b *Block) Next() Ref {
	r := Ref{unsafe.Add(b.first, uintptr(b.next)*b.size)}
	b.next++
	return r
}
