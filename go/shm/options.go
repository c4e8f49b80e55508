package shm

import (
	"cmp"
	"errors"
	"time"
)

// Options of one side. The zero value is ready to use.
type Options struct {
	// RingBytes is how much may be on its way in each direction: a power of two from 64 KiB to 64 MiB [256 KiB]. The server decides; a connection takes twice that in memory.
	RingBytes int
	// Spin is how long a side that waits for bytes looks for them at most before it sleeps [50 us]: about what it takes to be woken. Where that does not pay, as bytes do not come in time, it
	// looks now and then only, and for a shorter time while other connections of the process are busy. Negative: never.
	Spin time.Duration
	// Allow says whether the other side's user may share memory [the user of this process, and root].
	Allow func(uid uint32) bool
}

const (
	defaultRingBytes = 256 << 10
	defaultSpin      = 50 * time.Microsecond
)

func (o Options) withDefaults() Options {
	o.RingBytes = cmp.Or(o.RingBytes, defaultRingBytes)
	o.Spin = cmp.Or(o.Spin, defaultSpin)
	return o
}

// ErrNotShared is the error of a connection without shared memory.
var ErrNotShared = errors.New("the connection has no shared memory: use Read and Write")

// Stats counts what connections became.
type Stats struct {
	// Shared went through shared memory, Plain over the socket: their other side did not ask for memory, or refused it, or it could not be had.
	Shared, Plain int64
	// Open are segments of connections that are open now.
	Open int64
}
