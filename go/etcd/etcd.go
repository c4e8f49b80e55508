// Package etcd finds and registers instances of services in etcd. An instance is a key /services/NAME/ADDRESS with a value of JSON,
// {"weight": 100, "tags": {"zone": "a"}}, that lives as long as a lease which the instance keeps alive.
//
// [Resolver] is a resolver of hone/go/rpc/resolve. [Registry] keeps an instance registered. Neither starts a goroutine of its own: both run in the
// caller's until a context ends. The client is the caller's too: make it from [Config], which reconnects within seconds.
//
// It is a module of its own, so that programs without etcd do not have its dependencies.
package etcd

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"

	"hone/go/rpc/resolve"
)

// Options are common to [Resolver] and [Registry]. The zero value has the defaults.
type Options struct {
	// Prefix is the prefix of all keys. Empty means /services/.
	Prefix string
	// Timeout is the timeout of one request. 0 means 5 s.
	Timeout time.Duration
	// Retry is the wait after a failure. 0 means 1 s.
	Retry time.Duration
	// TTL is the time for which an instance is still found after it was killed. 0 means 10 s; etcd takes whole seconds.
	TTL time.Duration
	// Resync is the interval at which a resolver reads all instances, beside watching their changes: a watch does not notice that etcd was set back
	// to an earlier state. 0 means one minute.
	Resync time.Duration
	// Hold is the time for which a resolver keeps its list after etcd was set back or lost its data, while instances register again. 0 means 30 s.
	Hold time.Duration
}

func (o Options) withDefaults() Options {
	if o.Prefix == "" {
		o.Prefix = "/services/"
	}
	for _, d := range []struct {
		value    *time.Duration
		standard time.Duration
	}{{&o.Timeout, 5 * time.Second}, {&o.Retry, time.Second}, {&o.TTL, 10 * time.Second}, {&o.Resync, time.Minute}, {&o.Hold, 30 * time.Second}} {
		if *d.value <= 0 {
			*d.value = d.standard
		}
	}
	return o
}

// Config returns the configuration of a client that finds etcd again within three seconds after etcd is back: gRPC's own waits grow to two minutes.
// Set credentials in it and pass it to clientv3.New.
func Config(endpoints ...string) clientv3.Config {
	waits := backoff.DefaultConfig
	waits.MaxDelay = 3 * time.Second
	return clientv3.Config{
		Endpoints:            endpoints,
		DialTimeout:          5 * time.Second,
		DialKeepAliveTime:    10 * time.Second,
		DialKeepAliveTimeout: 5 * time.Second,
		DialOptions:          []grpc.DialOption{grpc.WithConnectParams(grpc.ConnectParams{Backoff: waits, MinConnectTimeout: 3 * time.Second})},
	}
}

// directory returns the prefix of the keys of a service.
func (o Options) directory(service string) (string, error) {
	if service == "" || strings.Contains(service, "/") {
		return "", fmt.Errorf("etcd: the service %q is empty or has a slash; write a name such as hello or shop.Orders", service)
	}
	return o.Prefix + service + "/", nil
}

// value is the JSON value of an instance's key.
type value struct {
	// Weight is a pointer, to distinguish a missing weight from 0.
	Weight *uint32           `json:"weight,omitempty"`
	Tags   map[string]string `json:"tags,omitempty"`
}

// read returns an instance with an address and the value of its key.
func read(address string, text []byte) (resolve.Instance, error) {
	instance := resolve.Instance{Address: address, Weight: resolve.DefaultWeight}
	if err := resolve.CheckAddress(address); err != nil {
		return instance, err
	}
	var v value
	if err := json.Unmarshal(text, &v); err != nil {
		return instance, fmt.Errorf(`the value of %s is wrong, write {"weight": 100, "tags": {"zone": "a"}}: %w`, address, err)
	}
	if v.Weight != nil {
		instance.Weight = *v.Weight
	}
	instance.Tags = v.Tags
	return instance, nil
}
