package thrift_test

import (
	"math"
	"testing"

	"hone/go/internal/sample/shop/api"
	"hone/go/thrift"
)

func TestLimitsThatAreTooLargeForANumberAreNone(t *testing.T) {
	message := thrift.Marshal(&api.Item{ID: 1, Name: "a"})
	for _, limits := range []thrift.Limits{
		{Expansion: math.MaxInt, Depth: 64},
		{Expansion: 8, Slack: math.MaxInt, Depth: math.MaxInt},
	} {
		if err := thrift.UnmarshalWith(thrift.Options{Limits: limits}, message, new(api.Item)); err != nil {
			t.Errorf("%+v: %v", limits, err)
		}
	}
	if n := (thrift.Limits{Expansion: 8, Slack: 100}).Bytes(1000); n != 8100 {
		t.Error(n)
	}
	if n := (thrift.Limits{Expansion: -1, Slack: -1}).Bytes(1000); n != 0 {
		t.Error(n)
	}
}
