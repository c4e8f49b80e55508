//go:build linux && (amd64 || arm64) && !purego && !race

package raw

import (
	"syscall"
	"unsafe"
)

// Receive reads the bytes that a socket has now. It never waits, whatever flags the descriptor has, and does not tell Go's scheduler. 0 bytes mean
// the end of a stream. A signal does not interrupt it.
func Receive(socket int, into []byte) (int, error) {
	return socketCall(syscall.SYS_RECVFROM, socket, into, syscall.MSG_DONTWAIT)
}

// Send writes the bytes that a socket takes at once. It never waits, whatever flags the descriptor has, and does not tell Go's scheduler. A signal
// does not interrupt it.
func Send(socket int, from []byte) (int, error) {
	return socketCall(syscall.SYS_SENDTO, socket, from, syscall.MSG_DONTWAIT|syscall.MSG_NOSIGNAL)
}

func socketCall(number uintptr, socket int, b []byte, flags uintptr) (int, error) {
	for {
		// The kernel reads or writes len(b) bytes of b's array, which b keeps alive until the call has returned. No address is given, since the
		// socket is connected.
		n, _, failed := syscall.RawSyscall6(number, uintptr(socket), uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), flags, 0, 0)
		switch failed {
		case 0:
			return int(n), nil
		case syscall.EINTR:
		default:
			return -1, failed
		}
	}
}
