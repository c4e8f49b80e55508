package intruder

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// Act is a forbidden action of a side.
type Act struct {
	// Kind is the kind of the action, Place the place where it happens: each number has a meaning.
	Kind, Place uint8
	// Value is a number whose meaning depends on the kind.
	Value uint64
}

// ActBytes is the number of bytes that ParseAct reads.
const ActBytes = 10

// ParseAct reads an act from the first ActBytes of from.
func ParseAct(from []byte) Act {
	return Act{from[0], from[1], binary.LittleEndian.Uint64(from[2:])}
}

// Kinds of acts.
const (
	SetPosition = iota
	MovePosition
	SetFlag
	Scribble
	WriteHonestly
	ReadHonestly
	Flood
	HalfClose
	PassDescriptors
	PunchHole
	// Notify and Awaken do nothing without a pair.
	Notify
	Awaken
	// Kinds is the number of kinds.
	Kinds
)

// offsets are the numbers that positions are moved by, besides the capacity and its neighbours.
var offsets = []uint64{1, ^uint64(0), 1 << 31, 1 << 32, 1 << 63, 1<<63 - 1, ^uint64(0) >> 1}

// Do performs an act.
func (p *Peer) Do(act Act) {
	control := p.control(int(act.Place) & 1)
	position := control[head:]
	if act.Place&2 != 0 {
		position = control[tail:]
	}
	socket := p.Socket
	if act.Place&1 != 0 {
		socket = p.Space
	}
	memory := p.Segment
	if act.Place&4 != 0 && p.Page != nil {
		socket, memory = p.Bell, p.Page
	}
	switch act.Kind % Kinds {
	case SetPosition:
		binary.LittleEndian.PutUint64(position, act.Value)
	case MovePosition:
		binary.LittleEndian.PutUint64(position, binary.LittleEndian.Uint64(position)+p.offset(act.Value))
	case SetFlag:
		flag := control[readerWaits:]
		if act.Place&2 != 0 {
			flag = control[writerWaits:]
		}
		binary.LittleEndian.PutUint32(flag, uint32(act.Value))
	case Scribble:
		at := int(act.Value % uint64(len(memory)-8))
		binary.LittleEndian.PutUint64(memory[at:], act.Value*0x9e3779b97f4a7c15)
	case WriteHonestly:
		p.Write(make([]byte, act.Value%uint64(2*p.Capacity)))
	case ReadHonestly:
		p.Discard()
	case Flood:
		send(socket, make([]byte, act.Value%4096))
	case HalfClose:
		unix.Shutdown(socket, []int{unix.SHUT_RD, unix.SHUT_WR, unix.SHUT_RDWR}[act.Value%3])
	case PassDescriptors:
		unix.SendmsgN(socket, []byte{1}, unix.UnixRights(p.Memory, socket, p.Space), nil, unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL)
	case PunchHole:
		unix.Fallocate(p.Memory, unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, int64(act.Value%uint64(len(p.Segment))), 1<<16)
	case Notify, Awaken:
		if p.Page == nil {
			return
		}
		notices := p.Page[noticesAt:]
		word := notices[bits+int(act.Place)%noticeWords*8:]
		binary.LittleEndian.PutUint64(word, binary.LittleEndian.Uint64(word)|act.Value)
		if act.Kind%Kinds == Awaken {
			binary.LittleEndian.PutUint32(notices[sleeps:], uint32(act.Value))
			send(p.Bell, []byte{1})
		}
	}
}

// offset returns a number that positions are moved by.
func (p *Peer) offset(value uint64) uint64 {
	near := []uint64{uint64(p.Capacity) - 1, uint64(p.Capacity), uint64(p.Capacity) + 1, -uint64(p.Capacity), -uint64(p.Capacity) - 1}
	if at := value % uint64(len(near)+len(offsets)); at < uint64(len(near)) {
		return near[at]
	} else {
		return offsets[at-uint64(len(near))]
	}
}
