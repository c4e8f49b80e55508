package grpcwire

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// mostTimeout is the largest number that grpc-timeout may have: eight digits.
const (
	mostTimeout   = 99999999
	timeoutDigits = 8
)

// units are the letters of grpc-timeout, the smallest first.
var units = [...]struct {
	letter byte
	length time.Duration
}{
	{'n', time.Nanosecond}, {'u', time.Microsecond}, {'m', time.Millisecond}, {'S', time.Second}, {'M', time.Minute}, {'H', time.Hour},
}

// AppendTimeout appends a value of grpc-timeout that is not shorter than the time that is left. It is 1 ns if no time is left.
func AppendTimeout(to []byte, left time.Duration) []byte {
	left = max(left, time.Nanosecond)
	for _, unit := range units {
		number := left / unit.length
		if left%unit.length > 0 {
			number++
		}
		if number <= mostTimeout {
			return append(strconv.AppendInt(to, int64(number), 10), unit.letter)
		}
	}
	return append(to, "99999999H"...)
}

// ParseTimeout reads a value of grpc-timeout. A value too long for time.Duration becomes the longest time.Duration.
//
// # Errors
//
// The error of a value that is not one to eight digits and a unit.
func ParseTimeout(value string) (time.Duration, error) {
	last := len(value) - 1
	if last < 1 || last > timeoutDigits {
		return 0, badTimeout(value)
	}
	number := int64(0)
	for _, digit := range []byte(value[:last]) {
		if digit < '0' || digit > '9' {
			return 0, badTimeout(value)
		}
		number = 10*number + int64(digit-'0')
	}
	for _, unit := range units {
		if unit.letter != value[last] {
			continue
		}
		if number > math.MaxInt64/int64(unit.length) {
			return math.MaxInt64, nil
		}
		return time.Duration(number) * unit.length, nil
	}
	return 0, badTimeout(value)
}

func badTimeout(value string) error {
	return fmt.Errorf("grpc-timeout is %.20q: it must be one to eight digits and one of n, u, m, S, M and H", value)
}
