//go:build !linux

package shm

import (
	"context"
	"net"
	"time"
)

// Conn is a connection, which is an ordinary one here.
type Conn struct{ *net.UnixConn }

// IsShared is false.
func (c *Conn) IsShared() bool { return false }

// SetHandshakeTimeout is for Linux.
func (c *Conn) SetHandshakeTimeout(time.Duration) {}

// Peek gives [ErrNotShared].
func (c *Conn) Peek() ([]byte, error) { return nil, ErrNotShared }

// Discard does nothing.
func (c *Conn) Discard(bytes int) error { return nil }

// Reserve gives [ErrNotShared].
func (c *Conn) Reserve() ([]byte, error) { return nil, ErrNotShared }

// Commit does nothing.
func (c *Conn) Commit(bytes int) error { return nil }

// Server makes connections of accepted ones.
type Server struct {
	Options
	// MostSegments is for Linux.
	MostSegments int
}

// Conn makes a connection of an accepted one, which it owns from then on.
func (s *Server) Conn(accepted *net.UnixConn) (*Conn, error) { return &Conn{accepted}, nil }

// Stats is empty.
func (s *Server) Stats() Stats { return Stats{} }

// Dialer makes connections of a client.
type Dialer struct {
	Options
	// Patience is for Linux.
	Patience time.Duration
}

// Dial connects to the socket at a path.
func (d *Dialer) Dial(ctx context.Context, path string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, "unix", path)
}

// Stats is empty.
func (d *Dialer) Stats() Stats { return Stats{} }
