package shm

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// How a connection begins: the client sends the magic and zeros; the server answers with the magic and the bytes of a ring, and sends a segment and an end of a socket along,
// or with 0 for a connection without memory; the client says whether it has mapped the segment.
const (
	helloBytes = 16
	magic      = "HONESHM1"
	mapped     = 1
	unmapped   = 0
)

// Rings of a segment.
const (
	clientWrites = iota
	serverWrites
)

// hello is what both sides send first.
func hello(ringBytes int) (text [helloBytes]byte) {
	copy(text[:], magic)
	binary.LittleEndian.PutUint64(text[len(magic):], uint64(ringBytes))
	return text
}

// isHelloSoFar is whether bytes may be the first ones of a hello.
func isHelloSoFar(first []byte) bool {
	n := min(len(first), len(magic))
	return bytes.Equal(first[:n], []byte(magic)[:n])
}

// mayShare is an error where the process at the other end of a socket is another user's, who is not allowed.
func (o Options) mayShare(socket int) error {
	peer, err := unix.GetsockoptUcred(socket, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return os.NewSyscallError("getsockopt", err)
	}
	isAllowed := peer.Uid == 0 || int(peer.Uid) == os.Geteuid()
	if o.Allow != nil {
		isAllowed = o.Allow(peer.Uid)
	}
	if !isAllowed {
		return fmt.Errorf("the other side's user %d may not share memory; see Options.Allow", peer.Uid)
	}
	return nil
}

func closeAll(files []int) {
	for _, file := range files {
		unix.Close(file)
	}
}
