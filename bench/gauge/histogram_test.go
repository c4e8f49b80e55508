package gauge

import (
	"math"
	"testing"
	"time"
)

func TestQuantilesAreWithinOnePercent(t *testing.T) {
	var h Histogram
	for i := range 1_000_000 {
		h.Record(time.Duration(i) * time.Microsecond)
	}
	for _, share := range []float64{0.001, 0.5, 0.99, 0.999, 1} {
		want := share * 1e9
		if got := float64(h.Quantile(share)); math.Abs(got-want) > want/100 {
			t.Errorf("quantile %v is %v", share, time.Duration(got))
		}
	}
}

func TestEveryDurationHasABucketOfItsOwnSize(t *testing.T) {
	for _, d := range []time.Duration{0, 1, 127, 128, 255, 256, 257, 1 << 20, 1<<20 - 1, time.Hour, math.MaxInt64} {
		middle := float64(middleOf(bucketOf(uint64(d))))
		if math.Abs(middle-float64(d)) > float64(d)/100 {
			t.Errorf("%d is counted as %v", d, middle)
		}
	}
}

func TestAHistogramOfNothingHasNoQuantile(t *testing.T) {
	if got := new(Histogram).Quantile(0.99); got != 0 {
		t.Errorf("it is %v", got)
	}
}
