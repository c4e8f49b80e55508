package gauge

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// halfBits is the precision of a histogram: a bucket's width is at most 1/2^halfBits of its values, which is less than 1 %.
const halfBits = 7

// Histogram counts durations in buckets whose width grows with them, as those of Gil Tene's HdrHistogram: linear within each power of 2.
// Many goroutines may record.
type Histogram struct {
	buckets [(64 - halfBits) << halfBits]atomic.Uint32
}

// Record counts a duration.
func (h *Histogram) Record(d time.Duration) { h.buckets[bucketOf(uint64(max(d, 0)))].Add(1) }

// bucketOf returns the bucket of a number of nanoseconds. Numbers below 2^(halfBits+1) have one each.
func bucketOf(ns uint64) int {
	shift := max(bits.Len64(ns)-halfBits-1, 0)
	return shift<<halfBits + int(ns>>shift)
}

// middleOf returns the duration in the middle of a bucket.
func middleOf(bucket int) time.Duration {
	shift := max(bucket>>halfBits-1, 0)
	low := uint64(bucket-shift<<halfBits) << shift
	return time.Duration(low + 1<<shift>>1)
}

// Quantile returns the duration that the given share of all durations do not exceed; 0 if there are none.
func (h *Histogram) Quantile(share float64) time.Duration {
	var all, below uint64
	for i := range h.buckets {
		all += uint64(h.buckets[i].Load())
	}
	for i := range h.buckets {
		below += uint64(h.buckets[i].Load())
		if below > 0 && float64(below) >= share*float64(all) {
			return middleOf(i)
		}
	}
	return 0
}
