package shm

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// How a connection begins: the client sends the magic and the token of the pair that it has with the server, alone for none yet; the server answers with the magic, the bytes of a
// ring and the connection's seat in the pair, and sends a segment and an end of a socket along, and with a new pair its memory and an end of the bell; or with 0 for a connection
// without memory; the client says whether it has mapped the segment. A client that sends 0, and a server that names no seat, know no pairs.
const (
	helloBytes   = 16
	magic        = "HONESHM1"
	mapped       = 1
	unmapped     = 0
	filesOfConn  = 2
	filesOfPair  = 2
	knowsNoPairs = 0
	hasNoPair    = 1
	// seatShift is where the seat is in the answer, counted from 1.
	seatShift = 32
)

// Rings of a segment, and notices of a pair.
const (
	clientWrites = iota
	serverWrites
)

const (
	toServer = iota
	toClient
)

// hello is what both sides send first.
func hello(word uint64) (text [helloBytes]byte) {
	copy(text[:], magic)
	binary.LittleEndian.PutUint64(text[len(magic):], word)
	return text
}

// wordOf is what a hello says.
func wordOf(text [helloBytes]byte) uint64 { return binary.LittleEndian.Uint64(text[len(magic):]) }

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
