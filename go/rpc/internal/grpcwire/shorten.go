package grpcwire

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// The names of the fields that tell a status.
const (
	StatusField  = "grpc-status"
	MessageField = "grpc-message"
	DetailsField = "grpc-status-details-bin"
)

// FieldOverhead is what a field counts beside its name and value (RFC 7541, section 4.1).
const FieldOverhead = 32

// Bytes is how long the fields of the status are, as HTTP/2 counts them.
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

// percentBytes is how long a message is as a value of grpc-message.
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

// Shorten gives the status with a message and details whose fields have at most so many bytes, as [Status.Bytes] counts them; false where
// not even the code has room. Details are left out from the last to the first while less than half of the room is the message's; then the
// message is cut between two characters, and says so.
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
		// What the message needs where it is told twice.
		message, isWhole := s.cut(d, room)
		if isWhole || len(d.list) == 0 || 2*(room-d.bytes(0)) >= room {
			if message == "" && s.Message != "" && len(d.list) > 0 {
				continue
			}
			return Status{Code: s.Code, Message: message, Details: d.write(message)}, true
		}
	}
}

// CutMark is what stands at the end of a text that was cut.
func CutMark(whole string) string {
	return fmt.Sprintf(" ... (cut: the text has %d bytes)", len(whole))
}

// cut gives as much of the message as there is room for beside details.
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

// total is how long the fields of a message and of details are.
func total(d details, escaped, raw int) (bytes int) {
	if raw > 0 {
		bytes = messageBytes(escaped)
	}
	return bytes + d.bytes(raw)
}

// The fields of google.rpc.Status that matter here: the text, which is told there again, and each detail.
const (
	richMessage = 2
	richDetail  = 3
)

// details are what a google.rpc.Status tells: its details, each with its tag and length, and all else but the message.
type details struct {
	rest []byte
	list [][]byte
}

// readDetails reads a google.rpc.Status. What cannot be read has no details.
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

// bytes is how long the field is with a message of so many bytes; 0 without details.
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

// write gives a google.rpc.Status with a message; nil without details.
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
