package thrift_test

import (
	"errors"
	"io"
	"runtime"
	"testing"

	"hone/go/internal/sample/shop/api"
	"hone/go/thrift"
)

func TestANameIsReadWithoutItsNeighbours(t *testing.T) {
	const times = 100
	args := &api.ShopOrderArgs{Order: &api.Order{Items: make([]int64, 1000)}}
	message := thrift.Binary{}.AppendMessage(nil, thrift.Header{Method: "order", Type: thrift.Call}, args)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range times {
		if header, _, err := (thrift.Binary{}).ReadHeader(message); err != nil || header.Method != "order" {
			t.Fatal(header, err)
		}
	}
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 1000*times {
		t.Fatalf("%d bytes for each header", taken/times)
	}
}

func TestAHeaderThatEndsTooEarlyIsAnUnexpectedEnd(t *testing.T) {
	_, _, err := thrift.Binary{}.ReadHeader([]byte("\x80\x01\x00\x01"))
	if !errors.Is(err, thrift.Truncated) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatal(err)
	}
}
