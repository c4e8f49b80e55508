package tune

import (
	"os"
	"syscall"
	"time"
)

// hostFiles returns the file system of this host, whose files describe control groups.
func hostFiles() files { return files{os.DirFS("/")} }

// cpuTime returns the CPU time that this process has used.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
