package segment

import (
	"errors"
	"fmt"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Seats is the number of connections that a pair serves at a time, NoticesOfSeat the number of notices of each.
const (
	Seats         = 256
	NoticesOfSeat = 4
)

// These are the offsets in a pair's page: the magic and the token come first, then the notices to the server and those to the
// client.
const (
	pairBytes    = 4096
	pairMagic    = uint64('H') | 'O'<<8 | 'N'<<16 | 'E'<<24 | 'P'<<32 | 'A'<<40 | 'I'<<48 | 'R'<<56
	tokenAt      = 8
	noticesAt    = 1024
	noticeStride = 1024
	sleepsAt     = 0
	bitsAt       = 128
	noticeWords  = Seats * NoticesOfSeat / 64
)

// Pair is memory by which two processes tell each other on which of their connections there is something new.
type Pair struct {
	// Notices are the notices to the server, and those to the client.
	Notices [directions]Notices
	// Token is the number by which the client names the pair.
	Token  uint64
	mapped []byte
}

// Notices are bits that one process sets and the other one takes. They are in memory that both processes may write, so they are not
// relied on.
type Notices struct {
	// sleeps is 1 while the process that takes the notices sleeps, or is about to.
	sleeps *atomic.Uint32
	words  *[noticeWords]atomic.Uint64
}

// CreatePair makes the memory of a pair with a token. It also returns the memory's file descriptor, which the caller owns.
func CreatePair(token uint64) (*Pair, int, error) {
	descriptor, err := createFile(pairBytes)
	if err != nil {
		return nil, 0, err
	}
	p, err := mappedPair(descriptor)
	if err != nil {
		unix.Close(descriptor)
		return nil, 0, err
	}
	p.Token = token
	*(*uint64)(p.at(tokenAt)) = token
	*(*uint64)(p.at(magicAt)) = pairMagic
	return p, descriptor, nil
}

// MapPair maps a pair that the other side has made. Like [Map], it does not trust the file.
func MapPair(descriptor int) (*Pair, error) {
	if err := checkFile(descriptor, pairBytes); err != nil {
		return nil, err
	}
	p, err := mappedPair(descriptor)
	if err != nil {
		return nil, err
	}
	p.Token = atomic.LoadUint64((*uint64)(p.at(tokenAt)))
	if *(*uint64)(p.at(magicAt)) != pairMagic {
		p.Unmap()
		return nil, errors.New("the other side's pair has another layout")
	}
	return p, nil
}

func mappedPair(descriptor int) (*Pair, error) {
	mapped, err := unix.Mmap(descriptor, 0, pairBytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("mmap the page of a pair: %w", err)
	}
	p := &Pair{mapped: mapped}
	for to := range p.Notices {
		at := noticesAt + to*noticeStride
		// The words lie within the page as a whole, and all offsets are multiples of eight.
		p.Notices[to] = Notices{(*atomic.Uint32)(p.at(at + sleepsAt)), (*[noticeWords]atomic.Uint64)(p.at(at + bitsAt))}
	}
	return p, nil
}

// at returns the address of a byte of the page. All offsets are multiples of eight, and the mapping begins with a page.
func (p *Pair) at(offset int) unsafe.Pointer { return unsafe.Pointer(&p.mapped[offset]) }

// Empty takes the memory away from all processes that have mapped it.
func (p *Pair) Empty() { unix.Madvise(p.mapped, unix.MADV_REMOVE) }

// Unmap gives the memory back. Nothing of the pair may be used after that.
func (p *Pair) Unmap() {
	unix.Munmap(p.mapped)
	*p = Pair{}
}

// Post sets a bit for the other process. It returns true where that process sleeps and must be woken.
func (n Notices) Post(bit int) (mustWake bool) {
	n.words[bit/64].Or(1 << (bit % 64))
	return n.sleeps.Load() != 0 && n.sleeps.Swap(0) != 0
}

// Take clears the bits that are set, and calls a function with each of them. It returns false where none was set.
func (n Notices) Take(each func(bit int)) (were bool) {
	for at := range n.words {
		if n.words[at].Load() == 0 {
			continue
		}
		for word := n.words[at].Swap(0); word != 0; word &= word - 1 {
			each(at*64 + bits.TrailingZeros64(word))
			were = true
		}
	}
	return were
}

// AreNone reports whether no bit is set.
func (n Notices) AreNone() bool {
	for at := range n.words {
		if n.words[at].Load() != 0 {
			return false
		}
	}
	return true
}

// Sleep tells the other process that this process is about to sleep. This process must look at the bits once more before it sleeps.
func (n Notices) Sleep() { n.sleeps.Store(1) }
