//go:build !(amd64 || arm64) || purego

package raw

import "reflect"

// Ref refers to a Go value whose type is known only when the program runs. This pure version remembers the type, and panics if it is used as another
// type. The zero value refers to nothing.
type Ref struct {
	v reflect.Value
}

// Of refers to the value that a pointer points to; to nothing if the pointer is nil.
func Of(pointer reflect.Value) Ref { return Ref{pointer.Elem()} }

// New refers to a new value of a type.
func New(of reflect.Type) Ref { return Ref{reflect.New(of).Elem()} }

// IsNil reports whether r refers to nothing.
func (r Ref) IsNil() bool { return !r.v.IsValid() }

// At returns the value as a T. The type of the value is T, or a type that was defined from T.
func At[T any](r Ref) *T {
	return r.v.Addr().Convert(reflect.TypeFor[*T]()).Interface().(*T)
}

// Field refers to a field of the struct. offset and index name the same field; this version uses the index.
func (r Ref) Field(_ uintptr, index int) Ref { return Ref{r.v.Field(index)} }

// Elem refers to the value that the pointer here points to.
func (r Ref) Elem() Ref { return Ref{r.v.Elem()} }

// HoldsNil reports whether the pointer, slice or map here is nil.
func (r Ref) HoldsNil() bool { return r.v.IsNil() }

// Point makes the pointer here point to the value of another Ref.
func (r Ref) Point(to Ref) { r.v.Set(to.v.Addr()) }

// Bytes returns the slice of bytes here.
func (r Ref) Bytes() []byte { return r.v.Bytes() }

// Value returns the value here. It can be set.
func (r Ref) Value(reflect.Type) reflect.Value { return r.v }

// Slices makes and reads slices of one type.
type Slices struct {
	of reflect.Type
}

// SlicesOf returns the Slices of a type of slices.
func SlicesOf(slice reflect.Type) Slices { return Slices{slice} }

// Make stores a new slice of n elements here.
func (s *Slices) Make(r Ref, n int) { r.v.Set(reflect.MakeSlice(s.of, n, n)) }

// Len returns the number of elements of the slice here.
func (s *Slices) Len(r Ref) int { return r.v.Len() }

// Element refers to an element of the slice here. The index must be below the length.
func (s *Slices) Element(r Ref, i int) Ref { return Ref{r.v.Index(i)} }

// Block is memory for values of one type. The zero value has room for none.
type Block struct {
	all     reflect.Value
	next, n int
}

// NewBlock returns memory for n elements of a type of slices.
func NewBlock(slice reflect.Type, n int) Block { return Block{reflect.MakeSlice(slice, n, n), 0, n} }

// Left returns the number of values that have not been taken yet.
func (b *Block) Left() int { return b.n - b.next }

// Next takes a value. At least one must be left.
func (b *Block) Next() Ref {
	r := Ref{b.all.Index(b.next)}
	b.next++
	return r
}
