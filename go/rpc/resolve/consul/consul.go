// Package consul finds instances of services in Consul, by the HTTP API of an agent: the instances whose checks pass, with their
// weights. It learns of a change at once, by blocking queries.
package consul

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"hone/go/internal/wait"
	"hone/go/rpc/resolve"
)

// Resolver is a [resolve.Resolver]. It keeps the last list while Consul cannot be reached.
type Resolver struct {
	// Address is the address of the agent. "" means http://127.0.0.1:8500.
	Address string
	// Token is the token of an ACL; "" means none.
	Token string
	// Datacenter is where instances are looked for. "" means the agent's own.
	Datacenter string
	// Client sends the requests. Nil means http.DefaultClient.
	Client *http.Client
	// Wait is the time that a query may wait for a change. 0 means 5 minutes.
	Wait time.Duration
	// Retry is the wait after a failure. 0 means 1 s.
	Retry time.Duration
}

// leastPause is the time between two queries that are answered at once.
const leastPause = 100 * time.Millisecond

// maxAnswerBytes is the longest answer.
const maxAnswerBytes = 16 << 20

// Watch implements [resolve.Resolver]. It returns the error of an agent's address that is wrong, or of an empty name.
func (r Resolver) Watch(ctx context.Context, service string, tell func(resolve.Update)) error {
	if r.Address == "" {
		r.Address = "http://127.0.0.1:8500"
	}
	if r.Client == nil {
		r.Client = http.DefaultClient
	}
	if r.Wait <= 0 {
		r.Wait = 5 * time.Minute
	}
	if r.Retry <= 0 {
		r.Retry = time.Second
	}
	at, err := url.Parse(r.Address)
	if err != nil || at.Host == "" || service == "" {
		return fmt.Errorf("consul: service %q of the agent %q: write a name, and an address such as http://127.0.0.1:8500", service, r.Address)
	}
	at = at.JoinPath("v1/health/service", url.PathEscape(service))
	teller := resolve.NewTeller(tell)
	for index := uint64(0); ctx.Err() == nil; {
		began := time.Now()
		instances, next, err := r.ask(ctx, *at, index)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			teller.Failed(fmt.Errorf("consul: service %q: %w", service, err))
			// The next query asks for all instances again, whatever has changed meanwhile.
			index = 0
			wait.For(ctx, r.Retry)
		default:
			teller.Found(instances)
			// An index that goes back belongs to a server that was set up anew.
			if index = next; next < 1 {
				index = 1
			}
			// An agent that does not wait, or whose instances change all the time, is not asked without end.
			if least := min(r.Retry, leastPause); time.Since(began) < least {
				wait.For(ctx, least)
			}
		}
	}
	return nil
}

// ask asks for the instances, once they differ from those at an index.
func (r Resolver) ask(ctx context.Context, at url.URL, index uint64) ([]resolve.Instance, uint64, error) {
	query := url.Values{"passing": {"1"}}
	if r.Datacenter != "" {
		query.Set("dc", r.Datacenter)
	}
	if index > 0 {
		query.Set("index", strconv.FormatUint(index, 10))
		query.Set("wait", strconv.Itoa(int(r.Wait.Seconds()))+"s")
	}
	at.RawQuery = query.Encode()
	// Consul adds up to a sixteenth of the wait at random.
	ctx, stop := context.WithTimeout(ctx, r.Wait+r.Wait/8+10*time.Second)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, 0, err
	}
	if r.Token != "" {
		request.Header.Set("X-Consul-Token", r.Token)
	}
	answer, err := r.Client.Do(request)
	if err != nil {
		return nil, 0, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswerBytes+1))
	switch {
	case err != nil:
		return nil, 0, err
	case len(text) > maxAnswerBytes:
		return nil, 0, fmt.Errorf("the answer is longer than %d bytes", maxAnswerBytes)
	case answer.StatusCode != http.StatusOK:
		return nil, 0, fmt.Errorf("the agent answers %s: %.200q", answer.Status, text)
	}
	next, err := strconv.ParseUint(answer.Header.Get("X-Consul-Index"), 10, 64)
	if err != nil {
		return nil, 0, fmt.Errorf("the answer has no X-Consul-Index; look whether %s is an agent of Consul", at.Host)
	}
	instances, err := read(text)
	if next < index {
		next = 0
	}
	return instances, next, err
}

// entry is an instance in the form of Consul's API (https://developer.hashicorp.com/consul/api-docs/health).
type entry struct {
	Node    struct{ Node, Address string }
	Service struct {
		Address string
		Port    int
		Meta    map[string]string
		Weights struct{ Passing uint32 }
	}
}

// read reads an answer. The fields of an instance's Meta become its tags; its node becomes its machine.
func read(text []byte) ([]resolve.Instance, error) {
	var entries []entry
	if err := json.Unmarshal(text, &entries); err != nil {
		return nil, err
	}
	var all []resolve.Instance
	for _, one := range entries {
		host := one.Service.Address
		if host == "" {
			host = one.Node.Address
		}
		made := resolve.Instance{Address: net.JoinHostPort(host, strconv.Itoa(one.Service.Port)), Weight: one.Service.Weights.Passing, Tags: map[string]string{}}
		if err := resolve.CheckAddress(made.Address); err != nil {
			return nil, fmt.Errorf("node %q: %w", one.Node.Node, err)
		}
		if made.Weight == 0 {
			// Consul's own default is 1; servers before 1.2.3 send no weight.
			made.Weight = 1
		}
		for name, value := range one.Service.Meta {
			made.Tags[name] = value
		}
		if made.Tags[resolve.Machine] == "" && one.Node.Node != "" {
			made.Tags[resolve.Machine] = one.Node.Node
		}
		all = append(all, made)
	}
	return all, nil
}
