package thrift

// Limits are what a message may ask for. A message that asks for more is refused with [TooLarge] or [TooDeep].
type Limits struct {
	// Expansion is how many bytes may be allocated for each byte of the message. Sparse structs in lists need most:
	// a struct of n optional fields takes 8n bytes, and one byte of the message where none of them is set.
	Expansion int
	// Slack is how many bytes may be allocated in any case, so that sparse messages meet the limit only if they are large.
	Slack int
	// Depth is how many values may lie in each other where a type contains itself, or where a field is skipped.
	Depth int
}

// DefaultLimits are in force where nothing else is said.
var DefaultLimits = Limits{Expansion: 8, Slack: 1 << 20, Depth: 64}
