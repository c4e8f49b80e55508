package transport

import (
	"io"
	"net"

	"hone/bench/shm/message"
)

// mostPiece is the largest piece of a message that is made and sent, or received and read, at once: small enough for a core's own cache.
const mostPiece = 128 << 10

func sockets(network string) Transport {
	return Transport{
		Serve: func(options Options, serve func(Conn)) error {
			listener, err := net.Listen(network, options.Address)
			if err != nil {
				return err
			}
			for {
				conn, err := listener.Accept()
				if err != nil {
					return err
				}
				go serve(streamOf(conn, options.MessageBytes, mostPiece))
			}
		},
		Dial: func(options Options) (conns []Conn, err error) {
			for range options.Connections {
				conn, err := net.Dial(network, options.Address)
				if err != nil {
					return nil, err
				}
				conns = append(conns, streamOf(conn, options.MessageBytes, mostPiece))
			}
			return conns, nil
		},
	}
}

// stream passes messages over a stream of bytes, through one buffer.
type stream struct {
	conn         net.Conn
	messageBytes int
	piece        []byte
}

func streamOf(conn net.Conn, messageBytes, pieceBytes int) *stream {
	return &stream{conn, messageBytes, make([]byte, min(messageBytes, pieceBytes))}
}

// Send implements [Conn].
func (s *stream) Send(seed uint64) error {
	pattern := message.New(seed)
	for left := s.messageBytes; left > 0; {
		piece := s.piece[:min(left, len(s.piece))]
		pattern.Fill(piece)
		if _, err := s.conn.Write(piece); err != nil {
			return err
		}
		left -= len(piece)
	}
	return nil
}

// Receive implements [Conn].
func (s *stream) Receive() (uint64, error) {
	var sum message.Sum
	for left := s.messageBytes; left > 0; {
		piece := s.piece[:min(left, len(s.piece))]
		if _, err := io.ReadFull(s.conn, piece); err != nil {
			return 0, err
		}
		sum.Add(piece)
		left -= len(piece)
	}
	return sum.Seed()
}
