// Package segment has memory that two processes share: a ring of bytes for each direction. Each ring is mapped twice in a row, so
// that any part of it is in one piece. docs/internals/shm.md describes the layout.
package segment

import (
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Smallest and Largest are the limits of a ring's capacity in bytes. The capacity is a power of two.
const (
	Smallest = 64 << 10
	Largest  = 64 << 20
)

// These are the offsets in a segment: first a page with the magic, the capacity and the controls of both rings, then the bytes of
// the rings.
const (
	headerBytes    = 4096
	magicAt        = 0
	capacityAt     = 8
	controlAt      = 1024
	controlStride  = 1024
	headAt         = 0
	tailAt         = 128
	readerWaitsAt  = 256
	writerWaitsAt  = 384
	magic          = uint64('H') | 'O'<<8 | 'N'<<16 | 'E'<<24 | 'S'<<32 | 'H'<<40 | 'M'<<48 | '1'<<56
	directions     = 2
	sealsOfSegment = unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_SEAL
)

// Segment is memory that two processes share, mapped into this process.
type Segment struct {
	// Rings are the ring that the client writes, and the ring that the server writes.
	Rings  [directions]Ring
	mapped []byte
}

// Create makes a segment with rings of a capacity. It also returns the segment's file descriptor, which the caller owns. All its
// memory is taken at once, so that none can be missing later.
func Create(capacity int) (*Segment, int, error) {
	if !isCapacity(capacity) {
		return nil, 0, fmt.Errorf("a ring has %d bytes; take a power of two from %d to %d", capacity, Smallest, Largest)
	}
	descriptor, err := createFile(fileBytes(capacity))
	if err != nil {
		return nil, 0, err
	}
	s, err := mapped(descriptor, capacity)
	if err != nil {
		unix.Close(descriptor)
		return nil, 0, err
	}
	*(*uint64)(s.at(capacityAt)) = uint64(capacity)
	*(*uint64)(s.at(magicAt)) = magic
	return s, descriptor, nil
}

// createFile makes a file of memory with a size that never changes, and takes all of the memory.
func createFile(bytes int) (int, error) {
	descriptor, err := unix.MemfdCreate("hone-shm", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return 0, fmt.Errorf("memfd_create: %w", err)
	}
	if err := unix.Fallocate(descriptor, 0, 0, int64(bytes)); err != nil {
		unix.Close(descriptor)
		return 0, fmt.Errorf("take %d bytes of memory: %w", bytes, err)
	}
	if _, err := unix.FcntlInt(uintptr(descriptor), unix.F_ADD_SEALS, sealsOfSegment); err != nil {
		unix.Close(descriptor)
		return 0, fmt.Errorf("seal: %w", err)
	}
	return descriptor, nil
}

// checkFile returns an error where a file that the other side has made is not a memory file with this size, or its size may change.
func checkFile(descriptor, bytes int) error {
	// The seals are checked first: only a memfd has them. A file of another kind may delay its answers to other questions for as long
	// as its maker likes (FUSE).
	seals, err := unix.FcntlInt(uintptr(descriptor), unix.F_GET_SEALS, 0)
	if err != nil || seals&sealsOfSegment != sealsOfSegment {
		return errors.New("the other side's memory may change its size: it is not sealed")
	}
	var about unix.Stat_t
	if err := unix.Fstat(descriptor, &about); err != nil {
		return fmt.Errorf("fstat: %w", err)
	}
	if about.Size != int64(bytes) {
		return fmt.Errorf("the other side's memory has %d bytes, not %d", about.Size, bytes)
	}
	return nil
}

func isCapacity(bytes int) bool {
	return bytes >= Smallest && bytes <= Largest && bytes&(bytes-1) == 0
}

func fileBytes(capacity int) int { return headerBytes + directions*capacity }

// Map maps a segment that the other side has made. It does not trust the file: this must have the size that the capacity needs, and
// never get another.
func Map(descriptor, capacity int) (*Segment, error) {
	if !isCapacity(capacity) {
		return nil, fmt.Errorf("the other side's rings have %d bytes, which is no power of two from %d to %d", capacity, Smallest, Largest)
	}
	if err := checkFile(descriptor, fileBytes(capacity)); err != nil {
		return nil, err
	}
	s, err := mapped(descriptor, capacity)
	if err != nil {
		return nil, err
	}
	if *(*uint64)(s.at(magicAt)) != magic || *(*uint64)(s.at(capacityAt)) != uint64(capacity) {
		s.Unmap()
		return nil, errors.New("the other side's segment has another layout")
	}
	return s, nil
}

// mapped maps the header, and each ring twice in a row, into one piece of address space.
func mapped(descriptor, capacity int) (*Segment, error) {
	whole := headerBytes + 2*directions*capacity
	base, err := unix.MmapPtr(-1, 0, nil, uintptr(whole), unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_NORESERVE)
	if err != nil {
		return nil, fmt.Errorf("mmap %d bytes: %w", whole, err)
	}
	s := &Segment{mapped: unsafe.Slice((*byte)(base), whole)}
	pieces := []struct{ at, bytes, from int }{{0, headerBytes, 0}}
	for direction := range directions {
		at, from := headerBytes+2*direction*capacity, headerBytes+direction*capacity
		pieces = append(pieces, struct{ at, bytes, from int }{at, capacity, from}, struct{ at, bytes, from int }{at + capacity, capacity, from})
	}
	for _, piece := range pieces {
		// The piece lies within the address space that was reserved above. Nothing else uses that space.
		_, err := unix.MmapPtr(descriptor, int64(piece.from), s.at(piece.at), uintptr(piece.bytes), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_FIXED)
		if err != nil {
			s.Unmap()
			return nil, fmt.Errorf("mmap %d bytes of a segment: %w", piece.bytes, err)
		}
	}
	for direction := range s.Rings {
		control, data := controlAt+direction*controlStride, headerBytes+2*direction*capacity
		s.Rings[direction] = Ring{
			bytes:       s.mapped[data : data+2*capacity : data+2*capacity],
			capacity:    uint64(capacity),
			head:        (*atomic.Uint64)(s.at(control + headAt)),
			tail:        (*atomic.Uint64)(s.at(control + tailAt)),
			readerWaits: (*atomic.Uint32)(s.at(control + readerWaitsAt)),
			writerWaits: (*atomic.Uint32)(s.at(control + writerWaitsAt)),
		}
	}
	return s, nil
}

// at returns the address of a byte of the mapping. All offsets are multiples of eight, and the mapping begins with a page.
func (s *Segment) at(offset int) unsafe.Pointer { return unsafe.Pointer(&s.mapped[offset]) }

// Empty takes the memory away from all processes that have mapped the segment. They find zeros in it from then on.
func (s *Segment) Empty() { unix.Madvise(s.mapped, unix.MADV_REMOVE) }

// Unmap gives the memory back. Nothing of the segment may be used after that.
func (s *Segment) Unmap() {
	unix.MunmapPtr(unsafe.Pointer(&s.mapped[0]), uintptr(len(s.mapped)))
	*s = Segment{}
}
