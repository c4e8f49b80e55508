package thriftwire

import (
	"encoding/binary"

	"hone/go/thrift"
)

// FrameKind is the kind of a frame of a stream: a message whose header has the flag [Streaming].
type FrameKind uint8

// All kinds.
const (
	// MetaFrame has news about the connection, such as its redirection.
	MetaFrame FrameKind = iota + 1
	// HeaderFrame opens a stream. From the server it has what the server sends before its first response.
	HeaderFrame
	// DataFrame has a message: a struct of the Binary protocol alone.
	DataFrame
	// TrailerFrame ends one direction: the client's requests, or, from the server, the stream as a whole.
	TrailerFrame
	// ResetFrame gives the stream up.
	ResetFrame
)

// CancelPath is the name, in a ResetFrame, of the services that a cancellation came by, separated by commas.
const CancelPath = "ttscp"

// frameKind is the number of the fact with the kind of a frame. headerStruct is the protocol that the header of a frame names.
const (
	frameKind    uint16 = 27
	headerStruct        = 0x10
)

// IsOfStream reports whether a message is a frame of a stream.
func (m *Message) IsOfStream() bool {
	return m.Form.Carrier.HasHeader() && m.Header.Flags&Streaming != 0
}

// Frame reads a message as a frame of a stream, and returns its kind and the function of the stream.
//
// # Errors
//
// A [HeaderError] of a frame that does not name its kind.
func (m *Message) Frame() (kind FrameKind, method string, err error) {
	m.Header.EachNumbered(func(key uint16, value []byte) {
		switch {
		case key == frameKind && len(value) == 1 && value[0] >= '1' && value[0] < '1'+byte(ResetFrame):
			kind = FrameKind(value[0] - '0')
		case key == ToMethod:
			method = string(value)
		}
	})
	if kind == 0 {
		return 0, "", &HeaderError{"a frame of a stream does not tell its kind"}
	}
	return kind, method, nil
}

// StreamFrame is a frame of a stream that is to be sent. It is a [link.Frame].
type StreamFrame struct {
	Kind     FrameKind
	Sequence int32
	Method   string
	// Body is the message of a DataFrame, and Exception is the reason why a stream does not end in order. Both may be nil.
	Body      thrift.Writer
	Exception *thrift.ApplicationException
	// Flags, Numbered and Named are written into the header.
	Flags    uint16
	Numbered []Numbered
	Named    []Named
	// MessageBytes is the longest frame in bytes, with its header.
	MessageBytes int
}

// AppendFrame implements [link.Frame].
//
// # Errors
//
// A [thrift.TooLongError]; [ErrLongFact].
func (f *StreamFrame) AppendFrame(to []byte) ([]byte, error) {
	start := len(to)
	numbered := append([]Numbered{{frameKind, string('0' + rune(f.Kind))}, {ToMethod, f.Method}}, f.Numbered...)
	to, err := appendHeader(to, f.Flags|Streaming, f.Sequence, headerStruct, numbered, f.Named)
	if err != nil {
		return to, err
	}
	switch {
	case f.Exception != nil:
		to = thrift.Binary{}.AppendMessage(to, thrift.Header{Method: f.Method, Type: thrift.Exception, Sequence: f.Sequence}, f.Exception)
	case f.Body != nil:
		to = thrift.Append(to, f.Body)
	}
	if len(to)-start > f.MessageBytes {
		return to[:start], &thrift.TooLongError{Bytes: len(to) - start, Limit: f.MessageBytes}
	}
	binary.BigEndian.PutUint32(to[start:], uint32(len(to)-start-lengthBytes))
	return to, nil
}

// StreamFrames are several frames, which are sent together or not at all.
type StreamFrames []*StreamFrame

// AppendFrame implements [link.Frame].
//
// # Errors
//
// The errors of the frames.
func (f StreamFrames) AppendFrame(to []byte) ([]byte, error) {
	start := len(to)
	for _, frame := range f {
		longer, err := frame.AppendFrame(to)
		if err != nil {
			return to[:start], err
		}
		to = longer
	}
	return to, nil
}
