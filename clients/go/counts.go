package agentclient

import "sync/atomic"

// A Reason says why a sample never reached the agent.
type Reason int

const (
	// ReasonSeries: the protocol cannot carry its series.
	ReasonSeries Reason = iota
	// ReasonValue: its value is not finite, or an empty member of a set.
	ReasonValue
	// ReasonTooLong: it is longer than a packet may be, or the system takes no packets of this size.
	ReasonTooLong
	// ReasonBusy: the agent did not keep up, and the queue was full.
	ReasonBusy
	// ReasonAway: nobody listened at the address, or was not to be reached, and the queue was full.
	ReasonAway
	// ReasonClosed: it was given after the client was closed.
	ReasonClosed

	reasons
)

// String is its word in the tag "reason" of hone.client.dropped.
func (r Reason) String() string {
	return [...]string{"series", "value", "too_long", "busy", "away", "closed"}[r]
}

// Counts say what became of the samples that a service gave since the client was started. When nobody is giving any,
// Given = Sent + Dropped() + Waiting.
type Counts struct {
	// Calls with a sample.
	Given uint64
	// In packets that the socket took.
	Sent uint64
	// In buffers and in the queue.
	Waiting uint64
	// Packets that the socket took.
	Packets uint64
	// Dropped, by Reason.
	DroppedFor [reasons]uint64
}

// Dropped for any reason.
func (c Counts) Dropped() uint64 {
	var sum uint64
	for _, dropped := range c.DroppedFor {
		sum += dropped
	}
	return sum
}

// The client's own metrics: samples given, and dropped by reason.
const ownMetrics = 1 + int(reasons)

func (c Counts) own() (own [ownMetrics]uint64) {
	own[0] = c.Given
	copy(own[1:], c.DroppedFor[:])
	return own
}

func ownSeries() (own [ownMetrics]series) {
	for number := range own {
		metric, tags := "hone.client.samples", []Tag(nil)
		if number > 0 {
			metric, tags = "hone.client.dropped", []Tag{T("reason", Reason(number-1).String())}
		}
		if err := own[number].set(KindCounter, metric, tags); err != nil {
			panic(err) // Names without separators.
		}
	}
	return own
}

// Samples that were dropped.
type drops struct {
	byReason [reasons]atomic.Uint64
	// Those among them that no shard has counted as given.
	atOnce atomic.Uint64
}

// now counts a sample that never got into a packet.
func (d *drops) now(reason Reason) {
	d.atOnce.Add(1)
	d.byReason[reason].Add(1)
}

func (d *drops) read(counts *Counts) {
	counts.Given += d.atOnce.Load()
	for reason := range d.byReason {
		counts.DroppedFor[reason] = d.byReason[reason].Load()
	}
}
