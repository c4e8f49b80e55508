package agentclient

import (
	"sync"
	"sync/atomic"
)

// atOnce is the largest number of packets that a caller sends when it has filled a packet: that one, and one that waited.
const atOnce = 2

// An outbox has full packets on their way to the socket. It keeps their order, has a limited length, and makes no caller wait.
type outbox struct {
	drops drops
	// told has the values of the client's own metrics that have been sent to the agent or wait to be sent.
	told [ownMetrics]atomic.Uint64
	// wake wakes the flusher when packets begin to wait.
	wake chan struct{}

	packetBytes  int
	queuePackets int

	mutex   sync.Mutex
	socket  *socket
	waiting []*packet
	free    []*packet
	sent    uint64
	packets uint64
	// isRefused is true if the socket did not take the first of the waiting packets; refusal is the reason.
	isRefused bool
	refusal   Reason
}

func (o *outbox) isHeldUpLocked() bool { return o.isRefused && len(o.waiting) > 0 }

func (o *outbox) isHeldUp() bool {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.isHeldUpLocked()
}

// isHeldUpByABusyAgent reports whether packets wait for an agent that runs but is busy.
func (o *outbox) isHeldUpByABusyAgent() bool {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.isHeldUpLocked() && o.refusal == ReasonBusy
}

// take takes a full packet, and returns an empty one.
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

// sendLocked sends the packets that the socket takes, at most packetsMax.
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

// sendAll sends the packets that the socket takes. It releases the lock between packets.
func (o *outbox) sendAll() {
	for range o.queuePackets + 1 {
		if o.sendOne() {
			return
		}
	}
}

// sendOne sends one packet, and reports whether there is nothing more to do for now.
func (o *outbox) sendOne() bool {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.sendLocked(1)
	return len(o.waiting) == 0 || o.isHeldUpLocked()
}

// giveUp drops all waiting packets and closes the socket. It is called at the end.
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
		o.told[number].Add(-lost) // it is told again with later packets
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
