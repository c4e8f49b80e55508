package generic

import "hone/go/thrift"

// Options say how messages are turned into JSON and Go, and back. The zero value is right for most programs.
type Options struct {
	// TextForI64 writes numbers of type i64 as texts in JSON, for JavaScript, whose numbers have 53 bits.
	TextForI64 bool
	// Limits are the limits of messages. The zero value means [DefaultLimits].
	Limits thrift.Limits
}

// DefaultLimits are the limits if Options has none. They limit the bytes of JSON, of Go's memory or of a message that are made from each byte that
// arrived, and the depth of values inside each other in JSON if a type contains itself. Structs with long names and few bytes take 30 times as many
// bytes in JSON. A connection's own limits for reading apply to its messages as well.
var DefaultLimits = thrift.Limits{Expansion: 64, Slack: 1 << 20, Depth: 64}

// limits returns the limits to use.
func (o Options) limits() thrift.Limits {
	if o.Limits == (thrift.Limits{}) {
		return DefaultLimits
	}
	return o.Limits
}
