package main

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"
)

func TestTheServiceAnswersWithADocumentAndKeepsItsCacheAtItsSize(t *testing.T) {
	s, err := newService(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	entries := len(s.cache)
	for range 3 {
		answer := httptest.NewRecorder()
		s.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/", nil))
		var order struct{ Items []map[string]any }
		if err := json.Unmarshal(answer.Body.Bytes(), &order); err != nil || len(order.Items) != orderItems || order.Items[1]["sum"] != 1.5 {
			t.Fatalf("%v, %d items", err, len(order.Items))
		}
	}
	if len(s.cache) != entries || s.oldest != 3%entries {
		t.Errorf("%d entries, after %d; the oldest is %d", len(s.cache), entries, s.oldest)
	}
}

func TestTimesOfRequestsCountFromWhenTheyWereDue(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	server := http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})}
	go server.Serve(listener)
	defer server.Close()
	l := newLoader(context.Background(), socket)
	l.request(time.Now().Add(-time.Hour), false)
	l.request(time.Now().Add(-time.Hour), true)
	if got := l.result(time.Now()); got.Requests != 1 || got.Finished != 1 || got.Errors != 0 || got.P99Ms < float64(time.Hour.Milliseconds()) {
		t.Errorf("%+v", got)
	}
}

func TestARequestWithoutAServiceIsAnError(t *testing.T) {
	l := newLoader(context.Background(), filepath.Join(t.TempDir(), "nobody"))
	l.request(time.Now(), true)
	if got := l.result(time.Now()); got.Errors != 1 || got.FirstError == "" || got.Finished != 0 {
		t.Errorf("%+v", got)
	}
}

func TestQuantilesAreOfAllTimes(t *testing.T) {
	times := make([]time.Duration, 100)
	for i := range times {
		times[i] = time.Duration(i+1) * time.Millisecond
	}
	if quantile(times, 0.5) != 51 || quantile(times, 0.99) != 100 || quantile(nil, 0.5) != 0 {
		t.Error(quantile(times, 0.5), quantile(times, 0.99), quantile(nil, 0.5))
	}
}

func TestAnUnknownVariantIsAnError(t *testing.T) {
	if _, err := begin("magic", 0); err == nil {
		t.Error("it is known")
	}
}

func TestTheSawtoothRisesToAPartOfItsLimit(t *testing.T) {
	const limit = 256 << 20
	if got := pieces(limit, high) * piece; got > limit*95/100 || got < limit*80/100 {
		t.Errorf("%d of %d bytes", got, limit)
	}
	if pieces(0, high) != 1 {
		t.Error("no room is no piece")
	}
}
