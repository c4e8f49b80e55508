package rpc

import (
	"time"

	"hone/go/rpc/internal/h2"
)

// KeepAlive is how a side of a connection of gRPC finds out that the other one has gone without a word.
type KeepAlive struct {
	// Every is how long nothing may come before the other side is asked whether it is there; 0 is never. Servers of others close
	// connections of clients that ask more often than every 5 minutes, unless they are told to bear it.
	Every time.Duration
	// Timeout is how long the answer may take. 0 is 20 s.
	Timeout time.Duration
	// WithoutCalls asks also while no call is open.
	WithoutCalls bool
}

func (k KeepAlive) options() h2.KeepAlive {
	return h2.KeepAlive{Every: k.Every, Timeout: k.Timeout, WithoutStreams: k.WithoutCalls}
}

// Pings is how often clients of gRPC may ask a server whether it is there. Those that ask more often, a few times, lose their connection.
type Pings struct {
	// Every is the least time between two of them; 0 is 5 minutes, which is what servers of others have.
	Every time.Duration
	// WithoutCalls allows them while no call is open; else there may be one in two hours then.
	WithoutCalls bool
}
