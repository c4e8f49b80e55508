// Package transport has the compared ways to pass messages between two processes of one machine, each in the best use that its API allows.
package transport

import (
	"maps"
	"slices"
	"time"
)

// Conn is one end of a connection, for one goroutine.
type Conn interface {
	// Send sends a message with a seed.
	Send(seed uint64) error
	// Receive receives a message, and returns its seed.
	Receive() (seed uint64, err error)
}

// Options are the options of both ends.
type Options struct {
	// Address is host:port for TCP, and the path of a socket otherwise.
	Address string
	// MessageBytes is the size of all messages, a multiple of message.Word.
	MessageBytes int
	// Connections is the number of concurrent connections.
	Connections int
	// Spin and RingBytes are options of Hone's package shm; 0 for RingBytes means a size that fits the messages.
	Spin      time.Duration
	RingBytes int
}

// Transport is a way to pass messages.
type Transport struct {
	// Serve serves each connection in a goroutine of its own, until the process ends.
	Serve func(options Options, serve func(Conn)) error
	// Dial opens all connections.
	Dial func(options Options) ([]Conn, error)
}

// All holds all transports by name.
var All = map[string]Transport{
	"tcp":        sockets("tcp"),
	"unix":       sockets("unix"),
	"shmipc":     {serveShmipc, dialShmipc},
	"shm":        shared(inPlace),
	"shm copied": shared(copied),
}

// Names returns the names of all transports.
func Names() []string { return slices.Sorted(maps.Keys(All)) }

// Answer sends a message back for each that comes, until the connection ends.
func Answer(conn Conn) {
	for {
		seed, err := conn.Receive()
		if err != nil {
			return
		}
		if err := conn.Send(AnswerTo(seed)); err != nil {
			return
		}
	}
}

// AnswerTo returns the seed of the answer to a message.
func AnswerTo(seed uint64) uint64 { return ^seed }
