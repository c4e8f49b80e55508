package thrift

import (
	"math"
	"math/bits"
)

// Limits are the most that a message may ask for. A message that asks for more is refused with [TooLarge] or [TooDeep]. Memory is
// counted as the code asks for it; Go rounds that up by an eighth at most.
type Limits struct {
	// Expansion is the number of bytes that may be allocated for each byte of the message. Sparse structs in lists need most: a struct
	// of n optional fields takes 8n bytes of memory, but one byte of the message where none of the fields is set.
	Expansion int
	// Slack is the number of bytes that may be allocated in any case, so that only large messages of sparse structs meet the limit.
	Slack int
	// Depth is the number of values that may lie in each other where a type contains itself, or where a field is skipped.
	Depth int
}

// DefaultLimits are in force where the options name no others.
var DefaultLimits = Limits{Expansion: 8, Slack: 1 << 20, Depth: 64}

// Bytes returns the number of bytes that may be allocated for a message of this length. Limits that are too large for an int count
// as no limits.
func (l Limits) Bytes(length int) int {
	high, bytes := bits.Mul64(uint64(max(l.Expansion, 0)), uint64(length))
	slack := uint64(max(l.Slack, 0))
	if high > 0 || bytes > math.MaxInt || slack > math.MaxInt-bytes {
		return math.MaxInt
	}
	return int(slack + bytes)
}

// Nesting returns the number of values that may lie in each other for code that does not know their types. Depth counts only some
// of these values, and it is enforced when the message is read.
func (l Limits) Nesting() int { return 16 * (1 + min(l.Depth, mostDepth)) }

// mostDepth is a depth that no stack has room for.
const mostDepth = 1 << 24
