package rpc

import (
	"time"

	"hone/go/rpc/internal/h2"
)

// KeepAlive sets when one side of a connection of gRPC pings the other side, to notice that it has vanished silently.
type KeepAlive struct {
	// Every is the length of a silence after which the other side is pinged; 0 means never. Servers of other packages close connections of clients
	// that ping more often than every 5 minutes, unless they are configured to allow it.
	Every time.Duration
	// Timeout is the time within which the answer to a ping must come. 0 is 20 s.
	Timeout time.Duration
	// WithoutCalls is true if pings are also sent while no call is open.
	WithoutCalls bool
}

func (k KeepAlive) options() h2.KeepAlive {
	return h2.KeepAlive{Every: k.Every, Timeout: k.Timeout, WithoutStreams: k.WithoutCalls}
}

// Pings limits the pings of gRPC clients to a server. Clients that ping more often than allowed, a few times, lose their connection.
type Pings struct {
	// Every is the least time between two pings; 0 is 5 minutes, as in servers of other packages.
	Every time.Duration
	// WithoutCalls is true if pings are allowed at the same interval while no call is open. Otherwise one ping in two hours is allowed then.
	WithoutCalls bool
}
