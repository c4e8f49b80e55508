package rpc

import (
	"context"
	"net"

	"hone/go/rpc/resolve"
	"hone/go/shm"
)

// sharing is a listener whose connections get shared memory if the client requests it.
type sharing struct{ *net.UnixListener }

// shared returns an accepted connection, which gets shared memory if the client requests it and the server gives it there.
func (s *Server) shared(listener net.Listener, accepted net.Conn) net.Conn {
	socket, isUnix := accepted.(*net.UnixConn)
	if _, isSharing := listener.(sharing); !isUnix || !isSharing && !s.sharesAll {
		return accepted
	}
	conn, err := s.SharedMemory.Conn(socket)
	if err != nil {
		return accepted
	}
	conn.SetHandshakeTimeout(s.FirstByteTimeout)
	return conn
}

// dial connects if the client has no DialContext of its own.
func (c *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	memory, at := c.SharedMemory, endpoint{network, address}
	if network == sharedNetwork && memory == nil {
		memory = &ownMemory
	}
	if memory != nil && at.hasPath() {
		return memory.Dial(ctx, address)
	}
	if network == tcpNetwork {
		return c.dialTCP(ctx, network, address)
	}
	return (&net.Dialer{Control: c.control}).DialContext(ctx, network, address)
}

// ownMemory is the dialer of clients without one in SharedMemory.
var ownMemory shm.Dialer

// nearest returns the address at which an instance shares memory, if it is on the client's machine and the client wants that; else its usual address.
func (c *Client) nearest(at endpoint, told resolve.Instance) endpoint {
	path, local := told.Tags[resolve.SharedMemory], c.Policies.LocalFirst
	if path == "" || c.SharedMemory == nil || local == nil || local.Machine == "" || told.Tags[resolve.Machine] != local.Machine {
		return at
	}
	return endpoint{sharedNetwork, path}
}
