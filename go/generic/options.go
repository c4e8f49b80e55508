package generic

import "hone/go/thrift"

// Options say how messages are turned into JSON and Go, and back. The zero value is what most want.
type Options struct {
	// TextForI64 writes numbers of type i64 as texts in JSON, for JavaScript, whose numbers have 53 bits.
	TextForI64 bool
	// Limits are [DefaultLimits] if nothing is said.
	Limits thrift.Limits
}

// DefaultLimits are in force where nothing else is said: how many bytes of JSON, of Go's memory or of a message may be made of each byte
// that arrived, and how many values may lie in each other in JSON where a type contains itself. Of structs with long names and few bytes JSON
// makes 30 times as many. What a connection allows for reading holds besides, for messages that it reads.
var DefaultLimits = thrift.Limits{Expansion: 64, Slack: 1 << 20, Depth: 64}

// limits are those in force.
func (o Options) limits() thrift.Limits {
	if o.Limits == (thrift.Limits{}) {
		return DefaultLimits
	}
	return o.Limits
}
