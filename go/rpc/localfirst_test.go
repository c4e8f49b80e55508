package rpc_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"hone/go/internal/sample/shop/api"
	"hone/go/rpc"
	"hone/go/rpc/policy/localfirst"
	"hone/go/rpc/resolve"
)

// machines are two machines with an instance of a shop each, and with callers: three on machine a, one on machine b.
type machines struct {
	instances []*counting
	resolver  resolve.Static
}

func setMachines(t *testing.T) *machines {
	t.Helper()
	m := &machines{resolver: resolve.Static{}}
	on := func(machine string) map[string]string { return map[string]string{resolve.Machine: machine} }
	for _, machine := range []string{"a", "b"} {
		address := filepath.Join(t.TempDir(), machine)
		m.instances = append(m.instances, startCounting(t, "unix://"+address))
		m.resolver["shop"] = append(m.resolver["shop"], resolve.Instance{Address: "unix:" + address, Weight: 100, Tags: on(machine)})
	}
	for i, machine := range []string{"a", "a", "a", "b"} {
		caller := resolve.Instance{Address: fmt.Sprintf("10.0.0.%d:80", 1+i), Weight: 100, Tags: on(machine)}
		m.resolver["web"] = append(m.resolver["web"], caller)
	}
	return m
}

// announced reports callers, and sends a value to told when a client has received them.
type announced struct {
	rpc.Callers
	told chan struct{}
}

func (a announced) Watch(ctx context.Context, service string, tell func([]localfirst.Caller)) error {
	return a.Callers.Watch(ctx, service, func(callers []localfirst.Caller) {
		tell(callers)
		a.told <- struct{}{}
	})
}

// client makes a client on a machine, and waits until it knows its instances and callers.
func (m *machines) client(t *testing.T, machine string, changes ...func(*rpc.Client)) (*rpc.Client, *api.ShopClient) {
	t.Helper()
	callers := announced{rpc.CallersOf(m.resolver, map[string]float64{"web": 1}), make(chan struct{}, 1)}
	client, shopper := m.dial(t, rpc.Policies{IsIdempotent: isFind, LocalFirst: &rpc.LocalFirst{Machine: machine, Callers: callers}})
	for _, change := range changes {
		change(client)
	}
	if _, err := shopper.Find(background, 1, nil); err != nil {
		t.Fatal(err)
	}
	<-callers.told
	client.AwaitAttempts()
	for _, one := range m.instances {
		one.calls.Store(0)
	}
	return client, shopper
}

func (m *machines) dial(t *testing.T, policies rpc.Policies) (*rpc.Client, *api.ShopClient) {
	t.Helper()
	client := rpc.Dial("shop")
	client.Resolver, client.Policies = m.resolver, policies
	t.Cleanup(func() { client.Close() })
	return client, api.NewShopClient(client)
}

func TestCallsStayOnTheirMachineAsFarAsItsInstanceHasRoom(t *testing.T) {
	m := setMachines(t)
	const calls = 1000
	for machine, want := range map[string]float64{"a": 0.7, "b": 1} {
		client, shopper := m.client(t, machine)
		if share, err := client.LocalShare(); err != nil || math.Abs(share-want) > 1e-9 {
			t.Fatal(machine, share, err)
		}
		for range calls {
			if _, err := shopper.Find(background, 1, nil); err != nil {
				t.Fatal(err)
			}
		}
		local := m.instances[strings.Index("ab", machine)].calls.Load()
		if share := float64(local) / calls; math.Abs(share-want) > 0.1 {
			t.Fatalf("of the calls from machine %s, %v stayed there", machine, share)
		}
	}
}

func TestCallsGoElsewhereWhenTheInstanceOfTheirMachineIsGone(t *testing.T) {
	m := setMachines(t)
	_, shopper := m.client(t, "b")
	m.instances[1].leaves()
	for range 20 {
		if _, err := shopper.Find(background, 1, nil); err != nil {
			t.Fatal(err)
		}
	}
	if elsewhere := m.instances[0].calls.Load(); elsewhere != 20 {
		t.Fatal(elsewhere)
	}
}

func TestWhereCallersCannotBeFoundCallsGoToAllInstancesAndTheClientTellsWhy(t *testing.T) {
	m := setMachines(t)
	client, shopper := m.dial(t, rpc.Policies{LocalFirst: &rpc.LocalFirst{Machine: "b", Callers: rpc.CallersOf(m.resolver, map[string]float64{"web": 1, "app": 1})}})
	if _, err := shopper.Find(background, 1, nil); err != nil {
		t.Fatal(err)
	}
	client.AwaitAttempts()
	for range 100 {
		if _, err := shopper.Find(background, 1, nil); err != nil {
			t.Fatal(err)
		}
	}
	if m.instances[0].calls.Load() == 0 || m.instances[1].calls.Load() == 0 {
		t.Fatal("an instance got none of 100 calls")
	}
	for {
		share, err := client.LocalShare()
		if err != nil && share == 0 && strings.Contains(err.Error(), `there is no service "app"; there are shop, web`) {
			return
		}
		runtime.Gosched()
	}
}

func TestLocalFirstSaysWhatItNeeds(t *testing.T) {
	m := setMachines(t)
	callers := rpc.CallersOf(m.resolver, map[string]float64{"web": 1})
	for want, policies := range map[string]rpc.Policies{
		`set it to the name that instances on this machine have in their tag "machine"`: {LocalFirst: &rpc.LocalFirst{Callers: callers}},
		"say where calls of the service come from":                                      {LocalFirst: &rpc.LocalFirst{Machine: "a"}},
		"take another Balance":    {LocalFirst: &rpc.LocalFirst{Machine: "a", Callers: callers}, Balance: rpc.ConsistentHash},
		"write a number below 1":  {LocalFirst: &rpc.LocalFirst{Machine: "a", Callers: callers, Options: localfirst.Options{Tolerance: 2}}},
		"set Policies.LocalFirst": {},
	} {
		client, _ := m.dial(t, policies)
		if _, err := client.LocalShare(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; expected is %q", err, want)
		}
	}
}
