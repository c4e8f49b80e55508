package load

import (
	"runtime"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// The range of histograms is from a nanosecond to an hour, with a precision of a thousandth.
const (
	least  = time.Nanosecond
	most   = time.Hour
	digits = 3
)

func newHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(int64(least), int64(most), digits)
}

// recorder collects the measurements of callers. Each caller takes a lock of its own, or shares it with few.
type recorder struct {
	parts  []part
	errors struct {
		sync.Mutex
		byKind map[string]int64
	}
}

type part struct {
	sync.Mutex
	latency, lateness *hdrhistogram.Histogram
}

func newRecorder() *recorder {
	r := &recorder{parts: make([]part, runtime.GOMAXPROCS(0))}
	for i := range r.parts {
		r.parts[i].latency, r.parts[i].lateness = newHistogram(), newHistogram()
	}
	r.errors.byKind = map[string]int64{}
	return r
}

func (r *recorder) call(caller int, took time.Duration) {
	p := &r.parts[caller%len(r.parts)]
	p.Lock()
	defer p.Unlock()
	add(p.latency, took)
}

func (r *recorder) late(caller int, by time.Duration) {
	p := &r.parts[caller%len(r.parts)]
	p.Lock()
	defer p.Unlock()
	add(p.lateness, by)
}

// add adds a time, limited to the range of histograms.
func add(to *hdrhistogram.Histogram, took time.Duration) {
	// There is no error, since the value is within the bounds of the histogram.
	_ = to.RecordValue(int64(min(max(took, 0), most)))
}

// mostKinds is the largest number of kinds of errors that are counted apart.
const mostKinds = 20

func (r *recorder) error(kind string) {
	r.errors.Lock()
	defer r.errors.Unlock()
	if _, isKnown := r.errors.byKind[kind]; !isKnown && len(r.errors.byKind) >= mostKinds {
		kind = "others"
	}
	r.errors.byKind[kind]++
}

func (r *recorder) result(plan Plan) *Result {
	result := &Result{Plan: plan, Latency: newHistogram(), Lateness: newHistogram(), Errors: r.errors.byKind}
	for i := range r.parts {
		result.Latency.Merge(r.parts[i].latency)
		result.Lateness.Merge(r.parts[i].lateness)
	}
	return result
}
