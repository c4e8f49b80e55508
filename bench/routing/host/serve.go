package main

import (
	"context"
	"slices"

	"hone/bench/gauge"
	"hone/bench/routing/generated/shop"
	"hone/bench/rpc/harness"
	"hone/go/rpc"
)

// handler is the service by which bench/rpc compares stacks.
type handler struct{}

// Echo implements shop.Shop.
func (handler) Echo(_ context.Context, request *shop.Text) (*shop.Text, error) {
	harness.Answered.Add(1)
	return request, nil
}

// Price implements shop.Shop.
func (handler) Price(_ context.Context, order *shop.Order) (*shop.Order, error) {
	harness.Answered.Add(1)
	order.Total = harness.Total(order.Items, order.Discounts, order.Headers, order.Related)
	return order, nil
}

// serve answers calls until the process ends.
func (p *place) serve(instance int) error {
	server := rpc.NewServer()
	shop.RegisterShop(server, handler{})
	if err := gauge.ServeControl(p.control(instance), new(harness.Control)); err != nil {
		return err
	}
	return server.Run(p.listening(instance)...)
}

// listening returns the addresses of an instance, or of all instances of other hosts.
func (p *place) listening(instance int) []string {
	if instance != elsewhere {
		return []string{"tcp://" + p.tcp(instance), "shm://" + p.socket(instance)}
	}
	var addresses []string
	for i := range p.service.Instances {
		if !slices.Contains(p.host.Here, i) {
			addresses = append(addresses, "tcp://"+p.tcp(i))
		}
	}
	return addresses
}
