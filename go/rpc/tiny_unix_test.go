//go:build unix

package rpc_test

import (
	"errors"
	"strings"
	"syscall"
)

// tinySegment is the number of bytes that TCP sends in one segment: a receiver whose buffer is smaller than a segment gets one every 200 ms.
const tinySegment = 500

// tiny makes the buffers of a socket as small as they can be.
func tiny(network, _ string, socket syscall.RawConn) (err error) {
	controlErr := socket.Control(func(descriptor uintptr) {
		if strings.HasPrefix(network, "tcp") {
			err = syscall.SetsockoptInt(int(descriptor), syscall.IPPROTO_TCP, syscall.TCP_MAXSEG, tinySegment)
		}
		err = errors.Join(err, syscall.SetsockoptInt(int(descriptor), syscall.SOL_SOCKET, syscall.SO_SNDBUF, 1),
			syscall.SetsockoptInt(int(descriptor), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 1))
	})
	return errors.Join(err, controlErr)
}
