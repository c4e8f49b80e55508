package agentclient

import (
	"sync"
	"sync/atomic"
)

// A shard is a packet that one processor fills at a time, on cache lines of its own.
type shard struct {
	mutex    sync.Mutex
	packet   *packet
	given    uint64
	isClosed bool
	_        [128]byte
}

// A place says which shard a caller uses. A pool keeps one for each processor; that the collector may take them away
// costs nothing but a new number.
type place struct {
	shard   uint32
	scratch series
}

// shared is the state that handles, the client and its flusher share.
type shared struct {
	outbox      outbox
	shards      []shard // A power of two of them.
	packetBytes int
	places      sync.Pool
	next        atomic.Uint32

	// Of the client's own metrics; the lock is that of telling them.
	ownMutex sync.Mutex
	own      [ownMetrics]series
}

func newShared(socket *socket, packetBytes, queuePackets, shards int) *shared {
	s := &shared{
		shards:      make([]shard, shards),
		packetBytes: packetBytes,
		own:         ownSeries(),
	}
	s.outbox.socket = socket
	s.outbox.packetBytes = packetBytes
	s.outbox.queuePackets = queuePackets
	s.outbox.wake = make(chan struct{}, 1)
	for number := range s.shards {
		s.shards[number].packet = newPacket(packetBytes)
	}
	s.places.New = func() any { return &place{shard: s.next.Add(1)} }
	return s
}

// number gives a number of a series.
func (s *shared) number(series *series, value float64) {
	var room room
	text := room.number(value)
	if text == nil {
		s.outbox.drops.now(ReasonValue)
		return
	}
	give(s, series, text)
}

// give gives a value of a series, as text.
func give[T string | []byte](s *shared, series *series, text T) {
	if series.keepsOrder {
		giveAt(s, series.hash, series, text)
		return
	}
	place := s.places.Get().(*place)
	giveAt(s, place.shard, series, text)
	s.places.Put(place)
}

// adHoc gives a value of a series that nobody registered.
func adHoc[T string | []byte](s *shared, kind Kind, metric string, text T, tags []Tag) {
	place := s.places.Get().(*place)
	if err := place.scratch.set(kind, metric, tags); err != nil {
		s.refuse()
	} else if place.scratch.keepsOrder {
		giveAt(s, place.scratch.hash, &place.scratch, text)
	} else {
		giveAt(s, place.shard, &place.scratch, text)
	}
	s.places.Put(place)
}

// refuse counts a sample of a series that the protocol cannot carry.
func (s *shared) refuse() { s.outbox.drops.now(ReasonSeries) }

func giveAt[T string | []byte](s *shared, number uint32, series *series, text T) {
	if len(text) == 0 {
		s.outbox.drops.now(ReasonValue)
		return
	}
	if pointBytes(series, len(text)) > s.packetBytes-headBytes {
		s.outbox.drops.now(ReasonTooLong)
		return
	}
	shard := &s.shards[number&uint32(len(s.shards)-1)]
	shard.mutex.Lock()
	if shard.isClosed {
		shard.mutex.Unlock()
		s.outbox.drops.now(ReasonClosed)
		return
	}
	write(s, shard, series, text)
	shard.given++
	shard.packet.samples++
	shard.mutex.Unlock()
}

func pointBytes(series *series, text int) int {
	var head [5]byte
	return len(series.bytes) + len(appendTextHead(head[:0], text)) + text
}

// write adds a point to a shard that is locked.
func write[T string | []byte](s *shared, shard *shard, series *series, text T) {
	if len(shard.packet.bytes)+pointBytes(series, len(text)) > s.packetBytes {
		shard.packet = s.outbox.take(shard.packet)
	}
	bytes := append(shard.packet.bytes, series.beforeValue()...)
	bytes = append(appendTextHead(bytes, len(text)), text...)
	shard.packet.bytes = append(bytes, series.behindValue()...)
	shard.packet.points++
}

// cut hands what the shards hold to the outbox, and what the agent is to know of this client.
func (s *shared) cut() {
	s.tell()
	for number := range s.shards {
		shard := &s.shards[number]
		shard.mutex.Lock()
		if shard.packet.points > 0 {
			shard.packet = s.outbox.take(shard.packet)
		}
		shard.mutex.Unlock()
	}
}

// tell writes by how much the client's own metrics grew.
func (s *shared) tell() {
	s.ownMutex.Lock()
	defer s.ownMutex.Unlock()
	for number, total := range s.counts().own() {
		told := s.outbox.told[number].Load()
		if total <= told {
			continue
		}
		grown := total - told
		s.outbox.told[number].Add(grown)
		var room room
		shard := &s.shards[0]
		shard.mutex.Lock()
		write(s, shard, &s.own[number], room.decimal(false, grown, 0))
		shard.packet.own[number] += grown
		shard.mutex.Unlock()
	}
}

// close makes all later samples dropped ones.
func (s *shared) close() {
	for number := range s.shards {
		shard := &s.shards[number]
		shard.mutex.Lock()
		shard.isClosed = true
		shard.mutex.Unlock()
	}
}

func (s *shared) counts() Counts {
	var counts Counts
	for number := range s.shards {
		shard := &s.shards[number]
		shard.mutex.Lock()
		counts.Given += shard.given
		counts.Waiting += shard.packet.samples
		shard.mutex.Unlock()
	}
	s.outbox.read(&counts)
	return counts
}
