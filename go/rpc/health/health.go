// Package health tells clients whether a server serves, and asks servers the same, by gRPC's health checking
// (https://github.com/grpc/grpc/blob/master/doc/health-checking.md). Clients of gRPC, Kubernetes and load balancers know this
// protocol.
package health

import (
	"context"
	"fmt"
	"sync"

	"hone/go/rpc"
	"hone/go/rpc/internal/definition"
)

// Status is the state of a service.
type Status int32

// These are all states. Only Watch sends ServiceUnknown.
const (
	Unknown Status = iota
	Serving
	NotServing
	ServiceUnknown
)

// String returns the name that the state has in the definition.
func (s Status) String() string {
	if names := [...]string{"UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"}; s >= 0 && int(s) < len(names) {
		return names[s]
	}
	return fmt.Sprintf("Status(%d)", int32(s))
}

const (
	service   = "grpc.health.v1.Health"
	checkPath = "/" + service + "/Check"
)

// Health is the state that a server reports for itself and its services. The server, whose name is "", and all services that are
// registered with it are Serving until another state is set. All are NotServing once [rpc.Server.Shutdown] begins.
type Health struct {
	server *rpc.Server

	mu       sync.Mutex
	set      map[string]Status
	isEnding bool
	// changed is closed and replaced with each change.
	changed chan struct{}
}

// Register makes a server answer questions about its health.
func Register(server *rpc.Server) *Health {
	h := &Health{server: server, set: map[string]Status{}, changed: make(chan struct{})}
	server.Register(rpc.Service{Name: service, File: file().FileDescriptor, Methods: []rpc.Method{
		{Name: "Check", NewRequest: file().Maker("HealthCheckRequest"), Serve: h.check},
		{Name: "List", NewRequest: file().Maker("HealthListRequest"), Serve: h.list},
		{Name: "Watch", ServerStreams: true, Stream: h.watch},
	}})
	server.OnShutdown(func() { h.change(func() { h.isEnding = true }) })
	return h
}

// Set sets the state of a service, or, with the name "", of the server as a whole.
func (h *Health) Set(service string, status Status) {
	h.change(func() { h.set[service] = status })
}

func (h *Health) change(change func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change()
	close(h.changed)
	h.changed = make(chan struct{})
}

// state returns the state of a service, and a channel that is closed when the state may have changed.
func (h *Health) state(service string) (status Status, isEnding bool, changed <-chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	status, isSet := h.set[service]
	switch {
	case !isSet && !h.isRegistered(service):
		status = ServiceUnknown
	case h.isEnding:
		status = NotServing
	case !isSet:
		status = Serving
	}
	return status, h.isEnding, h.changed
}

func (h *Health) isRegistered(service string) bool {
	if service == "" {
		return true
	}
	for _, known := range h.server.Services() {
		if known.Name == service {
			return true
		}
	}
	return false
}

func (h *Health) check(_ context.Context, request any) (any, error) {
	service := definition.Of(request).Text("service")
	status, _, _ := h.state(service)
	if status == ServiceUnknown {
		return nil, rpc.Errorf(rpc.NotFound, "unknown service %s", service)
	}
	return answer(status), nil
}

func (h *Health) list(context.Context, any) (any, error) {
	response := file().New("HealthListResponse")
	h.mu.Lock()
	names := map[string]bool{"": true}
	for name := range h.set {
		names[name] = true
	}
	h.mu.Unlock()
	for _, known := range h.server.Services() {
		names[known.Name] = true
	}
	for name := range names {
		status, _, _ := h.state(name)
		response.Put("statuses", name, definition.Of(answer(status)))
	}
	return response.Interface(), nil
}

// watch sends the state of a service, and sends it again whenever it changes. It ends with the server.
func (h *Health) watch(stream *rpc.ServerStream) error {
	request := file().New("HealthCheckRequest")
	if err := stream.Only(request.Interface()); err != nil {
		return err
	}
	for last := Status(-1); ; {
		status, isEnding, changed := h.state(request.Text("service"))
		if status != last {
			if err := stream.Send(answer(status)); err != nil {
				return err
			}
			last = status
		}
		if isEnding {
			return rpc.Errorf(rpc.Unavailable, "the server ends")
		}
		select {
		case <-changed:
		case <-stream.Context().Done():
			return stream.Context().Err()
		}
	}
}

func answer(status Status) any {
	response := file().New("HealthCheckResponse")
	response.SetEnum("status", int32(status))
	return response.Interface()
}

// Check asks a server for the state of one of its services, or, with the name "", of the server as a whole.
//
// # Errors
//
// An [rpc.Error]: NotFound where the server does not know the service, Unimplemented where the server has no health checking.
func Check(ctx context.Context, invoker rpc.Invoker, service string) (Status, error) {
	request, response := file().New("HealthCheckRequest"), file().New("HealthCheckResponse")
	request.SetText("service", service)
	if err := invoker.Invoke(ctx, checkPath, request.Interface(), response.Interface()); err != nil {
		return Unknown, err
	}
	return Status(response.Enum("status")), nil
}
