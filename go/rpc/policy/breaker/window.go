package breaker

import (
	"sync/atomic"
	"time"
)

// window counts two kinds of events of the last bucketCount times bucketLength, with a step of a bucket. A bucket is one word: the number of
// its period and both counts, so that a period that is over is replaced in one step and no event is lost or counted twice.
type window struct {
	bucketLength time.Duration
	buckets      [bucketCount]atomic.Uint64
}

const (
	bucketCount = 10
	countBits   = 20
	// maxCount of one bucket. Beyond it both counts are halved, which keeps their ratio.
	maxCount = 1<<countBits - 1
	// periodMask: numbers of periods are told apart for 16 million periods, which at a tenth of a second are 19 days.
	periodMask = 1<<(64-2*countBits) - 1
)

func newWindow(length time.Duration) window { return window{bucketLength: max(length/bucketCount, 1)} }

func (w *window) add(now time.Duration, first, second uint64) {
	period := uint64(now / w.bucketLength)
	bucket := &w.buckets[period%bucketCount]
	period &= periodMask
	for {
		old := bucket.Load()
		a, b := old>>countBits&maxCount, old&maxCount
		if old>>(2*countBits) != period {
			a, b = 0, 0
		}
		if a+first > maxCount || b+second > maxCount {
			a, b = a/2, b/2
		}
		if bucket.CompareAndSwap(old, period<<(2*countBits)|(a+first)<<countBits|(b+second)) {
			return
		}
	}
}

// sums are the counts of the window that ends now.
func (w *window) sums(now time.Duration) (first, second uint64) {
	period := uint64(now / w.bucketLength)
	for i := range w.buckets {
		bucket := w.buckets[i].Load()
		if age := (period - bucket>>(2*countBits)) & periodMask; age < bucketCount {
			first += bucket >> countBits & maxCount
			second += bucket & maxCount
		}
	}
	return first, second
}

func (w *window) clear() {
	for i := range w.buckets {
		w.buckets[i].Store(0)
	}
}
