package gauge

import "syscall"

// CPU is the CPU time that a process has used since it began.
type CPU struct {
	UserUs   int64 `json:"user_us"`
	SystemUs int64 `json:"system_us"`
	// Switches is the number of context switches of threads that waited, Preempted that of threads that other work of the machine displaced.
	Switches  int64 `json:"switches"`
	Preempted int64 `json:"preempted"`
}

// CPUNow returns the CPU time of this process.
//
// # Errors
//
// Those of getrusage.
func CPUNow() (CPU, error) {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return CPU{}, err
	}
	return CPU{used.Utime.Nano() / 1000, used.Stime.Nano() / 1000, used.Nvcsw, used.Nivcsw}, nil
}

// Since returns the CPU time used since an earlier moment.
func (c CPU) Since(before CPU) CPU {
	return CPU{c.UserUs - before.UserUs, c.SystemUs - before.SystemUs, c.Switches - before.Switches, c.Preempted - before.Preempted}
}
