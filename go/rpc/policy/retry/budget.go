package retry

import (
	"cmp"
	"fmt"
	"sync/atomic"
	"time"
)

// Budget bounds extra attempts by a share of the calls, over all calls of a client. Every call pays in a part of a token, and every
// extra attempt takes a whole token; without a token there is no extra attempt. So in a time t with n calls there are at most
// Reserve + Ratio*n + PerSecond*t extra attempts, however many calls fail.
//
// This is Finagle's RetryBudget (https://twitter.github.io/finagle/guide/Clients.html#retries), with a bucket in place of its
// window of 10 seconds. gRFC A6 throttles by failures instead: it stops retries at about ratio/(1+ratio) failures. That bounds the
// load as well, but also stops retries around a single bad instance of several.
//
// Several goroutines may call the methods. All calls share one atomic number.
type Budget struct {
	ratio, perSecond, reserve int64        // thousandths of tokens
	tokens                    atomic.Int64 // thousandths of tokens
	filled                    atomic.Int64 // the time up to which perSecond has been paid in
}

// BudgetOptions are the options of a [Budget]. The zero value means the defaults.
type BudgetOptions struct {
	// Ratio is the ratio of extra attempts to calls. 0 means 0.2, as in Finagle; it is at most 1.
	Ratio float64
	// PerSecond is the number of extra attempts per second that a client with few calls may make. 0 means 10, as in Finagle; a
	// negative number means none.
	PerSecond float64
	// Reserve is the number of tokens that the bucket has at first and holds at most. 0 means 10, the size of gRFC A6.
	Reserve int
}

const (
	token        = 1000
	maxReserve   = 1_000_000
	maxPerSecond = 1_000_000
)

// NewBudget makes a full bucket.
func NewBudget(options BudgetOptions) (*Budget, error) {
	options.Ratio = cmp.Or(options.Ratio, 0.2)
	options.PerSecond = cmp.Or(options.PerSecond, 10)
	options.Reserve = cmp.Or(options.Reserve, 10)
	switch {
	case !(options.Ratio >= 0.001 && options.Ratio <= 1):
		return nil, fmt.Errorf("retry: the budget's ratio is %v; write a number from 0.001 to 1 (0.2 allows one retry for five calls)", options.Ratio)
	case !(options.PerSecond <= maxPerSecond):
		return nil, fmt.Errorf("retry: the budget has %v retries per second; write at most %d", options.PerSecond, maxPerSecond)
	case options.Reserve < 1 || options.Reserve > maxReserve:
		return nil, fmt.Errorf("retry: the budget's reserve is %d; write a number from 1 to %d", options.Reserve, maxReserve)
	}
	b := &Budget{ratio: int64(options.Ratio * token), perSecond: int64(max(options.PerSecond, 0) * token), reserve: int64(options.Reserve) * token}
	b.tokens.Store(b.reserve)
	return b, nil
}

// Deposit pays in for one call. The client calls it once for each call, before its first attempt.
func (b *Budget) Deposit() { b.add(b.ratio) }

// Withdraw takes a token for one extra attempt, and returns false if there is none.
func (b *Budget) Withdraw(now time.Duration) bool {
	b.fill(now)
	for {
		tokens := b.tokens.Load()
		if tokens < token {
			return false
		}
		if b.tokens.CompareAndSwap(tokens, tokens-token) {
			return true
		}
	}
}

// fill pays in for the time since the last call of fill, in whole thousandths.
func (b *Budget) fill(now time.Duration) {
	filled := b.filled.Load()
	elapsed := int64(now) - filled
	if b.perSecond == 0 || elapsed <= 0 {
		return
	}
	// A longer time fills the bucket in any case, and its product would be too large.
	next, enough := int64(now), (b.reserve/b.perSecond+1)*int64(time.Second)
	gain := b.perSecond * min(elapsed, enough) / int64(time.Second)
	if elapsed < enough {
		// A part of a thousandth stays unpaid until the next time.
		next = filled + gain*int64(time.Second)/b.perSecond
	}
	if gain > 0 && b.filled.CompareAndSwap(filled, next) {
		b.add(gain)
	}
}

func (b *Budget) add(gain int64) {
	for {
		tokens := b.tokens.Load()
		next := min(tokens+gain, b.reserve)
		if next == tokens || b.tokens.CompareAndSwap(tokens, next) {
			return
		}
	}
}
