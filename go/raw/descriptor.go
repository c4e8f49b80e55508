//go:build linux && !purego && !race

package raw

import (
	"syscall"
	"unsafe"
)

// Read reads from a file descriptor that does not block, as syscall.Read does, without telling Go's scheduler: that would wake its monitoring thread
// where the process was idle.
func Read(descriptor int, into []byte) (int, error) {
	return descriptorCall(syscall.SYS_READ, descriptor, into)
}

// Write writes to a file descriptor that does not block, as syscall.Write does, without telling Go's scheduler.
func Write(descriptor int, from []byte) (int, error) {
	return descriptorCall(syscall.SYS_WRITE, descriptor, from)
}

// Receive reads from a socket what is there and waits for nothing, whatever the descriptor's flags say, without telling Go's scheduler. 0 bytes are the end of a stream.
func Receive(socket int, into []byte) (int, error) {
	return socketCall(syscall.SYS_RECVFROM, socket, into, syscall.MSG_DONTWAIT)
}

// Send writes to a socket what it takes at once and waits for nothing, whatever the descriptor's flags say, without telling Go's scheduler.
func Send(socket int, from []byte) (int, error) {
	return socketCall(syscall.SYS_SENDTO, socket, from, syscall.MSG_DONTWAIT|syscall.MSG_NOSIGNAL)
}

func socketCall(number uintptr, socket int, b []byte, flags uintptr) (int, error) {
	// As in descriptorCall; without an address, as the socket is connected.
	n, _, failed := syscall.RawSyscall6(number, uintptr(socket), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), flags, 0, 0)
	if failed != 0 {
		return -1, failed
	}
	return int(n), nil
}

func descriptorCall(number uintptr, descriptor int, b []byte) (int, error) {
	// The kernel reads or writes len(b) bytes of b's array, which b keeps alive until it has returned.
	n, _, failed := syscall.RawSyscall(number, uintptr(descriptor), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
	if failed != 0 {
		return -1, failed
	}
	return int(n), nil
}
