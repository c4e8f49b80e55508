package agentclient

import (
	"sync"
	"sync/atomic"
)

// Packets that a caller sends at most when it has filled one: that one, and one that waited.
const atOnce = 2

// An outbox has full packets on their way to the socket: in order, bounded, and never waited for.
type outbox struct {
	drops drops
	// What the agent has been told by the client's own metrics.
	told [ownMetrics]atomic.Uint64
	// The flusher is woken by it when packets begin to wait.
	wake chan struct{}

	packetBytes  int
	queuePackets int

	mutex   sync.Mutex
	socket  *socket
	waiting []*packet
	free    []*packet
	sent    uint64
	packets uint64
	// Whether the socket did not take the first of those that wait, and why.
	isRefused bool
	refusal   Reason
}

func (o *outbox) isHeldUpLocked() bool { return o.isRefused && len(o.waiting) > 0 }

func (o *outbox) isHeldUp() bool {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.isHeldUpLocked()
}

// isHeldUpByABusyAgent: packets wait for an agent that is there.
func (o *outbox) isHeldUpByABusyAgent() bool {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.isHeldUpLocked() && o.refusal == ReasonBusy
}

// take takes a packet and returns an empty one.
func (o *outbox) take(full *packet) *packet {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	var empty *packet
	if last := len(o.free) - 1; last >= 0 {
		empty, o.free = o.free[last], o.free[:last]
	} else {
		empty = newPacket(o.packetBytes)
	}
	o.waiting = append(o.waiting, full)
	wasHeldUp := o.isHeldUpLocked()
	o.sendLocked(atOnce)
	for len(o.waiting) > o.queuePackets {
		o.dropFirstLocked(o.reasonLocked())
	}
	if o.isHeldUpLocked() && !wasHeldUp {
		select {
		case o.wake <- struct{}{}:
		default:
		}
	}
	return empty
}

func (o *outbox) reasonLocked() Reason {
	if o.isRefused {
		return o.refusal
	}
	return ReasonBusy
}

// sendLocked sends what the socket takes, this many packets at most.
func (o *outbox) sendLocked(packetsMax int) {
	for range packetsMax {
		if len(o.waiting) == 0 {
			return
		}
		first := o.waiting[0]
		switch o.socket.send(first.finished()) {
		case taken:
			o.isRefused = false
			o.sent += first.samples
			o.packets++
			o.recycleFirstLocked()
		case tooLong:
			o.dropFirstLocked(ReasonTooLong)
		case busy:
			o.isRefused, o.refusal = true, ReasonBusy
			return
		default:
			o.isRefused, o.refusal = true, ReasonAway
			return
		}
	}
}

// sendAll sends what the socket takes. The lock is not held from one packet to the next.
func (o *outbox) sendAll() {
	for range o.queuePackets + 1 {
		if o.sendOne() {
			return
		}
	}
}

// sendOne says whether there is no more to do for now.
func (o *outbox) sendOne() bool {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.sendLocked(1)
	return len(o.waiting) == 0 || o.isHeldUpLocked()
}

// giveUp drops all that waits: the end has come.
func (o *outbox) giveUp() {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	reason := o.reasonLocked()
	for len(o.waiting) > 0 {
		o.dropFirstLocked(reason)
	}
	o.socket.close()
}

func (o *outbox) dropFirstLocked(reason Reason) {
	first := o.waiting[0]
	o.drops.byReason[reason].Add(first.samples)
	for number, lost := range first.own {
		o.told[number].Add(-lost) // It is told again.
	}
	o.recycleFirstLocked()
}

func (o *outbox) recycleFirstLocked() {
	first := o.waiting[0]
	o.waiting = o.waiting[:copy(o.waiting, o.waiting[1:])]
	first.clear()
	o.free = append(o.free, first)
}

func (o *outbox) read(counts *Counts) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	counts.Sent = o.sent
	counts.Packets = o.packets
	for _, waiting := range o.waiting {
		counts.Waiting += waiting.samples
	}
	o.drops.read(counts)
}
