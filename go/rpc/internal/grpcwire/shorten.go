package grpcwire

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// These are the names of the fields of a status.
const (
	StatusField  = "grpc-status"
	MessageField = "grpc-message"
	DetailsField = "grpc-status-details-bin"
)

// FieldOverhead is the number of bytes that a field counts besides its name and value (RFC 7541, section 4.1).
const FieldOverhead = 32

// Bytes returns the length of the fields of the status, as HTTP/2 counts it.
func (s Status) Bytes() int {
	bytes := len(StatusField) + len(strconv.Itoa(int(s.Code))) + FieldOverhead
	if s.Message != "" {
		bytes += messageBytes(percentBytes(s.Message))
	}
	if len(s.Details) > 0 {
		bytes += detailsBytes(len(s.Details))
	}
	return bytes
}

func messageBytes(escaped int) int { return len(MessageField) + escaped + FieldOverhead }

func detailsBytes(raw int) int {
	return len(DetailsField) + base64.RawStdEncoding.EncodedLen(raw) + FieldOverhead
}

// percentBytes returns the length of a message as a value of grpc-message.
func percentBytes(message string) (bytes int) {
	for i := 0; i < len(message); i++ {
		if c := message[i]; c >= firstPlain && c <= lastPlain && c != escape {
			bytes++
		} else {
			bytes += 3
		}
	}
	return bytes
}

// Shorten returns the status with a message and details whose fields have at most so many bytes, as [Status.Bytes] counts them. It
// returns false if not even the code has room. Shorten leaves out details from the last to the first, while the message has less
// than half of the room. Then it cuts the message between two characters, and says so at the message's end.
func (s Status) Shorten(bytes int) (Status, bool) {
	bare := Status{Code: s.Code}
	if s.Bytes() <= bytes {
		return s, true
	}
	room := bytes - bare.Bytes()
	if room < 0 {
		return bare, false
	}
	for d := readDetails(s.Details); ; d.list = d.list[:len(d.list)-1] {
		// The message may be in two fields, and needs room in both.
		message, isWhole := s.cut(d, room)
		if isWhole || len(d.list) == 0 || 2*(room-d.bytes(0)) >= room {
			if message == "" && s.Message != "" && len(d.list) > 0 {
				continue
			}
			return Status{Code: s.Code, Message: message, Details: d.write(message)}, true
		}
	}
}

// CutMark returns the mark at the end of a text that was cut.
func CutMark(whole string) string {
	return fmt.Sprintf(" ... (cut: the text has %d bytes)", len(whole))
}

// cut returns as much of the message as there is room for besides the details.
func (s Status) cut(d details, room int) (message string, isWhole bool) {
	if total(d, percentBytes(s.Message), len(s.Message)) <= room {
		return s.Message, true
	}
	mark := CutMark(s.Message)
	end, escaped := 0, percentBytes(mark)
	if total(d, escaped, len(mark)) > room {
		return "", false
	}
	for end < len(s.Message) {
		_, size := utf8.DecodeRuneInString(s.Message[end:])
		escaped += percentBytes(s.Message[end : end+size])
		if total(d, escaped, end+size+len(mark)) > room {
			break
		}
		end += size
	}
	return s.Message[:end] + mark, false
}

// total returns the length of the fields of a message and of details.
func total(d details, escaped, raw int) (bytes int) {
	if raw > 0 {
		bytes = messageBytes(escaped)
	}
	return bytes + d.bytes(raw)
}

// These are the numbers of two fields of google.rpc.Status: the message, which is repeated there, and each detail.
const (
	richMessage = 2
	richDetail  = 3
)

// details are the parts of a google.rpc.Status: its details, each with its tag and length, and everything else except the message.
type details struct {
	rest []byte
	list [][]byte
}

// readDetails reads a google.rpc.Status. A status that cannot be read counts as one without details.
func readDetails(status []byte) (d details) {
	for len(status) > 0 {
		number, _, n := protowire.ConsumeField(status)
		if n < 0 {
			return details{}
		}
		switch number {
		case richMessage:
		case richDetail:
			d.list = append(d.list, status[:n])
		default:
			d.rest = append(d.rest, status[:n]...)
		}
		status = status[n:]
	}
	return d
}

// bytes returns the length of the field with a message of so many bytes; 0 without details.
func (d details) bytes(message int) int {
	if len(d.list) == 0 {
		return 0
	}
	raw := len(d.rest)
	if message > 0 {
		raw += protowire.SizeTag(richMessage) + protowire.SizeBytes(message)
	}
	for _, detail := range d.list {
		raw += len(detail)
	}
	return detailsBytes(raw)
}

// write makes a google.rpc.Status with a message; nil without details.
func (d details) write(message string) []byte {
	if len(d.list) == 0 {
		return nil
	}
	status := append([]byte(nil), d.rest...)
	if message != "" {
		status = protowire.AppendString(protowire.AppendTag(status, richMessage, protowire.BytesType), message)
	}
	for _, detail := range d.list {
		status = append(status, detail...)
	}
	return status
}
