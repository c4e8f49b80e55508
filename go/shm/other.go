//go:build !linux

package shm

import (
	"context"
	"net"
	"time"
)

// Conn is a connection. On this system it is always an ordinary one.
type Conn struct{ *net.UnixConn }

// IsShared returns false.
func (c *Conn) IsShared() bool { return false }

// SetHandshakeTimeout has an effect only on Linux.
func (c *Conn) SetHandshakeTimeout(time.Duration) {}

// Peek returns [ErrNotShared].
func (c *Conn) Peek() ([]byte, error) { return nil, ErrNotShared }

// Discard does nothing.
func (c *Conn) Discard(bytes int) error { return nil }

// Reserve returns [ErrNotShared].
func (c *Conn) Reserve() ([]byte, error) { return nil, ErrNotShared }

// Commit does nothing.
func (c *Conn) Commit(bytes int) error { return nil }

// Server makes connections of accepted connections.
type Server struct {
	Options
	// MostSegments has an effect only on Linux.
	MostSegments int
}

// Conn makes a connection of an accepted connection, which it owns from then on.
func (s *Server) Conn(accepted *net.UnixConn) (*Conn, error) { return &Conn{accepted}, nil }

// Stats returns zeros.
func (s *Server) Stats() Stats { return Stats{} }

// Dialer makes connections of a client.
type Dialer struct {
	Options
	// Patience has an effect only on Linux.
	Patience time.Duration
}

// Dial connects to the socket at a path.
func (d *Dialer) Dial(ctx context.Context, path string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, "unix", path)
}

// Stats returns zeros.
func (d *Dialer) Stats() Stats { return Stats{} }
