package health_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"hone/go/internal/greeter"
	"hone/go/rpc"
	"hone/go/rpc/health"
	"hone/go/rpc/internal/definition"
)

const (
	service = "hone.greeter.v1.Greeter"
	// patience is the longest time that a test waits for something that must happen.
	patience = 4 * time.Minute
)

// serve starts a server that reports its health, and a client of it.
func serve(t *testing.T) (*rpc.Server, *health.Health, *rpc.Client) {
	t.Helper()
	server := rpc.NewServer()
	greeter.RegisterGreeter(server, greeter.UnimplementedGreeter{})
	told := health.Register(server)
	address := "unix://" + filepath.Join(t.TempDir(), "s")
	listener, err := rpc.Listen(address)
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(listener)
	client := rpc.Dial(address)
	client.Wire = rpc.GRPC
	t.Cleanup(func() {
		client.Close()
		server.Close()
	})
	return server, told, client
}

func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

func TestRegisteredServicesServeUntilSomethingElseIsSaid(t *testing.T) {
	_, told, client := serve(t)
	expect := func(service string, want health.Status) {
		t.Helper()
		if status, err := health.Check(within(t), client, service); err != nil || status != want {
			t.Errorf("%q is %v, not %v (%v)", service, status, want, err)
		}
	}
	expect("", health.Serving)
	expect(service, health.Serving)
	told.Set(service, health.NotServing)
	expect(service, health.NotServing)
	expect("", health.Serving)
	told.Set("", health.NotServing)
	expect("", health.NotServing)
	told.Set("database", health.Serving)
	expect("database", health.Serving)
	if _, err := health.Check(within(t), client, "nothing"); rpc.CodeOf(err) != rpc.NotFound {
		t.Error(err)
	}
}

// watcher reads the messages of Watch. It reads them by the tests' own definition of the messages.
type watcher struct {
	*testing.T
	stream *rpc.ClientStream
}

var answers = definition.Parse(`name: "w" package: "w" syntax: "proto3"
message_type { name: "Request" field { name: "service" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL } }
message_type { name: "Response" field { name: "status" number: 1 type: TYPE_INT32 label: LABEL_OPTIONAL } }`)

func watch(t *testing.T, client *rpc.Client, service string) *watcher {
	t.Helper()
	stream, err := client.Open(within(t), "/grpc.health.v1.Health/Watch")
	if err != nil {
		t.Fatal(err)
	}
	request := answers.New("Request")
	request.SetText("service", service)
	if err := stream.Send(request.Interface()); err != nil {
		t.Fatal(err)
	}
	if err := stream.CloseSend(); err != nil {
		t.Fatal(err)
	}
	return &watcher{t, stream}
}

func (w *watcher) expect(want health.Status) {
	w.Helper()
	response := answers.New("Response")
	if err := w.stream.Receive(response.Interface()); err != nil || health.Status(response.Int("status")) != want {
		w.Fatalf("told %v, not %v (%v)", health.Status(response.Int("status")), want, err)
	}
}

func TestWatchersAreToldOfChanges(t *testing.T) {
	_, told, client := serve(t)
	known, unknown := watch(t, client, service), watch(t, client, "later")
	known.expect(health.Serving)
	unknown.expect(health.ServiceUnknown)
	told.Set(service, health.NotServing)
	known.expect(health.NotServing)
	told.Set("later", health.Serving)
	unknown.expect(health.Serving)
}

func TestAServerThatEndsSaysSoAndDoesNotWaitForWatchers(t *testing.T) {
	server, _, client := serve(t)
	all := []*watcher{watch(t, client, ""), watch(t, client, service)}
	for _, one := range all {
		one.expect(health.Serving)
	}
	if err := server.Shutdown(within(t)); err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		one.expect(health.NotServing)
		if err := one.stream.Receive(answers.New("Response").Interface()); rpc.CodeOf(err) != rpc.Unavailable {
			t.Error(err)
		}
	}
}

func TestStatesHaveTheNamesOfTheDefinition(t *testing.T) {
	if health.NotServing.String() != "NOT_SERVING" || health.Status(7).String() != "Status(7)" || health.Status(-1).String() != "Status(-1)" {
		t.Error(health.NotServing, health.Status(7), health.Status(-1))
	}
}
