package grpcwire

import "strings"

// ContentType is the content type of messages whose encoding is not named.
const ContentType = "application/grpc"

// ParseContentType returns what a content type says about messages, such as "proto"; "" where it says nothing. It returns false for
// a content type that is not gRPC's.
func ParseContentType(value string) (subtype string, isGRPC bool) {
	if value == ContentType {
		return "", true
	}
	if len(value) < len(ContentType) || !strings.EqualFold(value[:len(ContentType)], ContentType) {
		return "", false
	}
	switch rest := value[len(ContentType):]; {
	case rest == "" || rest[0] == ';':
		return "", true
	case rest[0] == '+':
		subtype, _, _ = strings.Cut(rest[1:], ";")
		return strings.ToLower(strings.TrimSpace(subtype)), true
	}
	return "", false
}

// Accepts reports whether a value of grpc-accept-encoding has an encoding.
func Accepts(value, encoding string) bool {
	for more := true; more; {
		var one string
		one, value, more = strings.Cut(value, ",")
		if strings.TrimSpace(one) == encoding {
			return true
		}
	}
	return false
}
