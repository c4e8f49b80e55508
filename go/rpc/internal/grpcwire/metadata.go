package grpcwire

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// binarySuffix is the end of the names of metadata whose values are bytes.
const binarySuffix = "-bin"

// IsBinary reports whether values of this name are written in base64.
func IsBinary(name string) bool { return strings.HasSuffix(name, binarySuffix) }

// AppendBinary appends the value of a -bin field, without padding.
func AppendBinary(to []byte, value []byte) []byte {
	return base64.RawStdEncoding.AppendEncode(to, value)
}

// ParseBinary reads one value of a -bin field, with or without padding.
//
// # Errors
//
// The error of a value that is not base64.
func ParseBinary(value string) ([]byte, error) {
	decoded, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(value, "="))
	if err != nil {
		return nil, fmt.Errorf("a value of a -bin field is not base64: %w", err)
	}
	return decoded, nil
}

// ParseBinaries reads the values of a -bin field. There may be several with commas between them.
//
// # Errors
//
// The error of a value that is not base64.
func ParseBinaries(value string) ([][]byte, error) {
	var all [][]byte
	for more := true; more; {
		var one string
		one, value, more = strings.Cut(value, ",")
		decoded, err := ParseBinary(strings.TrimSpace(one))
		if err != nil {
			return nil, err
		}
		all = append(all, decoded)
	}
	return all, nil
}

// IsReserved reports whether HTTP/2 or gRPC uses a name itself, so that users may not send it as metadata. A few of gRPC's names
// are for users.
func IsReserved(name string) bool {
	switch name {
	case "grpc-retry-pushback-ms", "grpc-previous-rpc-attempts", "grpc-tags-bin", "grpc-trace-bin":
		return false
	}
	if strings.HasPrefix(name, ":") || strings.HasPrefix(name, "grpc-") {
		return true
	}
	switch name {
	case "content-type", "user-agent", "te", "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
		"host", "content-length":
		return true
	}
	return false
}

// CheckName returns the error of a name of metadata that is not allowed: a name must have lower-case letters, digits and -, _ and .
// only, and not be reserved.
func CheckName(name string) error {
	if name == "" {
		return fmt.Errorf("metadata has an empty name: give it one")
	}
	if IsReserved(name) {
		return fmt.Errorf("metadata may not be called %.100q, which gRPC uses itself: choose another name", name)
	}
	for i := 0; i < len(name); i++ {
		if c := name[i]; !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.') {
			return fmt.Errorf("metadata may not be called %.100q: names have lower-case letters, digits, -, _ and . only", name)
		}
	}
	return nil
}

// CheckText returns the error of a value of metadata that is not binary and is not allowed: the value must be printable ASCII.
func CheckText(name, value string) error {
	for i := 0; i < len(value); i++ {
		if c := value[i]; c < firstPlain || c > lastPlain {
			return fmt.Errorf("the value of metadata %.100q has bytes that are not printable ASCII: end its name with -bin", name)
		}
	}
	return nil
}
