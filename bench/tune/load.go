package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"
)

const (
	// mostConnections is the largest number of concurrent requests; later ones wait, and their time counts.
	mostConnections = 256
	// patience is the time that requests may take beyond the end. Slower ones count with the time that they had taken by then.
	patience = 10 * time.Second
)

// loaded is the result of the requests that were due in the counted time.
type loaded struct {
	Requests   int     `json:"requests"`
	Seconds    float64 `json:"seconds"`
	Finished   int     `json:"finished"` // before the end
	Errors     int     `json:"errors"`
	FirstError string  `json:"first_error,omitempty"`
	P50Ms      float64 `json:"p50_ms"`
	P99Ms      float64 `json:"p99_ms"`
	Before     stats   `json:"before"`
	After      stats   `json:"after"`
}

// loader makes requests at moments of a Poisson process, and counts their times from these moments.
type loader struct {
	client  *http.Client
	ctx     context.Context
	free    chan struct{}
	running sync.WaitGroup

	mu     sync.Mutex
	times  []time.Duration
	ends   []time.Time
	errors int
	first  error
}

func newLoader(ctx context.Context, socket string) *loader {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}
	return &loader{
		ctx: ctx, free: make(chan struct{}, mostConnections),
		client: &http.Client{Transport: &http.Transport{DialContext: dial, MaxIdleConnsPerHost: mostConnections, DisableCompression: true}},
	}
}

// load prints "begin" and "end" at the beginning and end of the counted time, and then the result.
func load(socket string, rate float64, warmUp, duration time.Duration) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	l := newLoader(ctx, socket)
	random := rand.New(rand.NewPCG(1, 2))
	l.arrive(random, rate, warmUp, false)
	before, err := l.stats()
	if err != nil {
		return err
	}
	fmt.Println("begin")
	began := time.Now()
	l.arrive(random, rate, duration, true)
	fmt.Println("end")
	ended := time.Now()
	time.AfterFunc(patience, cancel)
	l.running.Wait()
	after, err := l.stats()
	if err != nil {
		return err
	}
	result := l.result(ended)
	result.Seconds, result.Before, result.After = ended.Sub(began).Seconds(), before, after
	return json.NewEncoder(os.Stdout).Encode(result)
}

// arrive makes requests for a time.
func (l *loader) arrive(random *rand.Rand, rate float64, duration time.Duration, counts bool) {
	due := time.Now()
	for end := due.Add(duration); ; {
		due = due.Add(time.Duration(random.ExpFloat64() / rate * float64(time.Second)))
		if due.After(end) {
			time.Sleep(time.Until(end))
			return
		}
		time.Sleep(time.Until(due))
		began := due
		l.running.Go(func() { l.request(began, counts) })
	}
}

func (l *loader) request(due time.Time, counts bool) {
	err := l.wait(func() error { return l.get("/", nil) })
	ended := time.Now()
	if !counts {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.times = append(l.times, ended.Sub(due))
	if err == nil {
		l.ends = append(l.ends, ended)
		return
	}
	if l.errors++; l.first == nil {
		l.first = err
	}
}

// wait calls do once a connection is free.
func (l *loader) wait(do func() error) error {
	select {
	case l.free <- struct{}{}:
		defer func() { <-l.free }()
		return do()
	case <-l.ctx.Done():
		return l.ctx.Err()
	}
}

func (l *loader) get(path string, into any) error {
	request, err := http.NewRequestWithContext(l.ctx, http.MethodGet, "http://service"+path, nil)
	if err != nil {
		return err
	}
	answer, err := l.client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", path, answer.Status)
	}
	if into != nil {
		return json.NewDecoder(answer.Body).Decode(into)
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}

// stats requests the statistics of the service, also after the load was cut off.
func (l *loader) stats() (s stats, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	asking := loader{client: l.client, ctx: ctx}
	return s, asking.get("/stats", &s)
}

func (l *loader) result(ended time.Time) loaded {
	slices.Sort(l.times)
	result := loaded{Requests: len(l.times), Errors: l.errors, P50Ms: quantile(l.times, 0.5), P99Ms: quantile(l.times, 0.99)}
	for _, end := range l.ends {
		if !end.After(ended) {
			result.Finished++
		}
	}
	if l.first != nil {
		result.FirstError = l.first.Error()
	}
	return result
}

// quantile returns a quantile of sorted times, in ms: the smallest time that the given share of all times do not exceed.
func quantile(sorted []time.Duration, share float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	at := min(int(share*float64(len(sorted))), len(sorted)-1)
	return float64(sorted[at].Microseconds()) / 1000
}
