//go:build unix && (!linux || !(amd64 || arm64) || purego || race)

package raw

import "syscall"

// Receive reads from a socket what is there and waits for nothing. 0 bytes are the end of a stream. A signal does not end it.
func Receive(socket int, into []byte) (int, error) {
	for {
		n, _, err := syscall.Recvfrom(socket, into, syscall.MSG_DONTWAIT)
		if err != syscall.EINTR {
			return n, err
		}
	}
}

// Send writes to a socket what it takes at once and waits for nothing. A signal does not end it.
func Send(socket int, from []byte) (int, error) {
	for {
		n, err := syscall.SendmsgN(socket, from, nil, nil, syscall.MSG_DONTWAIT)
		if err != syscall.EINTR {
			return n, err
		}
	}
}
