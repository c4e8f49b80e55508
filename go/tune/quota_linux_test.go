package tune

import (
	"path/filepath"
	"runtime"
	"testing"
)

// underAQuota returns the statistics of a tuner under a quota.
func underAQuota() CPUStats {
	tuner := CPU(CPUOptions{ReserveShare: 0.25})
	defer tuner.Stop()
	return tuner.Stats()
}

// Go itself does not see the quota of a group above.
func TestTheQuotaOfARealGroupAboveIsFound(t *testing.T) {
	outer := newGroup(t, "cpu")
	outer.set(t, "cpu.max", "cpu.cfs_quota_us", "100000")
	inner := outer.below(t, "inner")
	var told CPUStats
	if err := child(t, inner.dir, "quota", &told); err != nil {
		t.Fatal(err)
	}
	if filepath.Dir(told.Quota) != outer.dir || told.QuotaCPUs != 1 || told.ReservedCPUs != 0.25 || told.Procs != 1 || told.Idle != "" || told.Unread != nil {
		t.Errorf("%+v on %d CPUs", told, runtime.NumCPU())
	}
}
