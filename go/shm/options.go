package shm

import (
	"cmp"
	"errors"
	"time"
)

// Options of one side. The zero value is ready to use.
type Options struct {
	// RingBytes is the number of bytes that may be on their way in each direction: a power of two from 64 KiB to 64 MiB [256 KiB]. The
	// server decides. A connection takes twice as much memory.
	RingBytes int
	// Spin is the longest time that a side looks for bytes before it sleeps [50 us]. It is about the time that a wake-up takes. Where
	// looking does not pay, as bytes come too late, a side looks only now and then; while other connections of the process are busy,
	// it looks for a shorter time. A negative time turns looking off.
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

// Stats counts connections by what they became.
type Stats struct {
	// Shared counts connections through shared memory, Plain those over the socket: their other side did not ask for memory or refused
	// it, or no memory could be had.
	Shared, Plain int64
	// Open is the number of segments of connections that are open now.
	Open int64
}
