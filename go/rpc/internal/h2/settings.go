package h2

import (
	"encoding/binary"
	"math"
	"time"
)

// These are the settings of HTTP/2 (RFC 9113, section 6.5.2).
const (
	settingTableSize     = 0x1
	settingEnablePush    = 0x2
	settingStreams       = 0x3
	settingInitialWindow = 0x4
	settingFrameBytes    = 0x5
	settingHeaderBytes   = 0x6
)

// largestFrame is the largest frame that a peer may allow.
const largestFrame = 1<<24 - 1

// setting is a setting that this side sends.
type setting struct {
	id    uint16
	value uint32
}

// appendOpening appends SETTINGS, and the part of the connection's window beyond the size with which it begins.
func (c *conn) appendOpening(to []byte, settings ...setting) []byte {
	settings = append(settings,
		setting{settingInitialWindow, uint32(c.options.StreamWindow)}, setting{settingHeaderBytes, uint32(c.options.HeaderBytes)})
	to = appendHead(to, len(settings)*settingBytes, frameSettings, 0, 0)
	for _, s := range settings {
		to = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint16(to, s.id), s.value)
	}
	if more := c.options.ConnectionWindow - initialWindow; more > 0 {
		to = appendWindowUpdate(to, 0, more)
	}
	return to
}

func appendWindowUpdate(to []byte, id uint32, more int) []byte {
	to = appendHead(to, windowBytes, frameWindowUpdate, 0, id)
	return binary.BigEndian.AppendUint32(to, uint32(more))
}

func (c *conn) readSettings(h head, payload []byte) error {
	switch {
	case h.stream != 0:
		return protocolError("SETTINGS are for a stream")
	case h.has(flagAck) && h.length != 0:
		return &connectionError{FrameSizeError, "SETTINGS are acknowledged with a payload"}
	case h.length%settingBytes != 0:
		return &connectionError{FrameSizeError, "the length of SETTINGS is no multiple of 6"}
	}
	if err := c.countIdle(); err != nil {
		return err
	}
	if h.has(flagAck) {
		if !c.hasSettings.Load() {
			return protocolError("the first frame is an acknowledgement of SETTINGS")
		}
		return nil
	}
	ack, streams := settingsAck{conn: c, tableBytes: -1}, int64(-1)
	for ; len(payload) > 0; payload = payload[settingBytes:] {
		id, value := binary.BigEndian.Uint16(payload), binary.BigEndian.Uint32(payload[2:])
		if id == settingStreams {
			streams = int64(value)
		} else if err := c.set(id, value, &ack); err != nil {
			return err
		}
	}
	if !c.hasSettings.Swap(true) {
		c.mu.Lock()
		c.handshake.Stop()
		c.mu.Unlock()
		if streams < 0 {
			// Without a limit in the first settings there is no limit.
			streams = math.MaxUint32
		}
	}
	if streams >= 0 {
		c.side.allowStreams(streams)
	}
	return c.collect(&ack)
}

// set applies one setting.
func (c *conn) set(id uint16, value uint32, ack *settingsAck) error {
	switch id {
	case settingTableSize:
		ack.tableBytes = int64(value)
	case settingEnablePush:
		if value > 1 {
			return protocolError("ENABLE_PUSH is neither 0 nor 1")
		}
	case settingInitialWindow:
		if value > largestWindow || !c.setInitialWindow(int64(value)) {
			return &connectionError{FlowControlError, "INITIAL_WINDOW_SIZE makes a window larger than 2^31-1"}
		}
	case settingFrameBytes:
		if value < frameBytes || value > largestFrame {
			return protocolError("MAX_FRAME_SIZE is not between 2^14 and 2^24-1")
		}
	case settingHeaderBytes:
		c.peerHeaderBytes.Store(value)
	}
	return nil
}

// settingsAck acknowledges settings. The size of HPACK's table changes when the frame is appended, since the blocks before it use
// the old size.
type settingsAck struct {
	conn       *conn
	tableBytes int64
}

// AppendFrame appends the acknowledgement.
func (a *settingsAck) AppendFrame(to []byte) ([]byte, error) {
	if a.tableBytes >= 0 {
		a.conn.encoder.begin()
		a.conn.encoder.resize(uint32(a.tableBytes))
	}
	return appendHead(to, 0, frameSettings, flagAck, 0), nil
}

func (c *conn) readPing(h head, payload []byte) error {
	switch {
	case h.stream != 0:
		return protocolError("PING is for a stream")
	case h.length != pingBytes:
		return &connectionError{FrameSizeError, "PING is not 8 bytes long"}
	}
	if err := c.countIdle(); err != nil {
		return err
	}
	if h.has(flagAck) {
		if *(*[pingBytes]byte)(payload) == drainPing {
			c.side.pong()
		}
		return nil
	}
	c.own.bytes = append(appendHead(c.own.bytes[:0], pingBytes, framePing, flagAck, 0), payload...)
	if err := c.collect(&c.own); err != nil {
		return err
	}
	return c.pings.see(c)
}

// pingGuard limits how often a client may send PING. A server has no such limit.
type pingGuard struct {
	isOn    bool
	last    time.Time
	sent    uint64
	strikes int
}

// see notes a PING.
func (g *pingGuard) see(c *conn) error {
	if !g.isOn {
		return nil
	}
	now, before := c.options.Clock.Now(), g.last
	g.last = now
	// After something was sent to it, a client may measure how long that takes.
	if sent := c.sent.Load(); sent != g.sent {
		g.sent, g.strikes, g.last = sent, 0, time.Time{}
		return nil
	}
	least := c.options.Pings.Every
	if !c.options.Pings.WithoutStreams && !c.isBusy() {
		least = idlePingsEvery
	}
	if before.IsZero() || now.Sub(before) >= least {
		return nil
	}
	if g.strikes++; g.strikes > mostStrikes {
		return &connectionError{EnhanceYourCalm, "too_many_pings"}
	}
	return nil
}

func (c *conn) isBusy() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.streams) > 0
}

// sayGoAway sends GOAWAY for the last stream that this side has taken.
func (c *conn) sayGoAway(code ErrorCode, text string) {
	c.sendControl(appendGoAway(nil, c.side.lastTaken(), code, text))
}

func appendGoAway(to []byte, last uint32, code ErrorCode, text string) []byte {
	to = appendHead(to, goAwayBytes+len(text), frameGoAway, 0, 0)
	to = binary.BigEndian.AppendUint32(to, last)
	to = binary.BigEndian.AppendUint32(to, uint32(code))
	return append(to, text...)
}

// appendPing appends a PING.
func appendPing(to []byte, payload [pingBytes]byte) []byte {
	return append(appendHead(to, pingBytes, framePing, 0, 0), payload[:]...)
}

// These are the payloads of this side's PINGs. They tell the answers apart.
var (
	drainPing = [pingBytes]byte{'d', 'r', 'a', 'i', 'n', 'i', 'n', 'g'}
	alivePing = [pingBytes]byte{'a', 'l', 'i', 'v', 'e', '?', '?', '?'}
)
