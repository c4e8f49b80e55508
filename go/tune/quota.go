package tune

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"
)

// quota is the CPU time that a group may have, and how often the quota held the group up since the group was made.
type quota struct {
	// name is the file that has the quota.
	name string
	cpus float64
	// periods is the number of periods in which the group ran, throttled the number of those in which it was stopped before their end.
	periods, throttled uint64
	throttledTime      time.Duration
}

// fewPeriods is the least number of periods that the part cut short is computed of: missing periods count as whole.
const fewPeriods = 20

// heldUpSince returns the part of the periods since an earlier reading that the quota cut short.
func (q quota) heldUpSince(before quota) float64 {
	return float64(minus(q.throttled, before.throttled)) / float64(max(minus(q.periods, before.periods), fewPeriods))
}

// quotaReader reads the quotas of control groups.
type quotaReader struct{ finder groupFinder }

func newQuotaReader(files files) *quotaReader {
	return &quotaReader{groupFinder{files: files, controller: "cpu"}}
}

// quotas reads the quotas of this process' group and of all groups above it. The error describes the quotas that could not be read; the others are
// returned beside it.
func (r *quotaReader) quotas() ([]quota, error) {
	found, err := r.finder.groups()
	if err != nil {
		return nil, err
	}
	var all []quota
	var failed []error
	for _, dir := range found.dirs {
		one, hasQuota, err := r.quotaOf(dir, found.isV2)
		if err != nil {
			failed = append(failed, err)
		} else if hasQuota {
			all = append(all, one)
		}
	}
	return all, errors.Join(failed...)
}

func (r *quotaReader) quotaOf(dir string, isV2 bool) (q quota, hasQuota bool, err error) {
	limit, period := uint64(noNumber), uint64(0)
	if isV2 {
		q.name = path.Join(dir, "cpu.max")
		limit, period, err = r.cpuMax(q.name)
	} else {
		q.name = path.Join(dir, "cpu.cfs_quota_us")
		if limit, err = r.finder.files.number(q.name); err == nil && limit != noNumber {
			period, err = r.finder.files.number(path.Join(dir, "cpu.cfs_period_us"))
		}
	}
	if isAbsent(err) || err == nil && limit == noNumber {
		return quota{}, false, nil
	}
	if err == nil && (limit == 0 || period == 0 || period == noNumber) {
		err = fmt.Errorf("/%s: %d us in each %d us is no quota", q.name, limit, period)
	}
	if err != nil {
		return quota{}, false, err
	}
	q.name, q.cpus = "/"+q.name, float64(limit)/float64(period)
	return q, true, r.count(&q, path.Join(dir, "cpu.stat"), isV2)
}

// cpuMax reads "QUOTA PERIOD" in microseconds.
func (r *quotaReader) cpuMax(name string) (limit, period uint64, err error) {
	text, err := r.finder.files.text(name)
	if err != nil {
		return 0, 0, err
	}
	first, second, _ := strings.Cut(strings.TrimSpace(text), " ")
	if limit, err = parseNumber(first); err == nil && limit != noNumber {
		period, err = strconv.ParseUint(second, 10, 64)
	}
	if err != nil {
		err = fmt.Errorf("/%s: %.40q is not of the form \"QUOTA PERIOD\"", name, text)
	}
	return limit, period, err
}

// count reads the counters of the kernel into q. A group without counters counts as never held up.
func (r *quotaReader) count(q *quota, name string, isV2 bool) error {
	stopped, unit := "throttled_time", time.Nanosecond
	if isV2 {
		stopped, unit = "throttled_usec", time.Microsecond
	}
	counts, err := r.finder.files.keyed(name, "nr_periods", "nr_throttled", stopped)
	if isAbsent(err) {
		return nil
	}
	if err == nil {
		q.periods, q.throttled, q.throttledTime = counts[0], counts[1], time.Duration(counts[2])*unit
	}
	return err
}
