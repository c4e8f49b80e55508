package grpcwire

import (
	"encoding/binary"
	"errors"
	"math"
)

// PrefixBytes is the length of the prefix before each message: a byte that is 1 for a compressed message, and the message's length.
const PrefixBytes = 5

// MostMessageBytes is the largest length that a prefix can hold.
const MostMessageBytes = math.MaxUint32

// ErrFlag is the error of a prefix whose first byte is neither 0 nor 1.
var ErrFlag = errors.New("a gRPC message begins with a byte other than 0 and 1: the peer does not send length-prefixed messages")

// PutPrefix writes the prefix of a message of so many bytes.
func PutPrefix(prefix []byte, bytes int, isCompressed bool) {
	prefix[0] = 0
	if isCompressed {
		prefix[0] = 1
	}
	binary.BigEndian.PutUint32(prefix[1:PrefixBytes], uint32(bytes))
}

// ReadPrefix reads a prefix. All its bytes must be there.
//
// # Errors
//
// [ErrFlag].
func ReadPrefix(prefix []byte) (bytes uint32, isCompressed bool, err error) {
	bytes = binary.BigEndian.Uint32(prefix[1:PrefixBytes])
	if prefix[0] > 1 {
		return bytes, false, ErrFlag
	}
	return bytes, prefix[0] == 1, nil
}
