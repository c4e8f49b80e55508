package agentclient

import "encoding/binary"

// The head of an array of up to 65,535 points: 0xdc and their number.
const headBytes = 3

// A packet in the making: an array of points, whose head is completed when their number is known.
type packet struct {
	bytes  []byte
	points uint16
	// Points of the service; the others are the client's own.
	samples uint64
	// What the client's own points say.
	own [ownMetrics]uint64
}

func newPacket(bytesMax int) *packet {
	p := &packet{bytes: make([]byte, headBytes, bytesMax)}
	p.bytes[0] = 0xdc
	return p
}

func (p *packet) finished() []byte {
	binary.BigEndian.PutUint16(p.bytes[1:], p.points)
	return p.bytes
}

func (p *packet) clear() {
	*p = packet{bytes: p.bytes[:headBytes]}
}
