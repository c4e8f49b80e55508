package h2

import (
	"cmp"
	"math"
	"time"
)

// Options are the limits of a connection: what it may hold, take and wait for. A value of 0 means the default that the comment
// names.
type Options struct {
	// MessageBytes is the longest message that may come, in bytes on the wire. 4 MiB, as in gRPC.
	MessageBytes int
	// SendBytes is the longest message that may be sent. 2^31-1, as in gRPC.
	SendBytes int
	// HeaderBytes is the longest list of fields that may come: all names and values, and 32 bytes for each field. 64 KiB.
	HeaderBytes int
	// StreamWindow is the number of bytes of a stream that may come before they are read. 1 MiB.
	StreamWindow int
	// ConnectionWindow is the number of bytes of all streams that may be on their way. It is given back when they arrive. 16 MiB.
	ConnectionWindow int
	// HeldBytes is the number of bytes of all streams that may wait here before they are read. A stream whose message would exceed it
	// is reset. 256 MiB.
	HeldBytes int
	// Streams is the number of calls that a client may have at a server at once. 4096.
	Streams int
	// HandshakeTimeout is the time that a peer may take for its preface and settings. 20 s.
	HandshakeTimeout time.Duration
	// LingerTimeout is the time that a peer may take to close a connection after it has been told of the end. 1 s.
	LingerTimeout time.Duration
	// KeepAlive says how this side finds out that a peer has gone.
	KeepAlive KeepAlive
	// Pings says what pings a server allows.
	Pings Pings
	// Lost is called with reports of the parts that answers leave out; it may be nil. Any goroutine may call it, and it must not wait.
	Lost func(error)
	// Clock is for tests; nil means the clock of the machine.
	Clock Clock
}

// KeepAlive says how a side finds out that its peer has gone, if Every is not 0.
type KeepAlive struct {
	// Every is the time without anything from the peer after which a PING is sent.
	Every time.Duration
	// Timeout is the further time without anything from the peer after which the connection is closed. 20 s, as in gRPC.
	Timeout time.Duration
	// WithoutStreams sends PING also on connections that have no stream.
	WithoutStreams bool
}

// Pings says how often a client may send PING. The connection of a client that sends PING more often, a few times, is ended.
type Pings struct {
	// Every is the least time between two PINGs. 5 min, as in gRPC.
	Every time.Duration
	// WithoutStreams allows PINGs while there is no stream; otherwise there may be one in two hours.
	WithoutStreams bool
}

// Clock tells the time, and calls functions later.
type Clock interface {
	Now() time.Time
	AfterFunc(after time.Duration, call func()) Timer
}

// Timer is a call that will be made later.
type Timer interface {
	Stop() bool
	Reset(after time.Duration) bool
}

type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }
func (realClock) AfterFunc(after time.Duration, call func()) Timer {
	return time.AfterFunc(after, call)
}

// These are the defaults of Options.
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

// These are limits that no option changes.
const (
	// initialWindow is the size of every window before settings say otherwise.
	initialWindow = 65535
	// tableBytes is the size of the dynamic table of HPACK, in both directions.
	tableBytes = 4096
	// blockFrames is the number of CONTINUATION frames that a block of fields may have, and blockPerList says how many times as long
	// as a list it may be.
	blockFrames  = 32
	blockPerList = 4
	// answerBlock is the least limit on the length of a server's block. If the list of a block within the limit is too long, the client
	// refuses only the stream and not the connection.
	answerBlock = 4 << 20
	// sendChunk is the part of a message that is handed to the link at once: the rest waits until the link has room again.
	sendChunk = 128 << 10
	// wholeFrame is the longest frame, with its head, that the reader waits for as a whole, in room that begins with leastRoom. Longer
	// DATA is taken as it comes.
	wholeFrame = 16 << 10
	leastRoom  = 4 << 10
	// smallBuffer is the largest buffer for incoming bytes that is not from the pool. keptBytes is the largest buffer that a stream
	// keeps for the bytes that come next.
	smallBuffer = 1 << 10
	keptBytes   = 64 << 10
	// keptTemplates is the number of headers whose encoded form is kept.
	keptTemplates = 1024
	// idlePingsEvery is the least time between two PINGs without streams where these are not allowed. mostStrikes is the number of
	// PINGs that may come too early. Both are the same as in gRPC.
	idlePingsEvery = 2 * time.Hour
	mostStrikes    = 2
	// handlersPerStream is the number of handlers that may run for each stream that may be open, since the handlers of reset streams
	// run on.
	handlersPerStream = 2
)

// Limits on floods: the number of frames without use that may come at once, and then per second. Each frame of a message, sent or
// received, allows several more.
const (
	idleFramesBurst     = 10_000
	idleFramesPerSecond = 2_000
	idleFramesPerData   = 4
	// Frames other than DATA may come late on a stream that this side has ended: a header, a trailer and a reset. The second limit is
	// for all streams.
	lateHeadsPerStream = 3
	lateHeads          = 20_000
	// Streams may be reset by a client, or by the server because of the client's errors.
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

// allowance is a number of events that are allowed. It grows with time up to a burst. The clock is read only when the allowance is
// used up.
type allowance struct {
	left, burst, perSecond int64
	at                     time.Time
}

func newAllowance(burst, perSecond int64, now time.Time) allowance {
	return allowance{left: burst, burst: burst, perSecond: perSecond, at: now}
}

// use takes n events off the allowance, and reports whether there were as many.
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
