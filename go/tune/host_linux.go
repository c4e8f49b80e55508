package tune

import (
	"os"
	"syscall"
	"time"
)

// hostFiles are the files of this host that tell of control groups.
func hostFiles() files { return files{os.DirFS("/")} }

// cpuTime is how much CPU time this process has had.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
