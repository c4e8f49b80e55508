//go:build linux && !purego && !race

package raw

import (
	"syscall"
	"unsafe"
)

// Read reads from a non-blocking file descriptor, as syscall.Read does, but without telling Go's scheduler. Telling the scheduler would wake its
// monitoring thread if the process was idle.
func Read(descriptor int, into []byte) (int, error) {
	return descriptorCall(syscall.SYS_READ, descriptor, into)
}

// Write writes to a non-blocking file descriptor, as syscall.Write does, but without telling Go's scheduler.
func Write(descriptor int, from []byte) (int, error) {
	return descriptorCall(syscall.SYS_WRITE, descriptor, from)
}

func descriptorCall(number uintptr, descriptor int, b []byte) (int, error) {
	// The kernel reads or writes len(b) bytes of b's array, which b keeps alive until it has returned.
	n, _, failed := syscall.RawSyscall(number, uintptr(descriptor), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
	if failed != 0 {
		return -1, failed
	}
	return int(n), nil
}
