// Package resolve finds the instances of a service by its name: in a list of the program ([Static]), in DNS ([DNS]) or in a file
// that it watches ([File]). Other packages implement [Resolver] too, such as hone/go/etcd.
//
// A resolver never takes instances away because it cannot find them out: if DNS does not answer or a file is wrong, the last list
// stays, and the resolver tells the error. It starts no goroutine; [Resolver.Watch] runs in the caller's.
package resolve

import (
	"context"
	"fmt"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Instance is an instance of a service.
type Instance struct {
	// Address is the address to dial: host:port, or unix: or shm: and the path of a socket.
	Address string
	// Weight is the share of calls in relation to other instances. An instance of weight 0 gets none, unless all weights are 0.
	Weight uint32
	// Tags have whatever else is known, such as [Zone], [Host] and [Machine].
	Tags map[string]string
}

// DefaultWeight is the weight of instances for which no weight is given.
const DefaultWeight = 100

// These are the names of tags that resolvers set and policies read.
const (
	// Zone is the zone where the instance runs.
	Zone = "zone"
	// Host is the name of the instance's machine, which TLS checks.
	Host = "host"
	// Machine is the same for all instances on one machine, whatever name or address they are reached by. Lists, files and etcd can
	// have it; DNS cannot.
	Machine = "machine"
	// SharedMemory is the path of a socket at which the instance shares memory with clients on its machine, besides its address.
	SharedMemory = "shm"
)

// Update is the news of a resolver.
type Update struct {
	// Instances are all present instances, in the order of their addresses, each address once. The receiver must not change them. They
	// are nil if there is an Err.
	Instances []Instance
	// Err says why the instances could not be found out. Those of the last update stay.
	Err error
}

// Resolver finds instances.
type Resolver interface {
	// Watch tells the instances of a service, first the present ones and then each change, until ctx ends: then it returns nil. It
	// returns an error only if it could never tell any instances. tell is called by one goroutine at a time.
	Watch(ctx context.Context, service string, tell func(Update)) error
}

// Static knows instances by the name of their service.
type Static map[string][]Instance

// Addresses makes instances of the default weight.
func Addresses(addresses ...string) []Instance {
	var instances []Instance
	for _, address := range addresses {
		instances = append(instances, Instance{Address: address, Weight: DefaultWeight})
	}
	return instances
}

// Watch implements [Resolver]. It returns the error of a service that the list lacks, or of an address that cannot be one.
func (s Static) Watch(ctx context.Context, service string, tell func(Update)) error {
	instances, isKnown := s[service]
	if !isKnown {
		return fmt.Errorf("resolve: %w", unknownService(service, slices.Collect(maps.Keys(s))))
	}
	for _, instance := range instances {
		if err := CheckAddress(instance.Address); err != nil {
			return fmt.Errorf("resolve: service %q: %w", service, err)
		}
	}
	tell(Update{Instances: sorted(instances)})
	<-ctx.Done()
	return nil
}

// pathNetworks are the starts of addresses that are paths of sockets.
var pathNetworks = []string{"unix:", "shm:"}

// hasPath reports whether an address is the path of a socket, and returns that path.
func hasPath(address string) (path string, is bool) {
	for _, network := range pathNetworks {
		if path, is = strings.CutPrefix(address, network); is {
			return path, true
		}
	}
	return "", false
}

// CheckAddress returns the error of an address that is neither host:port nor unix:PATH nor shm:PATH.
func CheckAddress(address string) error {
	if path, is := hasPath(address); is {
		if path == "" {
			return fmt.Errorf("address %q has no path; write unix:/run/hello.sock", address)
		}
		return nil
	}
	host, port, err := net.SplitHostPort(address)
	number, notNumber := strconv.ParseUint(port, 10, 16)
	if err != nil || host == "" || notNumber != nil || number == 0 {
		return fmt.Errorf("address %q is not host:port; write it as 10.0.0.1:9090, [::1]:9090, unix:/run/hello.sock or shm:/run/hello.sock", address)
	}
	return nil
}

func unknownService(service string, known []string) error {
	if len(known) == 0 {
		return fmt.Errorf("there is no service %q, nor any other", service)
	}
	slices.Sort(known)
	const most = 10
	more := ""
	if len(known) > most {
		more = fmt.Sprintf(" and %d others", len(known)-most)
		known = known[:most]
	}
	return fmt.Errorf("there is no service %q; there are %s%s", service, strings.Join(known, ", "), more)
}

// sorted returns a copy in the order of addresses. Of an address that comes twice it keeps the first.
func sorted(instances []Instance) []Instance {
	instances = slices.Clone(instances)
	slices.SortStableFunc(instances, func(a, b Instance) int { return strings.Compare(a.Address, b.Address) })
	return slices.CompactFunc(instances, func(a, b Instance) bool { return a.Address == b.Address })
}

// Equal reports whether two lists are the same, in the same order.
func Equal(a, b []Instance) bool {
	return slices.EqualFunc(a, b, func(a, b Instance) bool {
		return a.Address == b.Address && a.Weight == b.Weight && maps.Equal(a.Tags, b.Tags)
	})
}

// Teller tells only news: it is for resolvers that look at a whole list again and again.
type Teller struct {
	tell     func(Update)
	last     []Instance
	hasTold  bool
	lastText string
}

// NewTeller makes a Teller that calls a function with each update.
func NewTeller(tell func(Update)) *Teller { return &Teller{tell: tell} }

// Found tells the instances, unless they are the same as the last time and no error has been told since.
func (t *Teller) Found(instances []Instance) {
	instances = sorted(instances)
	if t.hasTold && t.lastText == "" && Equal(instances, t.last) {
		return
	}
	t.last, t.hasTold, t.lastText = instances, true, ""
	t.tell(Update{Instances: instances})
}

// Failed tells an error, with its meaning for the instances, unless the last error had the same text.
func (t *Teller) Failed(err error) {
	if err.Error() == t.lastText {
		return
	}
	t.lastText = err.Error()
	if t.hasTold {
		err = fmt.Errorf("%w (the last %d instances stay in use)", err, len(t.last))
	}
	t.tell(Update{Err: err})
}

// wait waits for a time and returns true. It returns false if ctx ends before.
func wait(ctx context.Context, after func(time.Duration) <-chan time.Time, d time.Duration) bool {
	if after == nil {
		after = time.After
	}
	select {
	case <-ctx.Done():
		return false
	case <-after(d):
		return ctx.Err() == nil
	}
}
