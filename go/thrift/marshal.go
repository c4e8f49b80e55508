package thrift

// Writer is what generated code does to write a struct.
type Writer interface {
	// SizeThrift is how many bytes WriteThrift writes.
	SizeThrift() int
	// WriteThrift writes the fields from off on, and gives the offset behind their stop.
	WriteThrift(b []byte, off int) int
}

// Marshal writes a struct as a message of the Binary protocol. It must not change meanwhile.
func Marshal(from Writer) []byte {
	message := make([]byte, from.SizeThrift())
	return message[:from.WriteThrift(message, 0)]
}

// Append writes a struct behind these bytes.
func Append(to []byte, from Writer) []byte {
	start, size := len(to), from.SizeThrift()
	if cap(to)-start < size {
		to = append(make([]byte, 0, 2*cap(to)+size), to...)
	}
	to = to[:start+size]
	return to[:from.WriteThrift(to, start)]
}
