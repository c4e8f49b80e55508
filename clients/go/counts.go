package agentclient

import "sync/atomic"

// A Reason says why a sample never reached the agent.
type Reason int

const (
	// ReasonSeries means that the protocol cannot carry the sample's series.
	ReasonSeries Reason = iota
	// ReasonValue means that the value is not finite, or that it is an empty member of a set.
	ReasonValue
	// ReasonTooLong means that the sample is longer than a packet may be, or that the system takes no packets of this size.
	ReasonTooLong
	// ReasonBusy means that the agent did not keep up, and the queue was full.
	ReasonBusy
	// ReasonAway means that nothing listened at the address, or the address could not be reached, and the queue was full.
	ReasonAway
	// ReasonClosed means that the sample was given after the client was closed.
	ReasonClosed

	reasons
)

// String returns the word for the reason in the tag "reason" of hone.client.dropped.
func (r Reason) String() string {
	return [...]string{"series", "value", "too_long", "busy", "away", "closed"}[r]
}

// Counts are the numbers of samples since the client was started, by what became of them. While no goroutine gives samples, Given = Sent + Dropped()
// + Waiting.
type Counts struct {
	// Given is the number of samples that the service gave, one for each call.
	Given uint64
	// Sent is the number of samples in packets that the socket took.
	Sent uint64
	// Waiting is the number of samples in buffers and in the queue.
	Waiting uint64
	// Packets is the number of packets that the socket took.
	Packets uint64
	// DroppedFor is the number of dropped samples for each Reason.
	DroppedFor [reasons]uint64
}

// Dropped returns the number of dropped samples, whatever the reason.
func (c Counts) Dropped() uint64 {
	var sum uint64
	for _, dropped := range c.DroppedFor {
		sum += dropped
	}
	return sum
}

// ownMetrics is the number of the client's own metrics: the samples that were given, and those that were dropped for each reason.
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
			panic(err) // these names have no separators
		}
	}
	return own
}

// drops counts the samples that were dropped.
type drops struct {
	byReason [reasons]atomic.Uint64
	// atOnce is the number of these samples that no shard has counted as given.
	atOnce atomic.Uint64
}

// now counts a sample that was dropped before it was in a packet.
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
