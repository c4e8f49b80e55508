package xds

import (
	"errors"
	"fmt"
	"math"

	"google.golang.org/protobuf/types/known/anypb"

	"hone/go/rpc/resolve"
)

// known holds the resources of a service that a control plane has sent so far, of each kind by name. It does no I/O: bytes in, values out.
type known struct {
	service   string
	listeners map[string]listener
	routes    map[string]route
	clusters  map[string]cluster
	endpoints map[string]assignment
	// gone holds the resources that the control plane has removed, or does not have.
	gone map[kind]map[string]bool
}

func newKnown(service string) *known {
	k := &known{service, map[string]listener{}, map[string]route{}, map[string]cluster{}, map[string]assignment{}, map[kind]map[string]bool{}}
	for _, one := range kinds {
		k.gone[one] = map[string]bool{}
	}
	return k
}

// goneError reports a resource that the control plane does not have.
type goneError struct {
	kind kind
	name string
}

// Error names the resource.
func (e *goneError) Error() string {
	return fmt.Sprintf("the control plane has no %s %q", short[e.kind], e.name)
}

// short holds the names of kinds in messages.
var short = map[kind]string{listeners: "listener", routes: "route", clusters: "cluster", endpoints: "endpoints"}

// take takes the usable part of an answer. The error describes the unusable resources, which stay as they were.
func (k *known) take(got answer) error {
	if short[got.kind] == "" {
		return fmt.Errorf("resources of type %q were not asked for", got.kind)
	}
	var refused []error
	came := map[string]bool{}
	for i, one := range got.resources {
		name, err := k.read(got.kind, one)
		if err != nil {
			refused = append(refused, fmt.Errorf("resources[%d] %s %q: %w", i, short[got.kind], name, err))
		}
		came[name] = true
		delete(k.gone[got.kind], name)
	}
	removed := got.removed
	if got.isWhole {
		for _, name := range k.wanted()[got.kind] {
			if !came[name] {
				removed = append(removed, name)
			}
		}
	}
	for _, name := range removed {
		k.gone[got.kind][name] = true
		k.forget(got.kind, name)
	}
	return errors.Join(refused...)
}

func (k *known) read(of kind, resource *anypb.Any) (name string, err error) {
	switch of {
	case listeners:
		return readInto(resource, k.listeners, k.readListener)
	case routes:
		return readInto(resource, k.routes, k.readRoute)
	case clusters:
		return readInto(resource, k.clusters, readCluster)
	}
	return readInto(resource, k.endpoints, readAssignment)
}

func readInto[T any](resource *anypb.Any, into map[string]T, read func(*anypb.Any) (string, T, error)) (string, error) {
	name, value, err := read(resource)
	if err == nil {
		into[name] = value
	}
	return name, err
}

func (k *known) forget(of kind, name string) {
	switch of {
	case listeners:
		delete(k.listeners, name)
	case routes:
		delete(k.routes, name)
	case clusters:
		delete(k.clusters, name)
	case endpoints:
		delete(k.endpoints, name)
	}
}

// wanted returns the names, known so far, of the resources that lead to the service's instances.
func (k *known) wanted() names {
	all := names{listeners: {k.service}}
	l, has := k.listeners[k.service]
	if !has {
		return all
	}
	to := l.route
	if l.routeName != "" {
		all[routes] = []string{l.routeName}
		if to, has = k.routes[l.routeName]; !has {
			return all
		}
	}
	inRoute, inCluster := map[string]bool{}, map[string]bool{}
	for _, one := range to {
		inRoute[one.cluster] = true
		if c, has := k.clusters[one.cluster]; has {
			inCluster[c.endpoints] = true
		}
	}
	all[clusters], all[endpoints] = sortedNames(inRoute), sortedNames(inCluster)
	return all
}

// need returns the error of a missing resource.
func (k *known) need(of kind, name string) error {
	if k.gone[of][name] {
		return &goneError{of, name}
	}
	return fmt.Errorf("%s %q has not come from the control plane; look whether it has one of that name", short[of], name)
}

// parts is the sum of the weights of all instances, apart from rounding.
const parts = 1_000_000

// instances returns the instances of the service: each gets its share of its locality, of its cluster, and of the route.
//
// # Errors
//
// The missing resource: a [goneError] if the control plane has said that it has none.
func (k *known) instances() ([]resolve.Instance, error) {
	l, has := k.listeners[k.service]
	if !has {
		return nil, k.need(listeners, k.service)
	}
	to := l.route
	if l.routeName != "" {
		if to, has = k.routes[l.routeName]; !has {
			return nil, k.need(routes, l.routeName)
		}
	}
	var all []resolve.Instance
	at := map[string]int{}
	for _, part := range to {
		c, has := k.clusters[part.cluster]
		if !has {
			return nil, k.need(clusters, part.cluster)
		}
		those, has := k.endpoints[c.endpoints]
		if !has {
			return nil, k.need(endpoints, c.endpoints)
		}
		for _, one := range those {
			weight := uint32(max(1, math.Round(part.share*one.share*parts)))
			if i, isThere := at[one.address]; isThere {
				all[i].Weight += weight
				continue
			}
			at[one.address] = len(all)
			instance := resolve.Instance{Address: one.address, Weight: weight}
			if one.zone != "" {
				instance.Tags = map[string]string{resolve.Zone: one.zone}
			}
			all = append(all, instance)
		}
	}
	return all, nil
}
