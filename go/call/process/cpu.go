// Package process finds the CPU time of processes, and the processes that listen at an address.
package process

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
)

// Own returns the CPU time of this process, user and system.
func Own() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// tick is the unit of times in /proc/PID/stat: USER_HZ is 100 on all systems (man 5 proc_pid_stat).
const tick = 10 * time.Millisecond

// Of returns the CPU time of a process, user and system, to a hundredth of a second.
//
// # Errors
//
// Errors of a process that does not exist, and of systems without /proc.
func Of(pid int) (time.Duration, error) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, err
	}
	ticks, err := ticksIn(stat)
	if err != nil {
		return 0, fmt.Errorf("process %d: %w", pid, err)
	}
	return time.Duration(ticks) * tick, nil
}

// The positions of the times after the name of the program, which may have any characters and ends at the last bracket.
const (
	userAt   = 11
	systemAt = 12
)

// ticksIn returns the sum of user and system time in a line of /proc/PID/stat.
func ticksIn(stat []byte) (int64, error) {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= systemAt {
		return 0, errors.New("its times are not in /proc/PID/stat")
	}
	user, errOfUser := strconv.ParseInt(string(fields[userAt]), 10, 64)
	system, errOfSystem := strconv.ParseInt(string(fields[systemAt]), 10, 64)
	return user + system, errors.Join(errOfUser, errOfSystem)
}
