package shm

import (
	"errors"
	"net"
	"os"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
	"hone/go/raw"
	"hone/go/shm/internal/segment"
)

// Server makes connections of accepted ones. The zero value is ready to use, by several goroutines.
type Server struct {
	Options
	// MostSegments is how many connections have memory at a time [1024]; others are ordinary ones.
	MostSegments int

	shared, plain, open atomic.Int64
}

const defaultMostSegments = 1024

// Conn makes a connection of an accepted one, which it owns from then on.
//
// # Errors
//
// That of the connection's descriptor.
func (s *Server) Conn(accepted *net.UnixConn) (*Conn, error) {
	wait, err := accepted.SyscallConn()
	if err != nil {
		return nil, err
	}
	return &Conn{socket: accepted, wait: wait, asked: &asked{server: s}}, nil
}

// Stats tells what became of connections.
func (s *Server) Stats() Stats {
	return Stats{Shared: s.shared.Load(), Plain: s.plain.Load(), Open: s.open.Load()}
}

// take is whether there may be one more segment.
func (s *Server) take() bool {
	most := s.MostSegments
	if most == 0 {
		most = defaultMostSegments
	}
	if s.open.Add(1) <= int64(most) {
		return true
	}
	s.open.Add(-1)
	return false
}

// asked is what a client asks for with the first bytes of a connection.
type asked struct {
	server *Server
	// bytes are the first there of the connection's.
	bytes [helloBytes]byte
	there int
	// isOrdinary is set where they ask for nothing: the first given of them have been read.
	isOrdinary bool
	given      int
	// offered waits for the client's word.
	offered *memory
}

// readAsked reads the first bytes, until they have told what the connection is.
func (c *Conn) readAsked(descriptor int, into []byte) (int, error) {
	a := c.asked
	for !a.isOrdinary && a.offered == nil {
		n, err := raw.Receive(descriptor, a.bytes[a.there:])
		if err != nil {
			return 0, err
		}
		a.there += n
		switch {
		case n == 0 || !isHelloSoFar(a.bytes[:a.there]):
			a.isOrdinary = true
			a.server.plain.Add(1)
		case a.there == helloBytes:
			if err := c.answer(descriptor); err != nil {
				return 0, err
			}
		}
	}
	if a.isOrdinary {
		n := copy(into, a.bytes[a.given:a.there])
		if a.given += n; a.given == a.there {
			c.asked = nil
		}
		if n == 0 && len(into) > 0 {
			return raw.Receive(descriptor, into)
		}
		return n, nil
	}
	var word [1]byte
	n, err := raw.Receive(descriptor, word[:])
	if err != nil {
		return 0, err
	}
	c.asked = nil
	if n == 0 || word[0] != mapped {
		a.offered.giveBack()
		a.server.plain.Add(1)
		return raw.Receive(descriptor, into)
	}
	a.offered.socketEnd = descriptor
	if err := c.share(a.offered); err != nil {
		a.offered.giveBack()
		return 0, err
	}
	a.server.shared.Add(1)
	return 0, nil
}

// answer offers memory, or says that there is none.
func (c *Conn) answer(descriptor int) error {
	a := c.asked
	offered, files, err := c.offer(descriptor)
	if err != nil {
		a.isOrdinary, a.there = true, 0
		a.server.plain.Add(1)
		return send(descriptor, hello(0), nil)
	}
	defer closeAll(files)
	if err := send(descriptor, hello(offered.in.Capacity()), unix.UnixRights(files...)); err != nil {
		offered.giveBack()
		return err
	}
	a.offered = offered
	return nil
}

// offer makes memory for the client, with the files that it gets: the segment and an end of a socket.
func (c *Conn) offer(descriptor int) (*memory, []int, error) {
	server := c.asked.server
	options := server.withDefaults()
	if err := options.mayShare(descriptor); err != nil {
		return nil, nil, err
	}
	if !server.take() {
		return nil, nil, errors.New("as many connections have memory as may")
	}
	release := func() { server.open.Add(-1) }
	shared, file, err := segment.Create(options.RingBytes)
	if err != nil {
		release()
		return nil, nil, err
	}
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		unix.Close(file)
		shared.Unmap()
		release()
		return nil, nil, err
	}
	files := []int{file, ends[1]}
	m, err := newMemory(shared, ends[0], &shared.Rings[clientWrites], &shared.Rings[serverWrites], options, release)
	if err != nil {
		closeAll(files)
	}
	return m, files, err
}

func send(descriptor int, text [helloBytes]byte, rights []byte) error {
	n, err := unix.SendmsgN(descriptor, text[:], rights, nil, unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL)
	if err == nil && n < len(text) {
		err = syscall.EPIPE
	}
	return os.NewSyscallError("sendmsg", err)
}
