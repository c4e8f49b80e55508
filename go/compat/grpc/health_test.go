package grpc

import (
	"testing"

	grpcgo "google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"
	theirhealth "google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"

	"hone/go/rpc"
	"hone/go/rpc/health"
)

const greeterService = "hone.greeter.v1.Greeter"

// serveHealth serves health by package rpc, and returns a client of grpc-go with the server.
func serveHealth(t *testing.T, options ...grpcgo.DialOption) (*rpc.Server, *health.Health, *theirClient) {
	t.Helper()
	var told *health.Health
	s := setting{ourServer: func(server *rpc.Server) { told = health.Register(server) }, theirClient: options}
	server, address := s.serveOurs(t, newWorld())
	return server, told, s.dialByTheirs(t, address)
}

func TestGRPCGoAsksForOurHealth(t *testing.T) {
	_, told, c := serveHealth(t)
	asking := healthpb.NewHealthClient(c.ClientConn)
	expect := func(service string, want healthpb.HealthCheckResponse_ServingStatus) {
		t.Helper()
		answer, err := asking.Check(within(t, patience), &healthpb.HealthCheckRequest{Service: service})
		if err != nil || answer.Status != want {
			t.Errorf("%q is %v, not %v (%v)", service, answer, want, err)
		}
	}
	expect("", healthpb.HealthCheckResponse_SERVING)
	expect(greeterService, healthpb.HealthCheckResponse_SERVING)
	told.Set(greeterService, health.NotServing)
	expect(greeterService, healthpb.HealthCheckResponse_NOT_SERVING)
	if _, err := asking.Check(within(t, patience), &healthpb.HealthCheckRequest{Service: "none"}); c.told(err).code != rpc.NotFound {
		t.Error(err)
	}
	all, err := asking.List(within(t, patience), new(healthpb.HealthListRequest))
	if err != nil || len(all.Statuses) != 3 || all.Statuses[greeterService].Status != healthpb.HealthCheckResponse_NOT_SERVING ||
		all.Statuses[""].Status != healthpb.HealthCheckResponse_SERVING {
		t.Error(all, err)
	}
}

func TestGRPCGoWatchesOurHealth(t *testing.T) {
	server, told, c := serveHealth(t)
	watch := func(service string) func(want healthpb.HealthCheckResponse_ServingStatus) {
		stream, err := healthpb.NewHealthClient(c.ClientConn).Watch(within(t, patience), &healthpb.HealthCheckRequest{Service: service})
		if err != nil {
			t.Fatal(err)
		}
		return func(want healthpb.HealthCheckResponse_ServingStatus) {
			t.Helper()
			if answer, err := stream.Recv(); err != nil || answer.Status != want {
				t.Fatalf("%v, not %v (%v)", answer, want, err)
			}
		}
	}
	whole, later := watch(""), watch("later")
	whole(healthpb.HealthCheckResponse_SERVING)
	later(healthpb.HealthCheckResponse_SERVICE_UNKNOWN)
	told.Set("later", health.Serving)
	later(healthpb.HealthCheckResponse_SERVING)
	if err := server.Shutdown(within(t, patience)); err != nil {
		t.Fatal("the server waits for those who watch:", err)
	}
	whole(healthpb.HealthCheckResponse_NOT_SERVING)
	later(healthpb.HealthCheckResponse_NOT_SERVING)
}

// Clients of grpc-go that follow health send no calls to a server that reports itself unhealthy.
func TestGRPCGoFollowsOurHealth(t *testing.T) {
	_, told, c := serveHealth(t, grpcgo.WithDefaultServiceConfig(
		`{"loadBalancingConfig": [{"round_robin": {}}], "healthCheckConfig": {"serviceName": "`+greeterService+`"}}`))
	ctx := within(t, patience)
	if _, _, _, err := c.hello(ctx, "Ada"); err != nil {
		t.Fatal(err)
	}
	told.Set(greeterService, health.NotServing)
	for state := c.GetState(); state != connectivity.TransientFailure; state = c.GetState() {
		if !c.WaitForStateChange(ctx, state) {
			t.Fatal("the client goes on")
		}
	}
	if _, _, _, err := c.hello(ctx, "Ada"); c.told(err).code != rpc.Unavailable {
		t.Error(err)
	}
	told.Set(greeterService, health.Serving)
	for state := c.GetState(); state != connectivity.Ready; state = c.GetState() {
		if !c.WaitForStateChange(ctx, state) {
			t.Fatal("the client does not come back")
		}
	}
	if _, _, _, err := c.hello(ctx, "Ada"); err != nil {
		t.Error(err)
	}
}

func TestWeAskForTheHealthOfGRPCGo(t *testing.T) {
	told := theirhealth.NewServer()
	told.SetServingStatus(greeterService, healthpb.HealthCheckResponse_NOT_SERVING)
	server := grpcgo.NewServer()
	healthpb.RegisterHealthServer(server, told)
	l := setting{}.listen(t)
	go server.Serve(l)
	defer server.Stop()
	c := setting{}.dialByOurs(t, l.Addr())
	if status, err := health.Check(within(t, patience), c.Client, ""); err != nil || status != health.Serving {
		t.Error(status, err)
	}
	if status, err := health.Check(within(t, patience), c.Client, greeterService); err != nil || status != health.NotServing {
		t.Error(status, err)
	}
	if _, err := health.Check(within(t, patience), c.Client, "none"); rpc.CodeOf(err) != rpc.NotFound {
		t.Error(err)
	}
	server.Stop()
	if _, err := health.Check(within(t, patience), c.Client, ""); rpc.CodeOf(err) != rpc.Unavailable {
		t.Error(err)
	}
}
