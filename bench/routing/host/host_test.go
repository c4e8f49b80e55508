package main

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"hone/bench/routing/generated/shop"
	"hone/bench/routing/view"
)

// smallPlace returns a host with all callers and one of two instances, half of whose calls stay by local first.
func smallPlace(t *testing.T) *place {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	half, share := []float64{0.5, 0.5}, 0.525
	host := view.Host{
		Name: "a", Here: []int{1},
		Weights:     map[string][]float64{"local first": {1 - share, share}, "round robin": half, "naive local": {0, 1}},
		LocalShares: map[string]float64{"local first": share, "round robin": 0.5, "naive local": 1},
	}
	service := &view.Service{
		Instances: []view.Instance{{Host: "b", Weight: 100}, {Host: "a", Weight: 100}},
		Callers:   []view.Caller{{Host: "a", Rate: 1}}, Hosts: []view.Host{host},
	}
	return &place{service, &service.Hosts[0], listener.Addr().(*net.TCPAddr).Port, t.TempDir()}
}

// The servers are left running: they end with their process.
func TestCallsOfEveryPolicyAreAnsweredOverEveryTransport(t *testing.T) {
	p := smallPlace(t)
	for _, instance := range []int{elsewhere, 1} {
		go p.serve(instance)
	}
	controls, err := p.controls()
	if err != nil {
		t.Fatal(err)
	}
	for _, control := range controls {
		defer control.Close()
	}
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	defer cancel()
	for policy := range p.host.Weights {
		for _, transport := range []string{"shm", "unix", "tcp"} {
			client, err := p.client(policy, transport)
			if err != nil {
				t.Fatal(policy, transport, err)
			}
			defer client.Close()
			for _, payload := range []string{small, echo, price} {
				one, err := callOf(shop.NewShopClient(client), payload)
				if err != nil {
					t.Fatal(err)
				}
				for range 10 {
					if err := one(ctx); err != nil {
						t.Fatal(policy, transport, payload, err)
					}
				}
			}
		}
	}
	if _, err := usageNow(controls); err != nil {
		t.Fatal(err)
	}
}

func TestAClientThatKeepsAnotherShareThanTheViewSaysIsRefused(t *testing.T) {
	p := smallPlace(t)
	p.host.LocalShares["local first"] = 0.7
	client, err := p.client("local first", "tcp")
	if err == nil || !strings.Contains(err.Error(), "the simulator 0.7") {
		t.Fatal(err)
	}
	client.Close()
}

func TestPoliciesAndPayloadsThatAreNotKnownAreRefused(t *testing.T) {
	if _, err := callOf(nil, "large"); err == nil {
		t.Error("payload large is taken")
	}
	if _, err := smallPlace(t).client("no policy", "shm"); err == nil {
		t.Error("policy \"no policy\" is taken")
	}
}
