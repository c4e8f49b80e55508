package thrift

// The functions of this file say how many bytes a container takes, with its head. They are for frameworks that ask for the length
// of a message before it is written.

// SizeI64List returns the size of a list or a set of i64.
func SizeI64List(list []int64) int { return 5 + 8*len(list) }

// SizeDoubleList returns the size of a list or a set of doubles.
func SizeDoubleList(list []float64) int { return 5 + 8*len(list) }

// SizeI32List returns the size of a list or a set of i32.
func SizeI32List(list []int32) int { return 5 + 4*len(list) }

// SizeI16List returns the size of a list or a set of i16.
func SizeI16List(list []int16) int { return 5 + 2*len(list) }

// SizeI8List returns the size of a list or a set of i8.
func SizeI8List(list []int8) int { return 5 + len(list) }

// SizeBoolList returns the size of a list or a set of bools.
func SizeBoolList(list []bool) int { return 5 + len(list) }

// SizeTextList returns the size of a list or a set of strings.
func SizeTextList(list []string) int {
	size := 5 + 4*len(list)
	for _, text := range list {
		size += len(text)
	}
	return size
}

// SizeTextMap returns the size of a map of strings to strings.
func SizeTextMap(texts map[string]string) int {
	size := 6 + 8*len(texts)
	for key, value := range texts {
		size += len(key) + len(value)
	}
	return size
}
