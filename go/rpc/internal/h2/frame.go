package h2

import (
	"encoding/binary"
	"fmt"
)

// frameType is the type of a frame (RFC 9113, section 6).
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

// These are the flags of frames.
const (
	flagEndStream  = 0x1
	flagAck        = 0x1
	flagEndHeaders = 0x4
	flagPadded     = 0x8
	flagPriority   = 0x20
)

// These are the lengths of the parts of frames.
const (
	headBytes     = 9
	pingBytes     = 8
	resetBytes    = 4
	windowBytes   = 4
	priorityBytes = 5
	goAwayBytes   = 8
	settingBytes  = 6
)

// frameBytes is the longest payload, in both directions: every peer must take this length, and may not send more unless it is
// allowed to.
const frameBytes = 16 << 10

// largestID is the largest id of a stream, and largestWindow is the largest window.
const (
	largestID     = 1<<31 - 1
	largestWindow = 1<<31 - 1
)

// head is the start of a frame.
type head struct {
	length int
	kind   frameType
	flags  uint8
	stream uint32
}

func (h head) has(flag uint8) bool { return h.flags&flag != 0 }

// parseHead reads the head of a frame. It ignores the reserved bit of the stream's id.
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

// splitFrames makes frames of a payload that begins behind room for a head at start and ends with the bytes: several frames if the
// payload is longer than a frame may be. The first frame has kind and flags, the other frames have the kind next without flags, and
// the last frame also has the flags last.
func splitFrames(to []byte, start int, kind, next frameType, flags, last uint8, stream uint32) []byte {
	payload := len(to) - start - headBytes
	if payload <= frameBytes {
		putHead(to[start:], payload, kind, flags|last, stream)
		return to
	}
	// Heads are put between the parts, and the parts move, the last one first.
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

// String returns HTTP/2's name of the code.
func (c ErrorCode) String() string {
	if int(c) < len(errorCodeNames) {
		return errorCodeNames[c]
	}
	return fmt.Sprintf("ERROR_CODE(%d)", uint32(c))
}
