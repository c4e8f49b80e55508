// Package resolve finds the instances of a service by its name: in a list of the program ([Static]), in DNS ([DNS]) or in a file that is
// watched ([File]). Others implement [Resolver], as hone/go/etcd does.
//
// A resolver never takes instances away because it cannot find out: if DNS does not answer or a file is wrong, the last list stays, and
// the error is told. It starts no goroutine; [Resolver.Watch] runs in the caller's.
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

// Instance of a service.
type Instance struct {
	// Address to dial: host:port, or unix: or shm: and the path of a socket.
	Address string
	// Weight is the share of calls in relation to others'. 0 gets none, unless all are 0.
	Weight uint32
	// Tags tell what else is known, such as [Zone], [Host] and [Machine].
	Tags map[string]string
}

// DefaultWeight is that of instances of which nothing else is said.
const DefaultWeight = 100

// Names of tags that resolvers set and policies read.
const (
	// Zone is where the instance runs.
	Zone = "zone"
	// Host is the name of its machine, which TLS checks.
	Host = "host"
	// Machine is what instances on one machine have in common, whatever name or address they are reached by. Lists, files and etcd tell it; DNS cannot.
	Machine = "machine"
	// SharedMemory is the path of a socket at which the instance shares memory with clients on its machine, beside its address.
	SharedMemory = "shm"
)

// Update is what a resolver tells.
type Update struct {
	// Instances are all that there are, in the order of their addresses, each address once. The receiver must not change them. Nil with an Err.
	Instances []Instance
	// Err tells why the instances could not be found out. Those of the last update stay.
	Err error
}

// Resolver finds instances.
type Resolver interface {
	// Watch tells the instances of a service, first those that there are and then each change, until ctx ends: then it returns nil. It
	// returns an error only if it could never tell any. tell is called by one goroutine at a time.
	Watch(ctx context.Context, service string, tell func(Update)) error
}

// Static knows instances by the name of their service.
type Static map[string][]Instance

// Addresses are instances of the default weight.
func Addresses(addresses ...string) []Instance {
	var instances []Instance
	for _, address := range addresses {
		instances = append(instances, Instance{Address: address, Weight: DefaultWeight})
	}
	return instances
}

// Watch implements [Resolver]. The error is that of a service that the list lacks, or of an address that cannot be one.
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

// pathNetworks are what addresses begin with that are paths of sockets.
var pathNetworks = []string{"unix:", "shm:"}

// hasPath is whether an address is the path of a socket, and which.
func hasPath(address string) (path string, is bool) {
	for _, network := range pathNetworks {
		if path, is = strings.CutPrefix(address, network); is {
			return path, true
		}
	}
	return "", false
}

// CheckAddress is the error of an address that is none of host:port, unix:PATH and shm:PATH.
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

// sorted is a copy in the order of addresses. Of an address that comes twice the first is left.
func sorted(instances []Instance) []Instance {
	instances = slices.Clone(instances)
	slices.SortStableFunc(instances, func(a, b Instance) int { return strings.Compare(a.Address, b.Address) })
	return slices.CompactFunc(instances, func(a, b Instance) bool { return a.Address == b.Address })
}

// Equal is true if two lists are the same, in the same order.
func Equal(a, b []Instance) bool {
	return slices.EqualFunc(a, b, func(a, b Instance) bool {
		return a.Address == b.Address && a.Weight == b.Weight && maps.Equal(a.Tags, b.Tags)
	})
}

// Teller tells only what is new: it is for resolvers, which look at a whole list again and again.
type Teller struct {
	tell     func(Update)
	last     []Instance
	hasTold  bool
	lastText string
}

// NewTeller tells by a function.
func NewTeller(tell func(Update)) *Teller { return &Teller{tell: tell} }

// Found tells the instances, unless they are those of the last time and no error has been told since.
func (t *Teller) Found(instances []Instance) {
	instances = sorted(instances)
	if t.hasTold && t.lastText == "" && Equal(instances, t.last) {
		return
	}
	t.last, t.hasTold, t.lastText = instances, true, ""
	t.tell(Update{Instances: instances})
}

// Failed tells an error with what it means for the instances, unless it is that of the last time.
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

// wait is true after a time, and false if ctx ends before.
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
