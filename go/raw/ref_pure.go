//go:build !(amd64 || arm64) || purego

package raw

import "reflect"

// Ref is the place of a Go value whose type is known only when the program runs. This twin knows the type still, and
// panics where another one is asked for. The zero value refers to nothing.
type Ref struct {
	v reflect.Value
}

// Of refers to what a pointer points to; to nothing for a nil pointer.
func Of(pointer reflect.Value) Ref { return Ref{pointer.Elem()} }

// New refers to a new value of a type.
func New(of reflect.Type) Ref { return Ref{reflect.New(of).Elem()} }

// IsNil reports whether the Ref refers to nothing.
func (r Ref) IsNil() bool { return !r.v.IsValid() }

// At is the value as one of T: of T itself, or of a type that was defined by T.
func At[T any](r Ref) *T {
	return r.v.Addr().Convert(reflect.TypeFor[*T]()).Interface().(*T)
}

// Field refers to a field of the struct here: the one at this offset, which is the one of this index too.
func (r Ref) Field(_ uintptr, index int) Ref { return Ref{r.v.Field(index)} }

// Elem refers to what the pointer here points to.
func (r Ref) Elem() Ref { return Ref{r.v.Elem()} }

// HoldsNil reports whether the pointer, the slice or the map here is nil.
func (r Ref) HoldsNil() bool { return r.v.IsNil() }

// Point sets the pointer here.
func (r Ref) Point(to Ref) { r.v.Set(to.v.Addr()) }

// Bytes are those of the slice of bytes here.
func (r Ref) Bytes() []byte { return r.v.Bytes() }

// Value is the value here, which can be set.
func (r Ref) Value(reflect.Type) reflect.Value { return r.v }

// Slices are those of a type.
type Slices struct {
	of reflect.Type
}

// SlicesOf are the slices of a type.
func SlicesOf(slice reflect.Type) Slices { return Slices{slice} }

// Make puts a new slice of n elements here.
func (s *Slices) Make(r Ref, n int) { r.v.Set(reflect.MakeSlice(s.of, n, n)) }

// Len returns the number of elements of the slice here.
func (s *Slices) Len(r Ref) int { return r.v.Len() }

// Element refers to an element of the slice here, which has it.
func (s *Slices) Element(r Ref, i int) Ref { return Ref{r.v.Index(i)} }

// Block is memory for values of a type. The zero value has none.
type Block struct {
	all     reflect.Value
	next, n int
}

// NewBlock is memory for n elements of a type of slices.
func NewBlock(slice reflect.Type, n int) Block { return Block{reflect.MakeSlice(slice, n, n), 0, n} }

// Left returns the number of values that nobody has taken.
func (b *Block) Left() int { return b.n - b.next }

// Next takes a value, of which one is left.
func (b *Block) Next() Ref {
	r := Ref{b.all.Index(b.next)}
	b.next++
	return r
}
