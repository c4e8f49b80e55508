package agentclient

import "encoding/binary"

// headBytes is the length of the head of an array of up to 65,535 points: 0xdc and the number of points.
const headBytes = 3

// A packet is an array of points that is being filled. Its head is completed once the number of points is known.
type packet struct {
	bytes  []byte
	points uint16
	// samples is the number of points of the service; the other points are the client's own.
	samples uint64
	// own has the sums of the client's own points in this packet.
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
