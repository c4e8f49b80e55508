package thrift

import (
	"math"
	"math/bits"
)

// Limits are what a message may ask for. A message that asks for more is refused with [TooLarge] or [TooDeep]. Memory is counted as
// it is asked for, which Go rounds up by an eighth at most.
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

// Bytes is how many may be allocated for a message of this length. Limits that are too large for a number are none.
func (l Limits) Bytes(length int) int {
	high, bytes := bits.Mul64(uint64(max(l.Expansion, 0)), uint64(length))
	slack := uint64(max(l.Slack, 0))
	if high > 0 || bytes > math.MaxInt || slack > math.MaxInt-bytes {
		return math.MaxInt
	}
	return int(slack + bytes)
}

// Nesting is how many values may lie in each other where nobody looks at their types: Depth counts only some of them, and holds when
// the message is read.
func (l Limits) Nesting() int { return 16 * (1 + min(l.Depth, mostDepth)) }

// mostDepth is a depth that no stack has.
const mostDepth = 1 << 24
