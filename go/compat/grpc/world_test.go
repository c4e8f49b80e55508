package grpc

import (
	"context"
	"io"
	"strconv"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	grpcgo "google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"hone/go/compat/grpc/ours/peer"
	"hone/go/internal/greeter"
	"hone/go/rpc"
)

// world is the behaviour of the service on both sides: it follows from the name in a request.
type world struct {
	// entered receives a value for each call that waits for its context, and gone the error that ended the wait.
	entered chan struct{}
	gone    chan error
	// deadlines receives for each call whether it has a deadline.
	deadlines chan bool
}

func newWorld() *world {
	return &world{make(chan struct{}, 10000), make(chan error, 10000), make(chan bool, 10000)}
}

// The names with a meaning: wait waits for the end of the context, fail returns an error, meta returns the metadata as it came, size:N returns N
// bytes.
const (
	wait = "wait"
	fail = "fail"
	meta = "meta"
	size = "size:"
)

// side is the interface to operations that the two libraries name differently.
type side interface {
	refuse(ctx context.Context) error
	reflect(ctx context.Context) error
}

func (w *world) hello(ctx context.Context, of side, name string) (*greeter.HelloReply, error) {
	_, has := ctx.Deadline()
	select {
	case w.deadlines <- has:
	default: // Deadlines of calls of a load are not read.
	}
	switch {
	case name == wait:
		w.entered <- struct{}{}
		<-ctx.Done()
		w.gone <- ctx.Err()
		return nil, ctx.Err()
	case name == fail:
		return nil, of.refuse(ctx)
	case name == meta:
		if err := of.reflect(ctx); err != nil {
			return nil, err
		}
	case strings.HasPrefix(name, size):
		count, _ := strconv.Atoi(name[len(size):])
		return &greeter.HelloReply{Text: strings.Repeat("x", count)}, nil
	}
	return &greeter.HelloReply{Text: "Hello, " + name}, nil
}

func list(request *greeter.ListRequest, stream interface{ Send(*greeter.Item) error }) error {
	for i := range request.Count {
		if err := stream.Send(&greeter.Item{Number: i, Body: make([]byte, request.Bytes)}); err != nil {
			return err
		}
	}
	return nil
}

func upload(stream interface {
	Recv() (*greeter.Chunk, error)
	SendAndClose(*greeter.Summary) error
}) error {
	summary := new(greeter.Summary)
	for {
		chunk, err := stream.Recv()
		if err == io.EOF {
			return stream.SendAndClose(summary)
		}
		if err != nil {
			return err
		}
		summary.Chunks++
		summary.Bytes += int64(len(chunk.Body))
	}
}

func (w *world) chat(of side, stream interface {
	Context() context.Context
	Recv() (*greeter.Note, error)
	Send(*greeter.Note) error
}) error {
	for {
		note, err := stream.Recv()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			w.gone <- err
			return err
		}
		if note.Text == fail {
			return of.refuse(stream.Context())
		}
		if err := stream.Send(note); err != nil {
			return err
		}
	}
}

// ours answers by package rpc.
type ours struct {
	greeter.UnimplementedGreeter
	*world
}

func (o ours) Hello(ctx context.Context, request *greeter.HelloRequest) (*greeter.HelloReply, error) {
	if request.Name == "panic" {
		panic("the roof fell in")
	}
	return o.hello(ctx, o, request.Name)
}

func (o ours) List(request *greeter.ListRequest, stream rpc.ServerStreamingServer[greeter.Item]) error {
	return list(request, stream)
}

func (o ours) Upload(stream rpc.ClientStreamingServer[greeter.Chunk, greeter.Summary]) error {
	return upload(stream)
}

func (o ours) Chat(stream rpc.BidiStreamingServer[greeter.Note, greeter.Note]) error {
	return o.chat(o, stream)
}

// violation returns a detail of the error of fail.
func violation() *errdetails.BadRequest {
	return &errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{{Field: "name", Description: "is fail"}}}
}

func (ours) refuse(ctx context.Context) error {
	rpc.SetTrailer(ctx, rpc.Metadata{{Name: "why", Value: "because"}})
	return rpc.Errorf(rpc.FailedPrecondition, "nö: 100 %%\n").WithDetails(violation())
}

func (ours) reflect(ctx context.Context) error {
	told := rpc.Incoming(ctx)
	var back rpc.Metadata
	for _, name := range metaNames {
		for _, value := range told.All(name) {
			back = append(back, rpc.Pair{Name: name, Value: value})
		}
	}
	rpc.SetTrailer(ctx, back)
	return rpc.SetHeader(ctx, back)
}

// metaNames are the names of the metadata that meta returns.
var metaNames = []string{"x-text", "x-twice", "x-bytes-bin", "x-empty"}

// theirs answers by grpc-go.
type theirs struct {
	peer.UnimplementedGreeterServer
	*world
}

func (s theirs) Hello(ctx context.Context, request *greeter.HelloRequest) (*greeter.HelloReply, error) {
	return s.hello(ctx, s, request.Name)
}

func (s theirs) List(request *greeter.ListRequest, stream grpcgo.ServerStreamingServer[greeter.Item]) error {
	return list(request, stream)
}

func (s theirs) Upload(stream grpcgo.ClientStreamingServer[greeter.Chunk, greeter.Summary]) error {
	return upload(stream)
}

func (s theirs) Chat(stream grpcgo.BidiStreamingServer[greeter.Note, greeter.Note]) error {
	return s.chat(s, stream)
}

func (theirs) refuse(ctx context.Context) error {
	grpcgo.SetTrailer(ctx, metadata.Pairs("why", "because"))
	told, err := status.New(codes.FailedPrecondition, "nö: 100 %\n").WithDetails(violation())
	if err != nil {
		return err
	}
	return told.Err()
}

func (theirs) reflect(ctx context.Context) error {
	told, _ := metadata.FromIncomingContext(ctx)
	back := metadata.MD{}
	for _, name := range metaNames {
		back[name] = told[name]
	}
	grpcgo.SetTrailer(ctx, back)
	return grpcgo.SetHeader(ctx, back)
}
