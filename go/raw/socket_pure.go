//go:build unix && (!linux || !(amd64 || arm64) || purego || race)

package raw

import "syscall"

// Receive reads the bytes that a socket has now. It never waits. 0 bytes mean the end of a stream. A signal does not interrupt it.
func Receive(socket int, into []byte) (int, error) {
	for {
		n, _, err := syscall.Recvfrom(socket, into, syscall.MSG_DONTWAIT)
		if err != syscall.EINTR {
			return n, err
		}
	}
}

// Send writes the bytes that a socket takes at once. It never waits. A signal does not interrupt it.
func Send(socket int, from []byte) (int, error) {
	for {
		n, err := syscall.SendmsgN(socket, from, nil, nil, syscall.MSG_DONTWAIT)
		if err != syscall.EINTR {
			return n, err
		}
	}
}
