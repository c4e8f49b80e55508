//go:build linux && (amd64 || arm64) && !purego && !race

package raw

import (
	"syscall"
	"unsafe"
)

// Receive reads from a socket what is there and waits for nothing, whatever the descriptor's flags say, without telling Go's scheduler. 0 bytes are the end of a stream.
// A signal does not end it.
func Receive(socket int, into []byte) (int, error) {
	return socketCall(syscall.SYS_RECVFROM, socket, into, syscall.MSG_DONTWAIT)
}

// Send writes to a socket what it takes at once and waits for nothing, whatever the descriptor's flags say, without telling Go's scheduler.
// A signal does not end it.
func Send(socket int, from []byte) (int, error) {
	return socketCall(syscall.SYS_SENDTO, socket, from, syscall.MSG_DONTWAIT|syscall.MSG_NOSIGNAL)
}

func socketCall(number uintptr, socket int, b []byte, flags uintptr) (int, error) {
	for {
		// The kernel reads or writes len(b) bytes of b's array, which b keeps alive until it has returned. The address is left out, as the socket is connected.
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
