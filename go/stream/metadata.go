package stream

import "slices"

// Pair is a name and a value that go with a call. Names are in lower case, which some wires require.
type Pair struct{ Name, Value string }

// Metadata is a list of pairs, in the order in which they were given. A name may occur more than once.
type Metadata []Pair

// Get returns the last value of a name; "" if there is none.
func (m Metadata) Get(name string) string {
	for _, pair := range slices.Backward(m) {
		if pair.Name == name {
			return pair.Value
		}
	}
	return ""
}

// All returns all values of a name.
func (m Metadata) All(name string) []string {
	var values []string
	for _, pair := range m {
		if pair.Name == name {
			values = append(values, pair.Value)
		}
	}
	return values
}
