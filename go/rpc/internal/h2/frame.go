package h2

import (
	"encoding/binary"
	"fmt"
)

// frameType is the kind of a frame (RFC 9113, section 6).
type frameType uint8

const (
	frameData         frameType = 0x0
	frameHeaders      frameType = 0x1
	framePriority     frameType = 0x2
	frameReset        frameType = 0x3
	frameSettings     frameType = 0x4
	framePushPromise  frameType = 0x5
	framePing         frameType = 0x6
	frameGoAway       frameType = 0x7
	frameWindowUpdate frameType = 0x8
	frameContinuation frameType = 0x9
)

// Flags of frames.
const (
	flagEndStream  = 0x1
	flagAck        = 0x1
	flagEndHeaders = 0x4
	flagPadded     = 0x8
	flagPriority   = 0x20
)

// The lengths of what frames consist of.
const (
	headBytes     = 9
	pingBytes     = 8
	resetBytes    = 4
	windowBytes   = 4
	priorityBytes = 5
	goAwayBytes   = 8
	settingBytes  = 6
)

// frameBytes is how long a payload may be, in both directions: what every peer must take, and may send unless it is allowed more.
const frameBytes = 16 << 10

// largestID is the largest that a stream may have, and largestWindow the largest window.
const (
	largestID     = 1<<31 - 1
	largestWindow = 1<<31 - 1
)

// head is what a frame begins with.
type head struct {
	length int
	kind   frameType
	flags  uint8
	stream uint32
}

func (h head) has(flag uint8) bool { return h.flags&flag != 0 }

// parseHead reads the head of a frame. The reserved bit of the stream's id is not looked at.
func parseHead(b []byte) head {
	_ = b[headBytes-1]
	return head{
		length: int(b[0])<<16 | int(b[1])<<8 | int(b[2]),
		kind:   frameType(b[3]),
		flags:  b[4],
		stream: binary.BigEndian.Uint32(b[5:]) & largestID,
	}
}

// putHead writes the head of a frame into room that has been made for it.
func putHead(room []byte, length int, kind frameType, flags uint8, stream uint32) {
	_ = room[headBytes-1]
	room[0], room[1], room[2] = byte(length>>16), byte(length>>8), byte(length)
	room[3], room[4] = byte(kind), flags
	binary.BigEndian.PutUint32(room[5:], stream)
}

// emptyHead is room for a head.
var emptyHead [headBytes]byte

// appendHead appends the head of a frame.
func appendHead(to []byte, length int, kind frameType, flags uint8, stream uint32) []byte {
	to = append(to, emptyHead[:]...)
	putHead(to[len(to)-headBytes:], length, kind, flags, stream)
	return to
}

// splitFrames makes frames of a payload that begins behind room for a head at start and ends with the bytes: of several where it is longer
// than a frame may be. The first has kind and flags; the others are of kind next without flags; the last has flags last besides.
func splitFrames(to []byte, start int, kind, next frameType, flags, last uint8, stream uint32) []byte {
	payload := len(to) - start - headBytes
	if payload <= frameBytes {
		putHead(to[start:], payload, kind, flags|last, stream)
		return to
	}
	// Heads go between the parts, which move from the last one on.
	more := (payload - 1) / frameBytes
	for range more {
		to = append(to, emptyHead[:]...)
	}
	for i := more; i > 0; i-- {
		from := start + headBytes + i*frameBytes
		length := min(frameBytes, payload-i*frameBytes)
		at := from + i*headBytes
		copy(to[at:at+length], to[from:from+length])
		lastOnes := uint8(0)
		if i == more {
			lastOnes = last
		}
		putHead(to[at-headBytes:], length, next, lastOnes, stream)
	}
	putHead(to[start:], frameBytes, kind, flags, stream)
	return to
}

// ErrorCode says why a stream was reset or a connection ended (RFC 9113, section 7).
type ErrorCode uint32

// All codes.
const (
	NoError            ErrorCode = 0x0
	ProtocolError      ErrorCode = 0x1
	InternalError      ErrorCode = 0x2
	FlowControlError   ErrorCode = 0x3
	SettingsTimeout    ErrorCode = 0x4
	StreamClosed       ErrorCode = 0x5
	FrameSizeError     ErrorCode = 0x6
	RefusedStream      ErrorCode = 0x7
	Cancel             ErrorCode = 0x8
	CompressionError   ErrorCode = 0x9
	ConnectError       ErrorCode = 0xa
	EnhanceYourCalm    ErrorCode = 0xb
	InadequateSecurity ErrorCode = 0xc
	HTTP11Required     ErrorCode = 0xd
)

var errorCodeNames = [...]string{
	"NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED", "FRAME_SIZE_ERROR",
	"REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
}

// String gives the name that HTTP/2 has for it.
func (c ErrorCode) String() string {
	if int(c) < len(errorCodeNames) {
		return errorCodeNames[c]
	}
	return fmt.Sprintf("ERROR_CODE(%d)", uint32(c))
}
