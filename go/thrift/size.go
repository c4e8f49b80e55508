package thrift

// The functions of this file say how many bytes a container takes, its head included. They are for frameworks that ask for the
// length of a message before they have it written.

// SizeI64List is that of a list or a set.
func SizeI64List(list []int64) int { return 5 + 8*len(list) }

// SizeDoubleList is that of a list or a set.
func SizeDoubleList(list []float64) int { return 5 + 8*len(list) }

// SizeI32List is that of a list or a set.
func SizeI32List(list []int32) int { return 5 + 4*len(list) }

// SizeI16List is that of a list or a set.
func SizeI16List(list []int16) int { return 5 + 2*len(list) }

// SizeI8List is that of a list or a set.
func SizeI8List(list []int8) int { return 5 + len(list) }

// SizeBoolList is that of a list or a set.
func SizeBoolList(list []bool) int { return 5 + len(list) }

// SizeTextList is that of a list or a set.
func SizeTextList(list []string) int {
	size := 5 + 4*len(list)
	for _, text := range list {
		size += len(text)
	}
	return size
}

// SizeTextMap is that of a map.
func SizeTextMap(texts map[string]string) int {
	size := 6 + 8*len(texts)
	for key, value := range texts {
		size += len(key) + len(value)
	}
	return size
}
