package thrift

// Enum reads a field that is an enum: an i32.
func Enum[E ~int64](d *Decoder, off int) (E, int, uint32) {
	value, off, key := d.I32(off)
	return E(value), off, key
}

// EnumPointer reads an optional field that is an enum.
func EnumPointer[E ~int64](d *Decoder, off int) (*E, int, uint32) {
	value, end, key := d.I32(off)
	return numberPointer(d, E(value), off), end, key
}

// EnumElement reads an element of a container that is an enum.
func EnumElement[E ~int64](d *Decoder, off int) (E, int) {
	value, off := d.I32Element(off)
	return E(value), off
}
