package shm

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// A connection begins as follows. The client sends the magic and the token of the pair that it has with the server, or hasNoPair if
// it has none yet. The server answers with the magic, the size of a ring in bytes and the connection's seat in the pair; with the
// answer it sends a segment and an end of a socket, and, for a new pair, the pair's memory and an end of its bell. For a connection
// without memory it answers with 0 instead. The client then says whether it has mapped the segment. A client that sends the token
// 0, and a server that names no seat, do not know pairs.
const (
	helloBytes   = 16
	magic        = "HONESHM1"
	mapped       = 1
	unmapped     = 0
	filesOfConn  = 2
	filesOfPair  = 2
	knowsNoPairs = 0
	hasNoPair    = 1
	// seatShift is the place of the seat in the answer, in bits. Seats are counted from 1 there.
	seatShift = 32
)

// These are the numbers of the rings of a segment, and of the notices of a pair.
const (
	clientWrites = iota
	serverWrites
)

const (
	toServer = iota
	toClient
)

// hello makes the first message of either side.
func hello(word uint64) (text [helloBytes]byte) {
	copy(text[:], magic)
	binary.LittleEndian.PutUint64(text[len(magic):], word)
	return text
}

// wordOf returns the number in a hello.
func wordOf(text [helloBytes]byte) uint64 { return binary.LittleEndian.Uint64(text[len(magic):]) }

// isHelloSoFar reports whether these bytes may be the first ones of a hello.
func isHelloSoFar(first []byte) bool {
	n := min(len(first), len(magic))
	return bytes.Equal(first[:n], []byte(magic)[:n])
}

// mayShare returns an error where the process at the other end of a socket belongs to a user who may not share memory.
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
