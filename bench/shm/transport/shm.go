package transport

import (
	"cmp"
	"context"
	"errors"
	"math/bits"
	"net"

	"hone/bench/shm/message"
	"hone/go/shm"
)

// shared returns the transport of Hone's package shm, of whose connections the function end makes ends.
func shared(end func(*shm.Conn, Options) Conn) Transport {
	return Transport{
		Serve: func(options Options, serve func(Conn)) error {
			listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: options.Address, Net: "unix"})
			if err != nil {
				return err
			}
			server := &shm.Server{Options: shm.Options{RingBytes: ringBytes(options), Spin: options.Spin}}
			for {
				accepted, err := listener.AcceptUnix()
				if err != nil {
					return err
				}
				conn, err := server.Conn(accepted)
				if err != nil {
					return err
				}
				go serve(end(conn, options))
			}
		},
		Dial: func(options Options) (conns []Conn, err error) {
			dialer := &shm.Dialer{Options: shm.Options{Spin: options.Spin}}
			for range options.Connections {
				conn, err := dialer.Dial(context.Background(), options.Address)
				if err != nil {
					return nil, err
				}
				shared, is := conn.(*shm.Conn)
				if !is {
					return nil, errors.New("the server has no shared memory for this connection")
				}
				conns = append(conns, end(shared, options))
			}
			return conns, nil
		},
	}
}

// ringBytes returns the size of a ring with room for two messages, so that each is passed in one piece, but at least the usual size.
func ringBytes(options Options) int {
	return cmp.Or(options.RingBytes, max(leastRing, 2<<bits.Len(uint(options.MessageBytes-1))))
}

const leastRing = 256 << 10

// copied passes messages as over any stream of bytes, but each with one call.
func copied(conn *shm.Conn, options Options) Conn {
	return streamOf(conn, options.MessageBytes, options.MessageBytes)
}

// inPlace makes and reads messages in the shared memory itself.
func inPlace(conn *shm.Conn, options Options) Conn { return &ring{conn, options.MessageBytes} }

// ring passes messages in rings of shared memory.
type ring struct {
	conn         *shm.Conn
	messageBytes int
}

// Send implements [Conn].
func (r *ring) Send(seed uint64) error {
	pattern := message.New(seed)
	for left := r.messageBytes; left > 0; {
		room, err := r.conn.Reserve()
		if err != nil {
			return err
		}
		room = room[:min(left, len(room))]
		pattern.Fill(room)
		if err := r.conn.Commit(len(room)); err != nil {
			return err
		}
		left -= len(room)
	}
	return nil
}

// Receive implements [Conn].
func (r *ring) Receive() (uint64, error) {
	var sum message.Sum
	for left := r.messageBytes; left > 0; {
		unread, err := r.conn.Peek()
		if err != nil {
			return 0, err
		}
		unread = unread[:min(left, len(unread))]
		sum.Add(unread)
		if err := r.conn.Discard(len(unread)); err != nil {
			return 0, err
		}
		left -= len(unread)
	}
	return sum.Seed()
}
