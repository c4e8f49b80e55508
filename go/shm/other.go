//go:build unix && !linux

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
type Dialer struct{ Options }

// Dial connects to the socket at a path.
func (d *Dialer) Dial(ctx context.Context, path string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, "unix", path)
}

// Stats is empty.
func (d *Dialer) Stats() Stats { return Stats{} }
