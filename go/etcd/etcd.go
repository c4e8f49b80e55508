// Package etcd finds and registers instances of services in etcd. An instance is a key /services/NAME/ADDRESS with a value of JSON,
// {"weight": 100, "tags": {"zone": "a"}}, that lives as long as a lease which the instance keeps alive.
//
// [Resolver] is one of hone/go/rpc/resolve. [Registry] keeps an instance registered. Neither starts a goroutine of its own: both run in the
// caller's until a context ends. The client is the caller's too: make it of [Config], which reconnects within seconds.
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
	// Prefix of all keys. Empty is /services/.
	Prefix string
	// Timeout of one request. 0 is 5 s.
	Timeout time.Duration
	// Retry is the wait after a failure. 0 is 1 s.
	Retry time.Duration
	// TTL of a registration: how long an instance that was killed is still found. 0 is 10 s; etcd takes whole seconds.
	TTL time.Duration
	// Resync is how often a resolver reads all instances, beside watching their changes: a watch does not notice that etcd was set back to
	// an earlier state. 0 is one minute.
	Resync time.Duration
	// Hold is how long a resolver keeps its list after etcd was set back or lost its data, while instances register again. 0 is 30 s.
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

// Config is that of a client which finds etcd again within three seconds after it is back: gRPC's own waits grow to two minutes. Set
// credentials in it and give it to clientv3.New.
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

// directory is the prefix of the keys of a service.
func (o Options) directory(service string) (string, error) {
	if service == "" || strings.Contains(service, "/") {
		return "", fmt.Errorf("etcd: the service %q is empty or has a slash; write a name such as hello or shop.Orders", service)
	}
	return o.Prefix + service + "/", nil
}

// value is what stands at the key of an instance.
type value struct {
	// Weight is a pointer, so that a missing one is told from 0.
	Weight *uint32           `json:"weight,omitempty"`
	Tags   map[string]string `json:"tags,omitempty"`
}

// read makes an instance of its address and value.
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
