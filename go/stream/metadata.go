package stream

import "slices"

// Pair is a name and a value that go with a call. Names are written in small letters, which some wires ask for.
type Pair struct{ Name, Value string }

// Metadata are pairs in the order in which they were given; a name may be there more than once.
type Metadata []Pair

// Get gives the last value of a name; "" if there is none.
func (m Metadata) Get(name string) string {
	for _, pair := range slices.Backward(m) {
		if pair.Name == name {
			return pair.Value
		}
	}
	return ""
}

// All gives the values of a name.
func (m Metadata) All(name string) []string {
	var values []string
	for _, pair := range m {
		if pair.Name == name {
			values = append(values, pair.Value)
		}
	}
	return values
}
