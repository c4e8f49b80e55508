package shm

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
	"hone/go/shm/internal/segment"
)

// answer makes the server's answer, which describes the memory that it offers.
func (m *memory) answer() [helloBytes]byte {
	word := uint64(m.in.Capacity())
	if m.pair != nil {
		word |= uint64(m.seat+1) << seatShift
	}
	return hello(word)
}

// seat gives a connection a seat in the pair that its client names by a token, or in a new pair, whose files the client gets.
func (s *Server) seat(m *memory, token uint64, socket int, options Options) (files []int, err error) {
	peer, err := unix.GetsockoptUcred(socket, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return nil, os.NewSyscallError("getsockopt", err)
	}
	s.mu.Lock()
	p := s.pairs[token]
	s.mu.Unlock()
	// Only the pair's own process may join: a process with seats in a pair can wake the pair's connections for nothing.
	if p != nil && p.peer == peer.Pid && p.join() {
		if _, is := p.sit(m); is {
			return nil, nil
		}
		p.leave()
	}
	p, files, err = s.newPair(peer.Pid, options)
	if err != nil {
		return nil, err
	}
	p.sit(m)
	return files, nil
}

// newPair makes a pair that one connection has joined.
func (s *Server) newPair(peer int32, options Options) (*pair, []int, error) {
	token, err := newToken()
	if err != nil {
		return nil, nil, err
	}
	shared, file, err := segment.CreatePair(token)
	if err != nil {
		return nil, nil, err
	}
	ends, err := socketPair()
	if err != nil {
		unix.Close(file)
		shared.Unmap()
		return nil, nil, err
	}
	files := []int{file, ends[1]}
	p, err := newPair(shared, ends[0], shared.Notices[toServer], shared.Notices[toClient], options)
	if err != nil {
		closeAll(files)
		return nil, nil, err
	}
	p.peer, p.isOwn = peer, true
	p.onOver = func() {
		s.mu.Lock()
		delete(s.pairs, token)
		s.mu.Unlock()
	}
	s.mu.Lock()
	if s.pairs == nil {
		s.pairs = map[uint64]*pair{}
	}
	s.pairs[token] = p
	s.mu.Unlock()
	p.begin()
	return p, files, nil
}

// newToken makes a number that nobody can guess.
func newToken() (uint64, error) {
	var bytes [8]byte
	if _, err := rand.Read(bytes[:]); err != nil {
		return 0, fmt.Errorf("read random bytes: %w", err)
	}
	// Small numbers have other meanings.
	return binary.LittleEndian.Uint64(bytes[:]) | hasNoPair<<63, nil
}

// path holds a dialer's knowledge of a server.
type path struct {
	pair *pair
	// asking is closed at the end of the dial that asks for a pair; nil if no dial asks.
	asking chan struct{}
}

// pairOf joins and returns the pair that this process has with the server at a path; nil if there is none. Of several dials that
// find none, one asks for it first. The caller must call done.
func (d *Dialer) pairOf(ctx context.Context, at string) (p *pair, done func()) {
	for waited := false; ; waited = true {
		d.mu.Lock()
		known := d.paths[at]
		if known == nil {
			known = new(path)
			if d.paths == nil {
				d.paths = map[string]*path{}
			}
			d.paths[at] = known
		}
		if known.pair != nil && known.pair.join() {
			p = known.pair
			d.mu.Unlock()
			return p, func() {}
		}
		asking := known.asking
		if asking == nil {
			asking = make(chan struct{})
			known.asking = asking
			d.mu.Unlock()
			return nil, func() {
				d.mu.Lock()
				known.asking = nil
				d.forget(at, known)
				d.mu.Unlock()
				close(asking)
			}
		}
		d.mu.Unlock()
		// A dial waits only once: dials to a server that does not answer must not wait for each other in turn.
		if waited {
			return nil, func() {}
		}
		select {
		case <-asking:
		case <-ctx.Done():
			return nil, func() {}
		}
	}
}

// forget forgets a path that has neither a pair nor a dial that asks for one. The caller holds mu.
func (d *Dialer) forget(at string, known *path) {
	if known.pair == nil && known.asking == nil && d.paths[at] == known {
		delete(d.paths, at)
	}
}

// seat gives a connection the seat that the server's answer names, in the pair that the client had, or in a new pair if files of
// one have come. The pair owns these files from then on.
func (d *Dialer) seat(m *memory, at string, seat int, had *pair, files []int, options Options) error {
	p := had
	switch {
	case len(files) == filesOfPair:
		var err error
		if p, err = d.newPair(at, files, options); err != nil {
			return err
		}
	case had == nil:
		return errors.New("the server names a seat and has sent no pair")
	case !had.join():
		return errors.New("the pair with the server has ended")
	}
	if seat >= segment.Seats || !p.seats[seat].CompareAndSwap(nil, m) {
		p.leave()
		return fmt.Errorf("the server names seat %d, which is none or taken", seat)
	}
	m.pair, m.seat = p, seat
	return nil
}

// newPair makes a pair, which one connection has joined, from files that a server has sent.
func (d *Dialer) newPair(at string, files []int, options Options) (*pair, error) {
	shared, err := segment.MapPair(files[0])
	unix.Close(files[0])
	if err != nil {
		unix.Close(files[1])
		return nil, err
	}
	p, err := newPair(shared, files[1], shared.Notices[toClient], shared.Notices[toServer], options)
	if err != nil {
		return nil, err
	}
	p.onOver = func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if known := d.paths[at]; known != nil && known.pair == p {
			known.pair = nil
			d.forget(at, known)
		}
	}
	d.mu.Lock()
	if d.paths == nil {
		d.paths = map[string]*path{}
	}
	if d.paths[at] == nil {
		d.paths[at] = new(path)
	}
	d.paths[at].pair = p
	d.mu.Unlock()
	p.begin()
	return p, nil
}
