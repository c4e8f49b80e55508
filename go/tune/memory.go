package tune

import (
	"errors"
	"os"
	"path"
	"strconv"
	"strings"
)

// unlimited is the least number that means "no limit": version 1 writes the largest multiple of a page where nobody has set a limit.
const unlimited = 1 << 60

// memoryLimit is a limit, and the memory that counts against it.
type memoryLimit struct {
	// name is the file that has the limit, or GOMEMLIMIT.
	name  string
	bytes uint64
	// used is the memory of all processes below the limit, without pages of files that were not touched lately: the kernel drops those first. It is
	// the working set by which Kubernetes judges containers.
	used uint64
}

// memoryReader reads the limits of control groups.
type memoryReader struct{ finder groupFinder }

func newMemoryReader(files files) *memoryReader {
	return &memoryReader{groupFinder{files: files, controller: "memory"}}
}

// limits reads the limits of this process' group and of all groups above it: each has its own users. The error describes the limits that could not be
// read; the others are returned beside it.
func (r *memoryReader) limits() ([]memoryLimit, error) {
	found, err := r.finder.groups()
	if err != nil {
		return nil, err
	}
	var all []memoryLimit
	var failed []error
	for i, dir := range found.dirs {
		read := r.limitV1
		if found.isV2 {
			read = r.limitV2
		}
		limit, err := read(dir, i == 0)
		if err != nil {
			failed = append(failed, err)
		} else if limit.bytes < unlimited {
			all = append(all, limit)
		}
	}
	return all, errors.Join(failed...)
}

// limitV2 returns the smaller of memory.max, above which processes are killed, and memory.high, above which they are slowed down.
func (r *memoryReader) limitV2(dir string, _ bool) (memoryLimit, error) {
	tightest := memoryLimit{bytes: noNumber}
	for _, name := range []string{"memory.max", "memory.high"} {
		if err := r.tighten(&tightest, path.Join(dir, name)); err != nil {
			return memoryLimit{}, err
		}
	}
	return r.withUsed(tightest, dir, "memory.current", "inactive_file")
}

// limitV1 returns memory.limit_in_bytes, and for the process' own group also the limit of groups above it, which may not be mounted here.
func (r *memoryReader) limitV1(dir string, isOwn bool) (memoryLimit, error) {
	tightest := memoryLimit{bytes: noNumber}
	if err := r.tighten(&tightest, path.Join(dir, "memory.limit_in_bytes")); err != nil {
		return memoryLimit{}, err
	}
	if isOwn {
		stat := path.Join(dir, "memory.stat")
		numbers, err := r.finder.files.keyed(stat, "hierarchical_memory_limit")
		if err == nil && numbers[0] > 0 && numbers[0] < tightest.bytes {
			tightest = memoryLimit{name: "/" + stat, bytes: numbers[0]}
		}
	}
	return r.withUsed(tightest, dir, "memory.usage_in_bytes", "total_inactive_file")
}

// tighten replaces limit by the limit in a file if that is smaller. A missing file means no limit.
func (r *memoryReader) tighten(limit *memoryLimit, name string) error {
	bytes, err := r.finder.files.number(name)
	if isAbsent(err) {
		return nil
	}
	if err == nil && bytes < limit.bytes {
		limit.name, limit.bytes = "/"+name, bytes
	}
	return err
}

func (r *memoryReader) withUsed(limit memoryLimit, dir, used, idle string) (memoryLimit, error) {
	if limit.bytes >= unlimited {
		return limit, nil
	}
	all, err := r.finder.files.number(path.Join(dir, used))
	if err != nil {
		return memoryLimit{}, err
	}
	// Without the statistics, pages of files count as used: the sum is then too high rather than too low.
	stat, err := r.finder.files.keyed(path.Join(dir, "memory.stat"), idle)
	if err == nil {
		all = minus(all, stat[0])
	}
	limit.used = all
	return limit, nil
}

// resident returns the size of this process' memory, by the second field of /proc/self/statm (proc(5)), or 0 if that is unknown.
func (r *memoryReader) resident() uint64 {
	if r.finder.files.root == nil {
		return 0
	}
	text, err := r.finder.files.text("proc/self/statm")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(text, " ")
	pages, _, _ := strings.Cut(after, " ")
	count, err := strconv.ParseUint(pages, 10, 32)
	if err != nil {
		return 0
	}
	return count * uint64(os.Getpagesize())
}

// minus returns a-b, or 0 if the difference would be negative, as it can be for numbers that were read one after the other.
func minus(a, b uint64) uint64 { return a - min(a, b) }
