package thrift

import "hone/go/raw"

// The methods of this file read optional fields, whose values are behind pointers.

// BoolPointer reads a bool.
func (d *Decoder) BoolPointer(off int) (*bool, int, uint32) {
	value, end, key := d.Bool(off)
	return numberPointer(d, value, off), end, key
}

// I8Pointer reads an i8.
func (d *Decoder) I8Pointer(off int) (*int8, int, uint32) {
	value, end, key := d.I8(off)
	return numberPointer(d, value, off), end, key
}

// I16Pointer reads an i16.
func (d *Decoder) I16Pointer(off int) (*int16, int, uint32) {
	value, end, key := d.I16(off)
	return numberPointer(d, value, off), end, key
}

// I32Pointer reads an i32.
func (d *Decoder) I32Pointer(off int) (*int32, int, uint32) {
	value, end, key := d.I32(off)
	return numberPointer(d, value, off), end, key
}

// I64Pointer reads an i64.
func (d *Decoder) I64Pointer(off int) (*int64, int, uint32) {
	value, end, key := d.I64(off)
	return numberPointer(d, value, off), end, key
}

// DoublePointer reads a double.
func (d *Decoder) DoublePointer(off int) (*float64, int, uint32) {
	value, end, key := d.Double(off)
	return numberPointer(d, value, off), end, key
}

// TextPointer reads a string.
func (d *Decoder) TextPointer(off int) (*string, int, uint32) {
	value, end, key := d.Text(off)
	p := d.takeTexts(1, off)
	if len(p) == 1 {
		p[0] = value
		return &p[0], end, key
	}
	return nil, end, key
}

// UUIDPointer reads a UUID.
func (d *Decoder) UUIDPointer(off int) (*[16]byte, int, uint32) {
	value, end, key := d.UUID(off)
	return numberPointer(d, value, off), end, key
}

// numberPointer returns a pointer to a copy of a value without pointers; nil after a fault.
func numberPointer[T any](d *Decoder, value T, off int) *T {
	p := raw.Numbers[T](d.takePlain(1, raw.SizeOf[T](), off))
	if len(p) == 1 {
		p[0] = value
		return &p[0]
	}
	return nil
}

// PointerTo returns a pointer to a copy of a value.
func PointerTo[T any](value T) *T { return &value }
