package main

import (
	"fmt"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// Constants of linux/io_uring.h.
const (
	sysSetup, sysEnter, sysRegister = 425, 426, 427

	setupSingleIssuer, setupDeferTaskrun = 1 << 12, 1 << 13
	setupSubmitAll                       = 1 << 7

	offsetSubmissions, offsetCompletions, offsetEntries = 0, 0x8000000, 0x10000000

	enterGetEvents     = 1
	registerBufferRing = 22

	opSend, opReceive    = 26, 27
	entryBufferSelect    = 1 << 5
	receiveMultishot     = 1 << 1
	completionHasMore    = 1 << 1
	completionBufferFrom = 16

	ringEntries = 4096
)

// offsets are the offsets of a queue; from the fifth on, their meanings differ between both queues.
type offsets struct {
	head, tail, mask, entries, fifth, sixth, seventh, eighth uint32
	userAddress                                              uint64
}

type parameters struct {
	submissions, completions, flags, cpu, idle, features, queue uint32
	reserved                                                    [3]uint32
	submission, completion                                      offsets
}

type entry struct {
	operation, flags   uint8
	priority           uint16
	descriptor         int32
	offset, address    uint64
	length, operations uint32
	userData           uint64
	bufferGroup        uint16
	rest               [22]byte
}

type completion struct {
	userData uint64
	result   int32
	flags    uint32
}

// provided is one place of the ring of buffers; the tail of that ring lies in the rest of the first place. Words are those of a little-endian machine.
type provided struct {
	address uint64
	length  uint32
	id      uint16
	rest    uint16
}

// ring is an io_uring with a ring of buffers for receives, used by one goroutine at a time.
type ring struct {
	descriptor     int
	tail           *uint32
	mask           uint32
	array          []uint32
	entries        []entry
	queued         uint32
	completionHead *uint32
	completionTail *uint32
	completions    []completion
	buffers        []provided
	bufferWord     *uint32
	bufferTail     uint16
	memory         []byte
}

func newRing(flags uint32, buffers int) (*ring, error) {
	p := parameters{flags: flags | setupSubmitAll}
	descriptor, _, errno := syscall.Syscall(sysSetup, ringEntries, uintptr(unsafe.Pointer(&p)), 0)
	if errno != 0 {
		return nil, fmt.Errorf("io_uring_setup: %w", errno)
	}
	r := &ring{descriptor: int(descriptor)}
	submission, err := r.mapped(offsetSubmissions, int(p.submission.seventh+p.submissions*4))
	if err != nil {
		return nil, err
	}
	completed, err := r.mapped(offsetCompletions, int(p.completion.sixth+p.completions*16))
	if err != nil {
		return nil, err
	}
	entries, err := r.mapped(offsetEntries, int(p.submissions)*64)
	if err != nil {
		return nil, err
	}
	r.tail = at[uint32](submission, p.submission.tail)
	r.mask = *at[uint32](submission, p.submission.mask)
	r.array = unsafe.Slice(at[uint32](submission, p.submission.seventh), p.submissions)
	r.entries = unsafe.Slice(at[entry](entries, 0), p.submissions)
	r.completionHead, r.completionTail = at[uint32](completed, p.completion.head), at[uint32](completed, p.completion.tail)
	r.completions = unsafe.Slice(at[completion](completed, p.completion.sixth), p.completions)
	return r, r.provide(buffers)
}

func (r *ring) mapped(offset int64, bytes int) ([]byte, error) {
	memory, err := syscall.Mmap(r.descriptor, offset, bytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED|syscall.MAP_POPULATE)
	if err != nil {
		return nil, fmt.Errorf("map of io_uring: %w", err)
	}
	return memory, nil
}

// at returns a pointer to the value at an offset in memory.
func at[T any](memory []byte, offset uint32) *T {
	return (*T)(unsafe.Pointer(&memory[offset]))
}

// provide gives the kernel at least the wanted number of buffers to receive into.
func (r *ring) provide(wanted int) error {
	count := 8
	for count < wanted {
		count *= 2
	}
	places, err := syscall.Mmap(-1, 0, max(4096, count*16), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return err
	}
	if r.memory, err = syscall.Mmap(-1, 0, count*readBytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE); err != nil {
		return err
	}
	registration := struct {
		address      uint64
		entries      uint32
		group, flags uint16
		reserved     [3]uint64
	}{address: uint64(uintptr(unsafe.Pointer(&places[0]))), entries: uint32(count)}
	_, _, errno := syscall.Syscall6(sysRegister, uintptr(r.descriptor), registerBufferRing, uintptr(unsafe.Pointer(&registration)), 1, 0, 0)
	if errno != 0 {
		return fmt.Errorf("io_uring_register of a ring of buffers: %w", errno)
	}
	r.buffers = unsafe.Slice(at[provided](places, 0), count)
	r.bufferWord = at[uint32](places, 12)
	for id := range count {
		r.giveBack(id)
	}
	return nil
}

// buffer returns the bytes that a receive has put into a buffer.
func (r *ring) buffer(id, bytes int) []byte {
	return r.memory[id*readBytes : id*readBytes+bytes]
}

func (r *ring) giveBack(id int) {
	place := &r.buffers[int(r.bufferTail)&(len(r.buffers)-1)]
	place.address, place.length, place.id = uint64(uintptr(unsafe.Pointer(&r.memory[id*readBytes]))), readBytes, uint16(id)
	// The kernel reads a tail of 16 bits, in the upper half of a word whose lower half is the first place's id.
	r.bufferTail++
	atomic.StoreUint32(r.bufferWord, uint32(r.buffers[0].id)|uint32(r.bufferTail)<<16)
}

// queue adds an entry. The queue has room for all entries of one turn: a send and a receive for each connection.
func (r *ring) queue(e entry) {
	tail := *r.tail
	r.entries[tail&r.mask], r.array[tail&r.mask] = e, tail&r.mask
	atomic.StoreUint32(r.tail, tail+1)
	r.queued++
}

func (r *ring) receive(socket int, userData uint64) {
	r.queue(entry{operation: opReceive, flags: entryBufferSelect, priority: receiveMultishot, descriptor: int32(socket), userData: userData})
}

func (r *ring) send(socket int, data []byte, userData uint64) {
	r.queue(entry{operation: opSend, descriptor: int32(socket), address: uint64(uintptr(unsafe.Pointer(&data[0]))),
		length: uint32(len(data)), operations: syscall.MSG_NOSIGNAL | syscall.MSG_WAITALL, userData: userData})
}

// enter submits the queued entries and waits for the wanted number of completions.
func (r *ring) enter(wanted int) error {
	for {
		n, _, errno := syscall.Syscall6(sysEnter, uintptr(r.descriptor), uintptr(r.queued), uintptr(wanted), enterGetEvents, 0, 0)
		if errno == 0 {
			r.queued -= uint32(n)
			return nil
		}
		if errno != syscall.EINTR {
			return fmt.Errorf("io_uring_enter: %w", errno)
		}
	}
}

// next takes the oldest completion.
func (r *ring) next() (c completion, has bool) {
	head := *r.completionHead
	if head == atomic.LoadUint32(r.completionTail) {
		return c, false
	}
	c = r.completions[head&uint32(len(r.completions)-1)]
	atomic.StoreUint32(r.completionHead, head+1)
	return c, true
}
