package agentclient

import (
	"math"
	"strconv"
	"testing"
	"time"
)

func TestEveryRangeOfNumbersHasItsForm(t *testing.T) {
	for _, number := range []struct {
		value float64
		text  string
	}{
		{0, "0"},
		{math.Copysign(0, -1), "0"},
		{-120, "-120"},
		{9_007_199_254_740_991, "9007199254740991"},
		{9_007_199_254_740_992, "9.007199254740992e15"},
		{-0.005, "-0.005"},
		{0.30000000000000004, "0.30000000000000004"},
		{0.00001, "0.00001"},
		{0.0000099, "9.9e-6"},
		{1e300, "1e300"},
		{1e100, "1e100"},
		{-math.MaxFloat64, "-1.7976931348623157e308"},
		{math.SmallestNonzeroFloat64, "5e-324"},
		{math.NaN(), ""},
		{math.Inf(-1), ""},
	} {
		var room room
		if text := string(room.number(number.value)); text != number.text {
			t.Errorf("%v is written %q, not %q", number.value, text, number.text)
		}
	}
}

func TestThousandthsAreTheShortestDecimals(t *testing.T) {
	for thousandths := -20_000; thousandths < 20_000; thousandths++ {
		var room room
		value := float64(thousandths) / 1000
		expected := strconv.FormatFloat(value, 'f', -1, 64)
		if text := string(room.number(value)); text != expected {
			t.Fatalf("%v is written %q", value, text)
		}
	}
}

func TestDurationsAreExact(t *testing.T) {
	for duration, expected := range map[time.Duration]string{
		-time.Second:            "0",
		0:                       "0",
		1:                       "0.000001",
		1500 * time.Microsecond: "1.5",
		20 * time.Millisecond:   "20",
	} {
		var room room
		if text := string(room.milliseconds(duration)); text != expected {
			t.Errorf("%v is written %q", duration, text)
		}
	}
}
