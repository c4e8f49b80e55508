package agentclient

import (
	"fmt"
	"math/bits"
	"runtime"
	"sync"
	"time"
)

// The first pause before packets are offered again, and the longest; each is double the one before.
const (
	pauseFirst   = time.Millisecond
	pauseLongest = 64 * time.Millisecond
)

// More shards gain nothing.
const shardsMax = 64

// Config says how a client sends. What is zero takes its default, which suits an agent with its default configuration.
type Config struct {
	// Where the agent listens, as its configuration writes it: unixgram:PATH or udp:ADDRESS:PORT (an address in
	// figures). Default: unixgram:/run/hone-agent/agent.sock.
	Address string
	// The longest packet, 512 to 65,507 bytes; not more than the agent's packet_bytes. Default: 8,192.
	PacketBytes int
	// Packets that may wait where the agent is busy or away. Default: 64.
	QueuePackets int
	// The longest that a sample waits for its packet to be full. Default: one second.
	FlushEvery time.Duration
	// Packets that are filled at the same time, rounded up to a power of two, at most 64. Default: GOMAXPROCS.
	Shards int
	// The longest that Close waits for an agent that is busy. Default: one second.
	CloseWithin time.Duration
}

func (c *Config) complete() error {
	if c.Address == "" {
		c.Address = "unixgram:/run/hone-agent/agent.sock"
	}
	if c.PacketBytes == 0 {
		c.PacketBytes = 8192
	}
	if c.QueuePackets == 0 {
		c.QueuePackets = 64
	}
	if c.FlushEvery == 0 {
		c.FlushEvery = time.Second
	}
	if c.CloseWithin == 0 {
		c.CloseWithin = time.Second
	}
	if c.Shards == 0 {
		c.Shards = runtime.GOMAXPROCS(0)
	}
	switch {
	case c.PacketBytes < 512 || c.PacketBytes > 65_507:
		return fmt.Errorf("PacketBytes is %d; it may be 512 to 65507", c.PacketBytes)
	case c.QueuePackets < 0 || c.FlushEvery < 0 || c.CloseWithin < 0 || c.Shards < 0:
		return fmt.Errorf("QueuePackets, FlushEvery, CloseWithin and Shards may not be negative: %+v", *c)
	}
	c.Shards = 1 << bits.Len(uint(min(c.Shards, shardsMax)-1))
	return nil
}

// A Client sends samples to the agent. All of its methods, and those of its handles, may be called by any goroutine.
type Client struct {
	shared      *shared
	closeWithin time.Duration
	closing     chan struct{}
	flusher     sync.WaitGroup
	closeOnce   sync.Once
}

// New opens the socket and starts the goroutine that flushes. The agent need not be there.
func New(config Config) (*Client, error) {
	if err := config.complete(); err != nil {
		return nil, err
	}
	socket, err := open(config.Address)
	if err != nil {
		return nil, err
	}
	c := &Client{
		shared:      newShared(socket, config.PacketBytes, config.QueuePackets, config.Shards),
		closeWithin: config.CloseWithin,
		closing:     make(chan struct{}),
	}
	c.flusher.Add(1)
	go c.flushes(config.FlushEvery)
	return c, nil
}

// flushes by the clock, and tries again where the agent was busy or away, until the client is closed.
func (c *Client) flushes(every time.Duration) {
	defer c.flusher.Done()
	outbox := &c.shared.outbox
	next := time.Now().Add(every)
	pause := pauseFirst
	timer := time.NewTimer(every)
	defer timer.Stop()
	for {
		isHeldUp := outbox.isHeldUp()
		wait := time.Until(next)
		if isHeldUp {
			wait = min(wait, pause)
		}
		timer.Reset(wait)
		select {
		case <-c.closing:
			return
		case <-outbox.wake:
			continue // Packets wait from now on: first the pause.
		case <-timer.C:
		}
		if isHeldUp {
			outbox.sendAll()
			isHeldUp = outbox.isHeldUp()
		}
		if isHeldUp {
			pause = min(2*pause, pauseLongest)
		} else {
			pause = pauseFirst
		}
		if time.Now().Before(next) {
			continue
		}
		next = time.Now().Add(every)
		// What is held up leaves room in the packets that are being filled; small ones would only fill the queue.
		if !isHeldUp {
			c.shared.cut()
			outbox.sendAll()
		}
	}
}

// Record gives one number of a series that has no handle, since its tags are only known now.
func (c *Client) Record(kind Kind, metric string, value float64, tags ...Tag) {
	var room room
	adHoc(c.shared, kind, metric, room.number(value), tags)
}

// RecordDuration gives one duration of a timer that has no handle.
func (c *Client) RecordDuration(metric string, duration time.Duration, tags ...Tag) {
	var room room
	adHoc(c.shared, KindTimer, metric, room.milliseconds(duration), tags)
}

// Insert gives one member of a set that has no handle.
func (c *Client) Insert(metric, member string, tags ...Tag) {
	adHoc(c.shared, kindSet, metric, member, tags)
}

// Flush sends what has been gathered, as far as the agent takes it at once; the rest is sent as soon as it does.
func (c *Client) Flush() {
	select {
	case <-c.closing:
	default:
		c.shared.cut()
		c.shared.outbox.sendAll()
	}
}

// Counts says what became of the samples until now.
func (c *Client) Counts() Counts { return c.shared.counts() }

// Close sends what has been gathered, waiting for a busy agent as long as Config.CloseWithin says, and ends. Samples
// that are given later are dropped and counted.
func (c *Client) Close() { c.closeOnce.Do(c.close) }

func (c *Client) close() {
	close(c.closing)
	c.flusher.Wait()
	outbox := &c.shared.outbox
	c.shared.close()
	c.shared.cut()
	patience := time.Now().Add(c.closeWithin)
	outbox.sendAll()
	for outbox.isHeldUpByABusyAgent() && time.Now().Before(patience) {
		time.Sleep(time.Millisecond)
		outbox.sendAll()
	}
	outbox.giveUp()
}
