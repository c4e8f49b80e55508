package agentclient

import (
	"sync"
	"sync/atomic"
)

// A shard is a packet that one processor at a time fills, on cache lines of its own.
type shard struct {
	mutex    sync.Mutex
	packet   *packet
	given    uint64
	isClosed bool
	_        [128]byte
}

// A place says which shard a caller uses. A pool keeps one place for each processor. If the garbage collector takes a place away, the caller just
// gets a new number.
type place struct {
	shard   uint32
	scratch series
}

// shared is the state that the handles, the client and its flusher share.
type shared struct {
	outbox      outbox
	shards      []shard // the number of shards is a power of two
	packetBytes int
	places      sync.Pool
	next        atomic.Uint32

	// own are the series of the client's own metrics. ownMutex is held while their values are written.
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

// number adds a number to a series.
func (s *shared) number(series *series, value float64) {
	var room room
	text := room.number(value)
	if text == nil {
		s.outbox.drops.now(ReasonValue)
		return
	}
	give(s, series, text)
}

// give adds a value to a series, as text.
func give[T string | []byte](s *shared, series *series, text T) {
	if series.keepsOrder {
		giveAt(s, series.hash, series, text)
		return
	}
	place := s.places.Get().(*place)
	giveAt(s, place.shard, series, text)
	s.places.Put(place)
}

// adHoc adds a value to a series that was not registered.
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

// write adds a point to a locked shard.
func write[T string | []byte](s *shared, shard *shard, series *series, text T) {
	if len(shard.packet.bytes)+pointBytes(series, len(text)) > s.packetBytes {
		shard.packet = s.outbox.take(shard.packet)
	}
	bytes := append(shard.packet.bytes, series.beforeValue()...)
	bytes = append(appendTextHead(bytes, len(text)), text...)
	shard.packet.bytes = append(bytes, series.behindValue()...)
	shard.packet.points++
}

// cut passes the packets of all shards to the outbox, with the changes of the client's own metrics.
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

// tell writes the increases of the client's own metrics since the last time.
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

// close makes the shards drop all later samples.
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
