package agentclient

import (
	"fmt"
	"math/bits"
	"runtime"
	"sync"
	"time"
)

// These are the first and the longest pause before packets are sent again. Each pause is twice as long as the one before.
const (
	pauseFirst   = time.Millisecond
	pauseLongest = 64 * time.Millisecond
)

// shardsMax is the largest number of shards. More shards gain nothing.
const shardsMax = 64

// Config says how a client sends. A field that is zero has its default; the defaults suit an agent with its default configuration.
type Config struct {
	// Address is the address at which the agent listens, as the agent's configuration writes it: unixgram:PATH or udp:ADDRESS:PORT (with a numeric
	// ADDRESS). Default: unixgram:/run/hone-agent/agent.sock.
	Address string
	// PacketBytes is the largest size of a packet: 512 to 65,507 bytes, and not more than the agent's packet_bytes. Default: 8,192.
	PacketBytes int
	// QueuePackets is the number of packets that may wait while the agent is busy or away. Default: 64.
	QueuePackets int
	// FlushEvery is the longest time for which a sample waits for its packet to be full. Default: one second.
	FlushEvery time.Duration
	// Shards is the number of packets that are filled at the same time, rounded up to a power of two, at most 64. Default: GOMAXPROCS.
	Shards int
	// CloseWithin is the longest time for which Close waits for an agent that is busy. Default: one second.
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

// A Client sends samples to the agent. Any goroutine may call its methods and those of its handles.
type Client struct {
	shared      *shared
	closeWithin time.Duration
	closing     chan struct{}
	flusher     sync.WaitGroup
	closeOnce   sync.Once
}

// New opens the socket, and starts the goroutine that flushes. The agent need not be running.
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

// flushes sends at fixed intervals, and sends again if the agent was busy or away, until the client is closed.
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
			continue // packets wait from now on: first comes the pause
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
		// While packets are held up, nothing is cut: the packets that are being filled still have room, and small packets would only fill the queue.
		if !isHeldUp {
			c.shared.cut()
			outbox.sendAll()
		}
	}
}

// Record sends one number of a series without a handle, for tags that are known only at the time of the call.
func (c *Client) Record(kind Kind, metric string, value float64, tags ...Tag) {
	var room room
	adHoc(c.shared, kind, metric, room.number(value), tags)
}

// RecordDuration sends one duration of a timer without a handle.
func (c *Client) RecordDuration(metric string, duration time.Duration, tags ...Tag) {
	var room room
	adHoc(c.shared, KindTimer, metric, room.milliseconds(duration), tags)
}

// Insert sends one member of a set without a handle.
func (c *Client) Insert(metric, member string, tags ...Tag) {
	adHoc(c.shared, kindSet, metric, member, tags)
}

// Flush sends all gathered samples that the agent takes at once. The rest is sent as soon as the agent takes it.
func (c *Client) Flush() {
	select {
	case <-c.closing:
	default:
		c.shared.cut()
		c.shared.outbox.sendAll()
	}
}

// Counts returns the numbers of samples so far, by what became of them.
func (c *Client) Counts() Counts { return c.shared.counts() }

// Close sends the gathered samples, waits for a busy agent for at most Config.CloseWithin, and ends the client. Samples that are given later are
// dropped and counted.
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
