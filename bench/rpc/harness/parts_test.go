package harness

import (
	"regexp"
	"testing"

	"github.com/google/pprof/profile"
)

func TestASampleOfTheCodecOrAHandlerIsTheirsWhateverRuns(t *testing.T) {
	codec := regexp.MustCompile(`\.ReadThrift$`)
	for _, test := range []struct {
		frames []string
		want   Parts
	}{
		{[]string{"runtime.mallocgc", "hone/shop.(*Order).ReadThrift", "hone/go/rpc.(*Server).serve"}, Parts{Codec: 1}},
		{[]string{"runtime.mapaccess1", "main.handler.Price", "hone/go/rpc.(*Server).serve"}, Parts{Handler: 1}},
		{[]string{"hone/bench/rpc/harness.Total", "main.(*handler).Price"}, Parts{Handler: 1}},
		{[]string{"runtime.scanobject", "runtime.gcBgMarkWorker"}, Parts{Collector: 1}},
		{[]string{"internal/runtime/syscall/linux.Syscall6", "syscall.write", "hone/go/rpc.(*Server).serve"}, Parts{Kernel: 1}},
		{[]string{"internal/runtime/syscall.Syscall6", "syscall.read"}, Parts{Kernel: 1}},
		{[]string{"runtime.futex", "runtime.notewakeup"}, Parts{Kernel: 1}},
		{[]string{"syscall.write", "internal/poll.(*FD).Write"}, Parts{Rest: 1}},
		{nil, Parts{Rest: 1}},
	} {
		sample := new(profile.Sample)
		for _, frame := range test.frames {
			sample.Location = append(sample.Location, &profile.Location{Line: []profile.Line{{Function: &profile.Function{Name: frame}}}})
		}
		var got Parts
		*got.of(sample, codec)++
		if got != test.want {
			t.Errorf("%q: %+v, not %+v", test.frames, got, test.want)
		}
	}
}
