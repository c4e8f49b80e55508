package grpcwire

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Code says how a call ended (https://github.com/grpc/grpc/blob/master/doc/statuscodes.md).
type Code uint32

// All codes.
const (
	OK Code = iota
	Canceled
	Unknown
	InvalidArgument
	DeadlineExceeded
	NotFound
	AlreadyExists
	PermissionDenied
	ResourceExhausted
	FailedPrecondition
	Aborted
	OutOfRange
	Unimplemented
	Internal
	Unavailable
	DataLoss
	Unauthenticated
)

var codeNames = [...]string{
	"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED",
	"RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS",
	"UNAUTHENTICATED",
}

// String returns gRPC's name of the code.
func (c Code) String() string {
	if int(c) < len(codeNames) {
		return codeNames[c]
	}
	return fmt.Sprintf("CODE(%d)", uint32(c))
}

// ParseCode reads a value of grpc-status. It keeps numbers that are not known; it returns false if there is no number.
func ParseCode(value string) (Code, bool) {
	if len(value) == 1 && '0' <= value[0] && value[0] <= '9' {
		return Code(value[0] - '0'), true
	}
	number, err := strconv.ParseUint(value, 10, 32)
	if err != nil {
		return Unknown, false
	}
	return Code(number), true
}

// CodeOfHTTP returns the code of an answer that has no grpc-status, such as a proxy's answer, by its HTTP status
// (https://github.com/grpc/grpc/blob/master/doc/http-grpc-status-mapping.md).
func CodeOfHTTP(status string) Code {
	switch status {
	case "400":
		return Internal
	case "401":
		return Unauthenticated
	case "403":
		return PermissionDenied
	case "404":
		return Unimplemented
	case "429", "502", "503", "504":
		return Unavailable
	}
	return Unknown
}

// Status says how a call ended, with the service's message about that.
type Status struct {
	Code    Code
	Message string
	// Details are the value of grpc-status-details-bin: a message google.rpc.Status; empty where there are none.
	Details []byte
}

// Characters of grpc-message from firstPlain to lastPlain are written unchanged, except escape.
const (
	firstPlain = ' '
	lastPlain  = '~'
	escape     = '%'
)

const upperHex = "0123456789ABCDEF"

// AppendPercent appends a value of grpc-message. It writes every byte that is not printable ASCII as % and two digits.
func AppendPercent(to []byte, message string) []byte {
	for i := 0; i < len(message); i++ {
		if c := message[i]; c >= firstPlain && c <= lastPlain && c != escape {
			to = append(to, c)
		} else {
			to = append(to, escape, upperHex[c>>4], upperHex[c&15])
		}
	}
	return to
}

// ParsePercent reads a value of grpc-message. Bytes that are no escape stay as they are, and bytes that are not UTF-8 become
// U+FFFD.
func ParsePercent(value string) string {
	if strings.IndexByte(value, escape) < 0 {
		return value
	}
	message := make([]byte, 0, len(value))
	for i := 0; i < len(value); i++ {
		if value[i] == escape && i+2 < len(value) {
			if b, err := strconv.ParseUint(value[i+1:i+3], 16, 8); err == nil {
				message = append(message, byte(b))
				i += 2
				continue
			}
		}
		message = append(message, value[i])
	}
	if utf8.Valid(message) {
		return string(message)
	}
	return strings.ToValidUTF8(string(message), "\uFFFD")
}
