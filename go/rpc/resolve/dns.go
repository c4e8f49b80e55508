package resolve

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// DNS finds instances in DNS, again and again at an interval. A service is either host:port, for the addresses of a host (A and
// AAAA records), or a name that begins with an underscore, such as _hello._tcp.example.org, for SRV records (RFC 2782).
//
// It takes only the SRV records of the lowest priority, with their weights; each address of a target is an instance with the tag
// [Host].
type DNS struct {
	// Lookup makes the queries. Nil means net.DefaultResolver.
	Lookup Lookup
	// Interval is the time between looks. 0 means 30 s: Go does not tell the records' times to live.
	Interval time.Duration
	// Timeout is the time limit of one look. 0 means 5 s.
	Timeout time.Duration
	// Network is ip, ip4 or ip6. "" means ip.
	Network string
	// After is the clock, like time.After; nil means time.After.
	After func(time.Duration) <-chan time.Time
}

// Lookup has the methods of *net.Resolver that DNS needs.
type Lookup interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
	LookupSRV(ctx context.Context, service, proto, name string) (cname string, addrs []*net.SRV, err error)
}

const (
	defaultInterval = 30 * time.Second
	defaultTimeout  = 5 * time.Second
	// firstRetry is the wait after a first failure; it doubles up to the interval.
	firstRetry = time.Second
)

// Watch implements [Resolver]. It returns the error of a name that cannot be looked up.
func (d DNS) Watch(ctx context.Context, service string, tell func(Update)) error {
	look, err := d.lookFor(service)
	if err != nil {
		return err
	}
	interval, timeout := d.Interval, d.Timeout
	if interval <= 0 {
		interval = defaultInterval
	}
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	teller, retry := NewTeller(tell), firstRetry
	for {
		looking, stop := context.WithTimeout(ctx, timeout)
		instances, err := look(looking)
		stop()
		pause := interval
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			teller.Failed(fmt.Errorf("resolve: DNS of %q: %w", service, err))
			pause = min(retry, interval)
			retry = min(2*retry, interval)
		default:
			teller.Found(instances)
			retry = firstRetry
		}
		if !wait(ctx, d.After, pause) {
			return nil
		}
	}
}

// lookFor returns the function that looks for a service.
func (d DNS) lookFor(service string) (func(context.Context) ([]Instance, error), error) {
	if d.Lookup == nil {
		d.Lookup = net.DefaultResolver
	}
	if d.Network == "" {
		d.Network = "ip"
	}
	if strings.HasPrefix(service, "_") {
		return func(ctx context.Context) ([]Instance, error) { return d.records(ctx, service) }, nil
	}
	_, isPath := hasPath(service)
	if err := CheckAddress(service); err != nil || isPath {
		return nil, fmt.Errorf("resolve: DNS cannot be asked for %q; write host:port, or _service._tcp.domain for SRV records", service)
	}
	host, port, _ := net.SplitHostPort(service)
	return func(ctx context.Context) ([]Instance, error) {
		addresses, err := d.addresses(ctx, host)
		var instances []Instance
		for _, address := range addresses {
			instances = append(instances, Instance{Address: net.JoinHostPort(address, port), Weight: DefaultWeight, Tags: map[string]string{Host: host}})
		}
		return instances, err
	}, nil
}

// records returns the instances of SRV records.
func (d DNS) records(ctx context.Context, name string) ([]Instance, error) {
	_, records, err := d.Lookup.LookupSRV(ctx, "", "", name)
	if err != nil {
		return nil, err
	}
	var instances []Instance
	isWeighted := false
	for _, record := range records {
		// The records come in the order of their priorities.
		if record.Priority != records[0].Priority {
			break
		}
		isWeighted = isWeighted || record.Weight > 0
	}
	for _, record := range records {
		if record.Priority != records[0].Priority {
			break
		}
		target := strings.TrimSuffix(record.Target, ".")
		addresses, err := d.addresses(ctx, target)
		if err != nil {
			return nil, fmt.Errorf("target %s: %w", target, err)
		}
		weight := uint32(DefaultWeight)
		if isWeighted {
			// RFC 2782: a weight of 0 means a very small chance, not none.
			weight = max(uint32(record.Weight), 1)
		}
		for _, address := range addresses {
			port := strconv.Itoa(int(record.Port))
			instances = append(instances, Instance{Address: net.JoinHostPort(address, port), Weight: weight, Tags: map[string]string{Host: target}})
		}
	}
	if len(instances) == 0 {
		return nil, fmt.Errorf("there are no SRV records; add them, or write host:port")
	}
	return instances, nil
}

func (d DNS) addresses(ctx context.Context, host string) ([]string, error) {
	found, err := d.Lookup.LookupNetIP(ctx, d.Network, host)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("the host has no addresses; add A or AAAA records")
	}
	var addresses []string
	for _, address := range found {
		// An address of IPv4 may come in the form of IPv6.
		addresses = append(addresses, address.Unmap().String())
	}
	return addresses, err
}
