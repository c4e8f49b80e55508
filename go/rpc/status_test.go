package rpc_test

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"hone/go/rpc"
	"hone/go/thrift"
)

func TestAnErrorOfTheServicesOwnComesToTheCallerOverEveryWire(t *testing.T) {
	eachWire(t, func(t *testing.T, s *setting) {
		_, err := s.shopper.Find(background, -7, nil)
		var told *rpc.Error
		if !errors.As(err, &told) || told.Stage != rpc.Answering || !strings.Contains(err.Error(), "status 404: no such shelf") {
			t.Fatal(err)
		}
		var status *rpc.BizStatusError
		var exception *thrift.ApplicationException
		switch {
		case s.client.Wire > rpc.TTHeaderCompact:
			if !errors.As(err, &exception) || exception.Type != thrift.InternalError {
				t.Fatal("a wire without a TTHeader has an exception:", err)
			}
		case told.Code != rpc.Unknown || !errors.As(err, &status) || status.Status != 404 || status.Message != "no such shelf" || !maps.Equal(status.Extra, map[string]string{"shelf": "7"}):
			t.Fatal(err)
		}
		if alive, err := s.shopper.Alive(background); !alive || err != nil {
			t.Fatal(err)
		}
	})
}

func TestALongErrorOfTheServicesOwnKeepsItsNumber(t *testing.T) {
	s := set(t, "tcp", rpc.TTHeader)
	_, err := s.shopper.Find(background, -8, nil)
	var status *rpc.BizStatusError
	if !errors.As(err, &status) || status.Status != 404 || !strings.HasPrefix(status.Message, "nonono") || !strings.Contains(status.Message, "cut: the text has") {
		t.Fatalf("%.300v", err)
	}
	if lost := s.awaitLost(t); !strings.Contains(lost.Error(), "return a shorter one") {
		t.Fatal(lost)
	}
}

func TestANilErrorOfTheServicesOwnIsAnErrorAllTheSame(t *testing.T) {
	s := set(t, "tcp", rpc.TTHeader)
	_, err := s.shopper.Find(background, -9, nil)
	var exception *thrift.ApplicationException
	if !errors.As(err, &exception) {
		t.Fatal(err)
	}
}
