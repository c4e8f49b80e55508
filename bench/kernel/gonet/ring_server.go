package main

import (
	"log"
	"net"
	"runtime"
	"sync"
	"syscall"
)

// ringed is a connection of a ring. Answers gather in one place while those of the other are sent.
type ringed struct {
	index, socket    int
	mu               sync.Mutex
	answers          [2]answers
	gathers          int
	sends, isTouched bool
	received         chan piece
}

// piece is the result of one receive.
type piece struct{ buffer, bytes int }

// ringServer is one ring and its connections. User data is twice a connection's index, and one more for a send.
type ringServer struct {
	ring    *ring
	conns   []*ringed
	sends   int
	touched []*ringed

	// handed is the number of pieces that goroutines hold; returned and answered are the buffers and connections that they gave back since the last
	// turn.
	handed   int
	mu       sync.Mutex
	returned []int
	answered []*ringed
}

func newRingServer(conns []net.Conn, answerBytes int, flags uint32) (*ringServer, error) {
	sockets, err := descriptors(conns)
	if err != nil {
		return nil, err
	}
	s := new(ringServer)
	if s.ring, err = newRing(flags, len(sockets)); err != nil {
		return nil, err
	}
	for i, socket := range sockets {
		// Ring and poller are beside each other: a socket that blocks would block a worker of the kernel.
		if err := syscall.SetNonblock(socket, false); err != nil {
			return nil, err
		}
		s.conns = append(s.conns, &ringed{index: i, socket: socket, answers: [2]answers{newAnswers(answerBytes), newAnswers(answerBytes)}})
		s.ring.receive(socket, uint64(2*i))
	}
	return s, nil
}

// serveByRing uses one thread to drive the ring and do all other work, without goroutines for connections.
func serveByRing(conns []net.Conn, answerBytes int) error {
	runtime.LockOSThread()
	s, err := newRingServer(conns, answerBytes, setupSingleIssuer|setupDeferTaskrun)
	if err != nil {
		return err
	}
	for {
		if err := s.ring.enter(s.sends + 1); err != nil {
			return err
		}
		done.waits.Add(1)
		s.complete(func(conn *ringed, p piece) {
			conn.answers[conn.gathers].take(s.ring.buffer(p.buffer, p.bytes))
			s.ring.giveBack(p.buffer)
			s.touch(conn)
		})
		s.send()
	}
}

// serveByRingAndGoroutines hands received data to a goroutine for each connection, and sends the answers that they have gathered. A thread of its own
// drives the ring, or an ordinary goroutine.
func serveByRingAndGoroutines(conns []net.Conn, answerBytes int, hasThread bool) error {
	flags := uint32(0)
	if hasThread {
		runtime.LockOSThread()
		flags = setupSingleIssuer | setupDeferTaskrun
	}
	s, err := newRingServer(conns, answerBytes, flags)
	if err != nil {
		return err
	}
	for _, conn := range s.conns {
		conn.received = make(chan piece, len(s.ring.buffers))
		go s.answer(conn)
	}
	for {
		wanted := s.sends + 1
		if s.handed > 0 {
			wanted = 0
		}
		if err := s.ring.enter(wanted); err != nil {
			return err
		}
		done.waits.Add(1)
		s.complete(func(conn *ringed, p piece) {
			s.handed++
			conn.received <- p
		})
		if s.handed > 0 {
			runtime.Gosched()
		}
		s.collect()
		s.send()
	}
}

// answer runs in the goroutine of a connection, and answers its pieces.
func (s *ringServer) answer(conn *ringed) {
	for p := range conn.received {
		conn.mu.Lock()
		conn.answers[conn.gathers].take(s.ring.buffer(p.buffer, p.bytes))
		conn.mu.Unlock()
		s.mu.Lock()
		s.returned = append(s.returned, p.buffer)
		s.answered = append(s.answered, conn)
		s.mu.Unlock()
	}
}

// collect takes back the pieces of goroutines and their answers.
func (s *ringServer) collect() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handed -= len(s.returned)
	for _, id := range s.returned {
		s.ring.giveBack(id)
	}
	for _, conn := range s.answered {
		s.touch(conn)
	}
	s.returned, s.answered = s.returned[:0], s.answered[:0]
}

func (s *ringServer) touch(conn *ringed) {
	if !conn.isTouched {
		conn.isTouched = true
		s.touched = append(s.touched, conn)
	}
}

// complete takes all completions, and passes received data to take.
func (s *ringServer) complete(take func(*ringed, piece)) {
	for c, has := s.ring.next(); has; c, has = s.ring.next() {
		conn := s.conns[c.userData/2]
		if c.userData%2 == 1 {
			s.sent(conn, int(c.result))
			continue
		}
		if c.result <= 0 && syscall.Errno(-c.result) != syscall.ENOBUFS {
			end()
		}
		if c.result > 0 {
			done.reads.Add(1)
			take(conn, piece{int(c.flags >> completionBufferFrom), int(c.result)})
		}
		if c.flags&completionHasMore == 0 {
			s.ring.receive(conn.socket, c.userData)
		}
	}
}

func (s *ringServer) sent(conn *ringed, result int) {
	s.sends--
	conn.sends = false
	if result < 0 {
		return // The receive reports that the peer is gone.
	}
	out := &conn.answers[1-conn.gathers]
	out.forget(result)
	if len(out.whole()) > 0 {
		log.Fatal("a send was cut short, against MSG_WAITALL")
	}
	s.touch(conn)
}

// send sends the gathered answers of each connection that has no pending send.
func (s *ringServer) send() {
	for _, conn := range s.touched {
		conn.isTouched = false
		conn.mu.Lock()
		if gathered := &conn.answers[conn.gathers]; !conn.sends && len(gathered.whole()) > 0 {
			gathered.moveRest(&conn.answers[1-conn.gathers])
			conn.gathers = 1 - conn.gathers
			conn.sends = true
			s.sends++
			done.writes.Add(1)
			s.ring.send(conn.socket, gathered.whole(), uint64(2*conn.index+1))
		}
		conn.mu.Unlock()
	}
	s.touched = s.touched[:0]
}
