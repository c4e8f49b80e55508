package grpcwire

import "strings"

// ContentType is that of messages whose encoding nobody names.
const ContentType = "application/grpc"

// ParseContentType gives what a content type says about messages, such as "proto", which is empty where it says nothing; false for one
// that is not gRPC's.
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

// Accepts is whether a value of grpc-accept-encoding has an encoding.
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
