package agentclient

import (
	"math"
	"strconv"
	"time"
)

// A room has enough bytes for any number as text.
type room [32]byte

const (
	wholeMax      = 1 << 53
	fifteenDigits = 1_000_000_000_000_000
)

// number writes a number in the same way as the clients in other languages: whole numbers below 2^53 as digits, other numbers from 0.00001 up to 2^53
// as the shortest decimal that reads back as the same number, all others with an exponent. It returns nil if the number is not finite.
//
// Numbers with up to three decimal places are written by integer arithmetic, which is faster. The bytes are the same: no two decimals of up to 15
// digits are the same double.
func (r *room) number(value float64) []byte {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return nil
	}
	magnitude := math.Abs(value)
	if magnitude < wholeMax && float64(int64(value)) == value {
		return r.decimal(value < 0, uint64(magnitude), 0)
	}
	if magnitude < fifteenDigits/1000 {
		thousandths := uint64(magnitude*1000 + 0.5)
		if float64(thousandths)/1000 == magnitude {
			return r.decimal(value < 0, thousandths, 3)
		}
	}
	if magnitude >= 1e-5 && magnitude < wholeMax {
		return strconv.AppendFloat(r[:0], value, 'f', -1, 64)
	}
	return plainExponent(strconv.AppendFloat(r[:0], value, 'e', -1, 64))
}

// plainExponent removes the plus sign and leading zeros from an exponent, as in 1e+300 and 1e-07.
func plainExponent(text []byte) []byte {
	at := len(text) - 1
	for text[at] != 'e' {
		at--
	}
	kept := at + 1
	for from := at + 1; from < len(text); from++ {
		isLeading := text[from] == '+' || text[from] == '0' && (text[kept-1] == 'e' || text[kept-1] == '-')
		if !isLeading {
			text[kept] = text[from]
			kept++
		}
	}
	return text[:kept]
}

// decimal writes magnitude divided by 10 to the power of places, without trailing zeros.
func (r *room) decimal(isNegative bool, magnitude uint64, places int) []byte {
	for places > 0 && magnitude%10 == 0 {
		magnitude /= 10
		places--
	}
	at := len(r)
	for digits := 0; magnitude > 0 || digits <= places; digits++ {
		if digits == places && places > 0 {
			at--
			r[at] = '.'
		}
		at--
		r[at] = '0' + byte(magnitude%10)
		magnitude /= 10
	}
	if isNegative {
		at--
		r[at] = '-'
	}
	return r[at:]
}

// milliseconds writes a duration in milliseconds, to the nanosecond.
func (r *room) milliseconds(duration time.Duration) []byte {
	return r.decimal(false, uint64(max(duration, 0)), 6)
}
