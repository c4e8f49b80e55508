package main

import (
	"context"
	"reflect"
	"strings"

	grpcgo "google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/manual"

	"hone/go/rpc"
	"hone/go/rpc/health"
	"hone/go/thrift"
)

// client is a way to call hosts.
type client struct {
	name string
	dial func(addresses []string) (call func(context.Context) error, end func())
}

var clients = []client{
	{"grpc-go, round_robin", grpcGo},
	{"Hone, gRPC, least requests", hone(rpc.GRPC, rpc.Policies{})},
	{"Hone, gRPC, round robin", hone(rpc.GRPC, rpc.Policies{Balance: rpc.RoundRobin})},
	{"Hone, TTHeader, least requests", hone(rpc.TTHeader, rpc.Policies{})},
	{"Hone, TTHeader, round robin", hone(rpc.TTHeader, rpc.Policies{Balance: rpc.RoundRobin})},
	{"Hone, Framed, random", hone(rpc.Framed, rpc.Policies{Balance: rpc.Random})},
	{"Hone, TTHeader, consistent hash", hone(rpc.TTHeader, rpc.Policies{Balance: rpc.ConsistentHash})},
	{"Hone, TTHeader, round robin, probes", hone(rpc.TTHeader, probing(rpc.Policies{Balance: rpc.RoundRobin}))},
}

// probing makes clients probe new instances, if the measured version of Hone supports that.
func probing(policies rpc.Policies) rpc.Policies {
	if field := reflect.ValueOf(&policies).Elem().FieldByName("ProbeNew"); field.IsValid() {
		field.SetBool(true)
	}
	return policies
}

func hone(wire rpc.Wire, policies rpc.Policies) func([]string) (func(context.Context) error, func()) {
	return func(addresses []string) (func(context.Context) error, func()) {
		c := rpc.Dial("tcp://" + strings.Join(addresses, ",tcp://"))
		c.Wire, c.Policies = wire, policies
		call := func(ctx context.Context) error { return c.Call(ctx, "ping", new(thrift.Nothing), new(thrift.Nothing)) }
		if wire == rpc.GRPC {
			call = func(ctx context.Context) error {
				_, err := health.Check(ctx, c, "")
				return err
			}
		}
		return call, func() { c.Close() }
	}
}

func grpcGo(addresses []string) (func(context.Context) error, func()) {
	found := manual.NewBuilderWithScheme("hosts")
	var state resolver.State
	for _, address := range addresses {
		state.Addresses = append(state.Addresses, resolver.Address{Addr: address})
	}
	found.InitialState(state)
	conn, err := grpcgo.NewClient("hosts:///all", grpcgo.WithResolvers(found), grpcgo.WithTransportCredentials(insecure.NewCredentials()),
		grpcgo.WithDefaultServiceConfig(`{"loadBalancingConfig": [{"round_robin": {}}]}`))
	check(err)
	asked := healthpb.NewHealthClient(conn)
	call := func(ctx context.Context) error {
		_, err := asked.Check(ctx, &healthpb.HealthCheckRequest{})
		return err
	}
	return call, func() { conn.Close() }
}
