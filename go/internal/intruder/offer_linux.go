package intruder

import (
	"encoding/binary"
	"errors"
	"io"
	"net"

	"golang.org/x/sys/unix"
)

// Offer is a server's answer to a client that requests memory. Its zero value is a valid answer; each field can make a part of it wrong.
type Offer struct {
	// Capacity is the capacity that the answer names, Bytes the length of the segment, Header the capacity in the segment's header. 0 means the value
	// that fits the capacity, and a Capacity of 0 means 64 KiB.
	Capacity, Bytes, Header int
	// Seat is the seat in a pair that the answer names, counted from 1; 0 means none.
	Seat int
	// Seals are the segment's seals; 0 means the required ones.
	Seals int
	// Files changes the descriptors that are sent along.
	Files func(memory, space int) []int
}

// seals are the required seals of a segment.
const seals = unix.F_SEAL_GROW | unix.F_SEAL_SHRINK | unix.F_SEAL_SEAL

// Give reads a client's hello from an accepted connection, and answers it. The connection stays the caller's.
//
// # Errors
//
// An error that describes what the client did in place of a request, or of taking the memory.
func (o Offer) Give(accepted *net.UnixConn) (*Peer, error) {
	asking := make([]byte, helloBytes)
	if _, err := io.ReadFull(accepted, asking); err != nil {
		return nil, err
	}
	capacity := o.Capacity
	if capacity == 0 {
		capacity = 1 << 16
	}
	p, clientEnd, err := o.make(accepted, capacity)
	if err != nil {
		return nil, err
	}
	files := []int{p.Memory, clientEnd}
	if o.Files != nil {
		files = o.Files(p.Memory, clientEnd)
	}
	answer := binary.LittleEndian.AppendUint64([]byte(hello), uint64(capacity)|uint64(o.Seat)<<32)
	_, _, err = accepted.WriteMsgUnix(answer, unix.UnixRights(files...), nil)
	unix.Close(clientEnd)
	if err == nil {
		_, err = io.ReadFull(accepted, asking[:1])
	}
	if err == nil && asking[0] != 1 {
		err = ErrRefused
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// ErrRefused is the error of a client that does not take the memory.
var ErrRefused = errors.New("the client does not take the memory")

func (o Offer) make(accepted *net.UnixConn, capacity int) (p *Peer, clientEnd int, err error) {
	memory, err := unix.MemfdCreate("hone-shm", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, 0, err
	}
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		unix.Close(memory)
		return nil, 0, err
	}
	// The peer maps the size of a good segment of 64 KiB.
	if err = unix.Ftruncate(memory, headerBytes+2<<16); err == nil {
		p, err = newPeer(accepted, ends[0], memory, 1<<16, 1)
	}
	if err != nil {
		unix.Close(ends[1])
		return nil, 0, err
	}
	copy(p.Segment, hello)
	header := capacity
	if o.Header != 0 {
		header = o.Header
	}
	binary.LittleEndian.PutUint64(p.Segment[len(hello):], uint64(header))
	if o.Bytes != 0 {
		unix.Ftruncate(memory, int64(o.Bytes))
	}
	sealing := seals
	if o.Seals != 0 {
		sealing = o.Seals
	}
	unix.FcntlInt(uintptr(memory), unix.F_ADD_SEALS, sealing)
	return p, ends[1], nil
}
