package retry

import (
	"math/bits"
	"sync/atomic"
	"time"
)

const (
	// bucketBits says how many buckets each power of two has: 8, so that a percentile is at most an eighth too long.
	bucketBits = 3
	// bucketCount is the number of buckets. They reach from 1 us to 75 hours.
	bucketCount = 39 << bucketBits
	// shortestBits is the shortest latency that is told apart from shorter ones, as a power of two of nanoseconds.
	shortestBits = 10
	// refresh is the time after which the percentile is computed again, and an eighth of the counts forgotten.
	refresh = time.Second
	// leastSamples is the number of latencies from which there is a percentile at all.
	leastSamples = 100
)

// latencies estimates one percentile of the durations of the last ten seconds or so. Counts are in logarithmic buckets. Once a
// second one goroutine computes the percentile and takes an eighth off every bucket. It is lock-free.
type latencies struct {
	percentile float64
	value      atomic.Int64 // nanoseconds; 0 as long as too few samples are known
	refreshed  atomic.Int64
	counts     [bucketCount]atomic.Int64
}

func (l *latencies) observe(now, latency time.Duration) {
	l.counts[bucketOf(latency)].Add(1)
	refreshed := l.refreshed.Load()
	if now-time.Duration(refreshed) >= refresh && l.refreshed.CompareAndSwap(refreshed, int64(now)) {
		l.compute()
	}
}

func (l *latencies) compute() {
	var counts [bucketCount]int64
	total := int64(0)
	for i := range counts {
		counts[i] = l.counts[i].Load()
		total += counts[i]
		l.counts[i].Add(-(counts[i] + 7) / 8)
	}
	if total < leastSamples {
		l.value.Store(0)
		return
	}
	above := int64(float64(total) * (1 - l.percentile))
	for i := bucketCount - 1; i >= 0; i-- {
		if above -= counts[i]; above < 0 {
			l.value.Store(int64(endOf(i)))
			return
		}
	}
}

// bucketOf returns the bucket of a duration: the power of two, and then the next three bits.
func bucketOf(d time.Duration) int {
	n := uint64(max(d, 1<<shortestBits))
	power := bits.Len64(n) - 1
	within := n >> (power - bucketBits) & (1<<bucketBits - 1)
	return min((power-shortestBits)<<bucketBits+int(within), bucketCount-1)
}

// endOf returns the end of a bucket.
func endOf(bucket int) time.Duration {
	power := bucket>>bucketBits + shortestBits
	within := bucket & (1<<bucketBits - 1)
	return time.Duration(1<<bucketBits+within+1) << (power - bucketBits)
}
