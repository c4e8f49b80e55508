package h2

import (
	"cmp"
	"math"
	"time"
)

// Options are what a connection may hold, take and wait for. A value that is 0 is the default that its comment names.
type Options struct {
	// MessageBytes is how long a message may be that comes, as it is on the wire. 4 MiB, which is gRPC's.
	MessageBytes int
	// SendBytes is how long a message may be that is sent. 2^31-1, which is gRPC's.
	SendBytes int
	// HeaderBytes is how long a list of fields may be that comes: all names and values, and 32 bytes for each field. 64 KiB.
	HeaderBytes int
	// StreamWindow is how many bytes of a stream may come before they are read. 1 MiB.
	StreamWindow int
	// ConnectionWindow is how many bytes of all streams may be on their way. It is given back when they arrive. 16 MiB.
	ConnectionWindow int
	// HeldBytes is how many bytes of all streams may lie here before they are read; the stream whose message would be more is reset.
	// 256 MiB.
	HeldBytes int
	// Streams is how many calls a client may have at a server at once. 4096.
	Streams int
	// HandshakeTimeout is how long a peer may take for its preface and settings. 20 s.
	HandshakeTimeout time.Duration
	// LingerTimeout is how long a peer may take to close a connection whose end it has been told. 1 s.
	LingerTimeout time.Duration
	// KeepAlive is how this side finds out that a peer has gone.
	KeepAlive KeepAlive
	// Pings are what a server allows.
	Pings Pings
	// Lost is told of what is left out of answers; nil is nobody. It may be called by any goroutine, and must not wait.
	Lost func(error)
	// Clock is for tests; nil is that of the machine.
	Clock Clock
}

// KeepAlive is how a side finds out that its peer has gone, if Every is not 0.
type KeepAlive struct {
	// Every is how long nothing has to come before a PING is sent.
	Every time.Duration
	// Timeout is how long nothing has to come after that before the connection is closed. 20 s, which is gRPC's.
	Timeout time.Duration
	// WithoutStreams sends PING on connections that have no stream, too.
	WithoutStreams bool
}

// Pings are how often a client may send PING; one that does so more often than that, a few times, is sent away.
type Pings struct {
	// Every is the least time between two of them. 5 min, which is gRPC's.
	Every time.Duration
	// WithoutStreams allows them while there is no stream; else there may be one in two hours.
	WithoutStreams bool
}

// Clock tells the time, and calls functions later.
type Clock interface {
	Now() time.Time
	AfterFunc(after time.Duration, call func()) Timer
}

// Timer is a call that is to come.
type Timer interface {
	Stop() bool
	Reset(after time.Duration) bool
}

type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }
func (realClock) AfterFunc(after time.Duration, call func()) Timer {
	return time.AfterFunc(after, call)
}

// The values of Options that are 0.
const (
	defaultMessageBytes     = 4 << 20
	defaultHeaderBytes      = 64 << 10
	defaultStreamWindow     = 1 << 20
	defaultConnectionWindow = 16 << 20
	defaultHeldBytes        = 256 << 20
	defaultStreams          = 4096
	defaultHandshakeTimeout = 20 * time.Second
	defaultLingerTimeout    = time.Second
	defaultKeepAliveTimeout = 20 * time.Second
	defaultPingsEvery       = 5 * time.Minute
)

// What no option changes.
const (
	// initialWindow is every window before settings say otherwise.
	initialWindow = 65535
	// tableBytes is the size of the dynamic table of HPACK, in both directions.
	tableBytes = 4096
	// blockFrames is how many CONTINUATION frames a block of fields may have, and blockPerList how much longer it may be than a list.
	blockFrames  = 32
	blockPerList = 4
	// answerBlock is how long a block of a server may be at least, for a client to refuse its stream alone.
	answerBlock = 4 << 20
	// sendChunk is how much of a message is handed to the link at once: what comes after it waits until the link has room again.
	sendChunk = 128 << 10
	// wholeFrame is how long a frame with its head may be to be waited for as a whole, in room that begins with leastRoom; longer DATA is
	// taken as it comes.
	wholeFrame = 16 << 10
	leastRoom  = 4 << 10
	// smallBuffer is how large a buffer for what comes may be without being one of the pool, and keptBytes how large one may be that a
	// stream keeps for what comes next.
	smallBuffer = 1 << 10
	keptBytes   = 64 << 10
	// keptTemplates is how many headers are kept encoded.
	keptTemplates = 1024
	// idlePingsEvery is the least time between two PINGs without streams where these are not allowed, and mostStrikes how many may
	// come too early: both are gRPC's.
	idlePingsEvery = 2 * time.Hour
	mostStrikes    = 2
	// handlersPerStream is how many handlers may run for each stream that may be open, since those of streams that were reset run on.
	handlersPerStream = 2
)

// Floods: how many frames without use may come in one go, and then per second. Each frame of a message, sent or received, allows
// several more.
const (
	idleFramesBurst     = 10_000
	idleFramesPerSecond = 2_000
	idleFramesPerData   = 4
	// Frames other than DATA that come late on a stream that this side has ended: a header, a trailer and a reset; and those of all streams.
	lateHeadsPerStream = 3
	lateHeads          = 20_000
	// Streams that a client resets, or makes the server reset by its errors.
	resetsBurst     = 20_000
	resetsPerSecond = 5_000
)

func (o Options) withDefaults() Options {
	o.MessageBytes = cmp.Or(o.MessageBytes, defaultMessageBytes)
	o.SendBytes = cmp.Or(o.SendBytes, math.MaxInt32)
	o.HeaderBytes = cmp.Or(o.HeaderBytes, defaultHeaderBytes)
	o.StreamWindow = cmp.Or(o.StreamWindow, defaultStreamWindow)
	o.ConnectionWindow = cmp.Or(o.ConnectionWindow, defaultConnectionWindow)
	o.HeldBytes = cmp.Or(o.HeldBytes, defaultHeldBytes)
	o.Streams = cmp.Or(o.Streams, defaultStreams)
	o.HandshakeTimeout = cmp.Or(o.HandshakeTimeout, defaultHandshakeTimeout)
	o.LingerTimeout = cmp.Or(o.LingerTimeout, defaultLingerTimeout)
	o.KeepAlive.Timeout = cmp.Or(o.KeepAlive.Timeout, defaultKeepAliveTimeout)
	o.Pings.Every = cmp.Or(o.Pings.Every, defaultPingsEvery)
	o.StreamWindow = min(o.StreamWindow, largestWindow)
	o.ConnectionWindow = min(max(o.ConnectionWindow, initialWindow), largestWindow)
	o.Streams = min(o.Streams, math.MaxInt32)
	if o.Clock == nil {
		o.Clock = realClock{}
	}
	return o
}

// allowance is a number of events that are allowed, which grows with time up to a burst. Its clock is looked at only when it is used up.
type allowance struct {
	left, burst, perSecond int64
	at                     time.Time
}

func newAllowance(burst, perSecond int64, now time.Time) allowance {
	return allowance{left: burst, burst: burst, perSecond: perSecond, at: now}
}

// use takes some, and says whether there was as much.
func (a *allowance) use(n int64, clock Clock) bool {
	a.left -= n
	if a.left >= 0 {
		return true
	}
	now := clock.Now()
	if more := int64(now.Sub(a.at).Seconds() * float64(a.perSecond)); more > 0 {
		a.add(more)
		a.at = now
	}
	return a.left >= 0
}

// add allows more.
func (a *allowance) add(n int64) { a.left = min(a.left+n, a.burst) }
