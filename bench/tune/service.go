package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"sync"
)

const (
	// structBytes and textBytes are the bytes of an entry on the heap.
	structBytes, textBytes = 32, 64
	// replaced is the number of entries that each request replaces, so that live memory changes over time.
	replaced = 64
	// orderItems makes a request's document some 24 KB long.
	orderItems = 200
)

// entry is live memory as caches have it: small, with pointers.
type entry struct {
	text []byte
	next *entry
}

// newEntries makes a list of entries, with texts of textBytes bytes.
func newEntries(count, textBytes int) *entry {
	var first *entry
	for range count {
		first = &entry{make([]byte, textBytes), first}
		first.text[0] = byte(count)
	}
	return first
}

// service answers requests: it reads a JSON document, changes it, writes it again, and puts new entries into its cache.
type service struct {
	document []byte
	mu       sync.Mutex
	cache    []*entry
	oldest   int
}

func newService(live uint64) (*service, error) {
	items := make([]map[string]any, orderItems)
	for i := range items {
		items[i] = map[string]any{"name": fmt.Sprintf("article %d of the list", i), "price": float64(i) + 0.5, "count": i % 7, "tags": []string{"new", "blue", "heavy"}}
	}
	document, err := json.Marshal(map[string]any{"items": items})
	if err != nil {
		return nil, err
	}
	s := &service{document: document, cache: make([]*entry, max(live/(structBytes+textBytes), replaced)/replaced)}
	for i := range s.cache {
		s.cache[i] = newEntries(replaced, textBytes)
	}
	return s, nil
}

func (s *service) ServeHTTP(answer http.ResponseWriter, _ *http.Request) {
	var order struct{ Items []map[string]any }
	if err := json.Unmarshal(s.document, &order); err != nil {
		http.Error(answer, err.Error(), http.StatusInternalServerError)
		return
	}
	sum := 0.0
	for _, item := range order.Items {
		sum += item["price"].(float64) * item["count"].(float64)
		item["sum"] = sum
	}
	fresh := newEntries(replaced, textBytes)
	s.mu.Lock()
	s.cache[s.oldest] = fresh
	s.oldest = (s.oldest + 1) % len(s.cache)
	s.mu.Unlock()
	text, err := json.Marshal(order)
	if err != nil {
		http.Error(answer, err.Error(), http.StatusInternalServerError)
		return
	}
	answer.Header().Set("Content-Length", fmt.Sprint(len(text)))
	answer.Write(text)
}

// serve answers until the process is killed.
func serve(socket, variant string, limit, live uint64) error {
	running, err := begin(variant, limit)
	if err != nil {
		return err
	}
	service, err := newService(live)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/", service)
	mux.HandleFunc("/stats", func(answer http.ResponseWriter, _ *http.Request) { json.NewEncoder(answer).Encode(running.stats()) })
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	return http.Serve(listener, mux)
}
