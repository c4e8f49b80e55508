package transport

import (
	"io"
	"net"

	"github.com/cloudwego/shmipc-go"

	"hone/bench/shm/message"
)

const (
	// sliceHeader is the size of shmipc's header before the bytes of each slice.
	sliceHeader = 20
	// noLog is the level at which shmipc prints nothing.
	noLog = 5
	// leastMemory is the smallest size of memory that shmipc accepts.
	leastMemory = 1 << 20
	// slicesPerConnection is the number of slices for each connection, which needs one for each direction.
	slicesPerConnection = 4
)

// shmipcConfig returns a configuration with slices that hold one message each, so that messages are made and read in place.
func shmipcConfig(options Options) *shmipc.Config {
	shmipc.SetLogLevel(noLog)
	config := shmipc.DefaultConfig()
	config.LogOutput = io.Discard
	config.MemMapType = shmipc.MemMapTypeMemFd
	config.ShareMemoryBufferCap = uint32(max(leastMemory, 2*slicesPerConnection*options.Connections*(options.MessageBytes+sliceHeader)))
	config.BufferSliceSizes = []*shmipc.SizePercentPair{{Size: uint32(options.MessageBytes), Percent: 100}}
	return config
}

func serveShmipc(options Options, serve func(Conn)) error {
	listener, err := net.Listen("unix", options.Address)
	if err != nil {
		return err
	}
	for {
		conn, err := listener.Accept()
		if err != nil {
			return err
		}
		go func() {
			session, err := shmipc.Server(conn, shmipcConfig(options))
			if err != nil {
				// The peer was no client of shmipc, but checked whether anybody listens.
				conn.Close()
				return
			}
			for {
				stream, err := session.AcceptStream()
				if err != nil {
					return
				}
				go serve(&slice{stream, options.MessageBytes})
			}
		}()
	}
}

// dialShmipc opens all connections as streams of one session, which notifies the other side of several messages by one event.
func dialShmipc(options Options) (conns []Conn, err error) {
	config := shmipc.DefaultSessionManagerConfig()
	config.Config = shmipcConfig(options)
	config.Network, config.Address = "unix", options.Address
	manager, err := shmipc.NewSessionManager(config)
	if err != nil {
		return nil, err
	}
	for range options.Connections {
		stream, err := manager.GetStream()
		if err != nil {
			return nil, err
		}
		conns = append(conns, &slice{stream, options.MessageBytes})
	}
	return conns, nil
}

// slice passes messages in slices of shared memory, each of which holds one message.
type slice struct {
	stream       *shmipc.Stream
	messageBytes int
}

// Send implements [Conn].
func (s *slice) Send(seed uint64) error {
	room, err := s.stream.BufferWriter().Reserve(s.messageBytes)
	if err != nil {
		return err
	}
	pattern := message.New(seed)
	pattern.Fill(room)
	return s.stream.Flush(false)
}

// Receive implements [Conn].
func (s *slice) Receive() (uint64, error) {
	bytes, err := s.stream.BufferReader().ReadBytes(s.messageBytes)
	if err != nil {
		return 0, err
	}
	var sum message.Sum
	sum.Add(bytes)
	// The slice takes the next message that is sent.
	s.stream.ReleaseReadAndReuse()
	return sum.Seed()
}
