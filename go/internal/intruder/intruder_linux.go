// Package intruder plays a side of shared memory that breaks the rules, for the tests of packages shm and rpc. It implements the layout of
// docs/internals/shm.md by itself, and shares no code with package shm.
package intruder

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"

	"golang.org/x/sys/unix"
)

// Layout of a segment, and of a pair's page.
const (
	hello         = "HONESHM1"
	helloBytes    = 16
	headerBytes   = 4096
	controlAt     = 1024
	controlStride = 1024
	head          = 0
	tail          = 128
	readerWaits   = 256
	writerWaits   = 384
	pageBytes     = 4096
	noticesAt     = 1024
	sleeps        = 0
	bits          = 128
	noticeWords   = 16
)

// The requests of a client's hello beside memory.
const (
	noPair  = 0
	newPair = 1
)

// Peer is a side of a connection through shared memory.
type Peer struct {
	// Socket is the connection's socket, Space the socket over which readers wake writers.
	Socket, Space int
	// Memory is the descriptor of the segment, Segment all of its bytes, and Capacity the number of bytes of a ring.
	Memory   int
	Segment  []byte
	Capacity int
	// Bell and Page are the bell and the page of the pair that the peer requested; -1 and nil without a pair.
	Bell int
	Page []byte
	// out is the ring that this side writes: 0 for a client, 1 for a server.
	out int
}

// Ask completes the handshake of a client over a connected socket, which it owns from then on.
//
// # Errors
//
// An error that describes what the server did in place of offering memory.
func Ask(socket *net.UnixConn) (*Peer, error) { return ask(socket, noPair) }

// AskForPair is Ask for a client that opens a new pair with the server.
//
// # Errors
//
// Those of Ask.
func AskForPair(socket *net.UnixConn) (*Peer, error) { return ask(socket, newPair) }

func ask(socket *net.UnixConn, word uint64) (*Peer, error) {
	defer socket.Close()
	p, err := begin(socket, word)
	if err != nil {
		return nil, err
	}
	if _, err := socket.Write([]byte{1}); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Begin is Ask up to the server's offer, which it does not answer. The socket stays the caller's.
//
// # Errors
//
// Those of Ask.
func Begin(socket *net.UnixConn) (*Peer, error) { return begin(socket, noPair) }

func begin(socket *net.UnixConn, word uint64) (*Peer, error) {
	if _, err := socket.Write(binary.LittleEndian.AppendUint64([]byte(hello), word)); err != nil {
		return nil, err
	}
	var answer [helloBytes]byte
	rights := make([]byte, unix.CmsgSpace(16))
	n, gotRights, _, _, err := socket.ReadMsgUnix(answer[:], rights)
	if err != nil || n != helloBytes {
		return nil, fmt.Errorf("the answer has %d bytes: %w", n, errors.Join(err))
	}
	messages, err := unix.ParseSocketControlMessage(rights[:gotRights])
	if err != nil || len(messages) != 1 {
		return nil, fmt.Errorf("no descriptors came: %w", errors.Join(err))
	}
	files, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		return nil, err
	}
	// The upper half is the seat.
	capacity := uint32(binary.LittleEndian.Uint64(answer[len(hello):]))
	p, err := newPeer(socket, files[1], files[0], int(capacity), 0)
	if err != nil || len(files) == 2 {
		return p, err
	}
	p.Bell = files[3]
	p.Page, err = unix.Mmap(files[2], 0, pageBytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	unix.Close(files[2])
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

func newPeer(socket *net.UnixConn, space, memory, capacity, out int) (*Peer, error) {
	p := &Peer{Socket: -1, Bell: -1, Space: space, Memory: memory, Capacity: capacity, out: out}
	raw, err := socket.SyscallConn()
	if err == nil {
		raw.Control(func(descriptor uintptr) { p.Socket, err = unix.FcntlInt(descriptor, unix.F_DUPFD_CLOEXEC, 0) })
	}
	if err == nil {
		p.Segment, err = unix.Mmap(memory, 0, headerBytes+2*capacity, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Close releases all resources of the peer.
func (p *Peer) Close() {
	for _, descriptor := range []int{p.Socket, p.Space, p.Memory, p.Bell} {
		if descriptor >= 0 {
			unix.Close(descriptor)
		}
	}
	if p.Segment != nil {
		unix.Munmap(p.Segment)
	}
	if p.Page != nil {
		unix.Munmap(p.Page)
	}
	*p = Peer{Socket: -1, Space: -1, Memory: -1, Bell: -1}
}

// Hangup closes the sockets and keeps the memory.
func (p *Peer) Hangup() {
	unix.Close(p.Socket)
	unix.Close(p.Space)
	p.Socket, p.Space = -1, -1
}

func (p *Peer) control(ring int) []byte {
	return p.Segment[controlAt+ring*controlStride : controlAt+(ring+1)*controlStride]
}

// Write writes as much as has room in the ring, as an honest side does, and returns the number of bytes.
func (p *Peer) Write(from []byte) int {
	control := p.control(p.out)
	wrote, read := binary.LittleEndian.Uint64(control[head:]), binary.LittleEndian.Uint64(control[tail:])
	room := uint64(p.Capacity) - min(wrote-read, uint64(p.Capacity))
	from = from[:min(room, uint64(len(from)))]
	ring := p.Segment[headerBytes+p.out*p.Capacity:][:p.Capacity]
	copy(ring, from[copy(ring[wrote%uint64(p.Capacity):], from):])
	binary.LittleEndian.PutUint64(control[head:], wrote+uint64(len(from)))
	send(p.Socket, []byte{1})
	return len(from)
}

// Discard reads and drops all that the other side has written.
func (p *Peer) Discard() {
	control := p.control(1 - p.out)
	copy(control[tail:tail+8], control[head:head+8])
	send(p.Space, []byte{1})
}

func send(socket int, bytes []byte) {
	unix.SendmsgN(socket, bytes, nil, nil, unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL)
}

// Position returns the head of a ring, or its tail if place&2 is not 0; place&1 is the number of the ring.
func (p *Peer) Position(place uint8) uint64 {
	control := p.control(int(place) & 1)
	if place&2 != 0 {
		return binary.LittleEndian.Uint64(control[tail:])
	}
	return binary.LittleEndian.Uint64(control[head:])
}

// IsRead reports whether the other side has read all that was written.
func (p *Peer) IsRead() bool { return p.Position(uint8(p.out)) == p.Position(uint8(p.out)|2) }
