package grpc

import (
	"context"
	"errors"

	grpcgo "google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"hone/go/compat/grpc/ours/peer"
	"hone/go/internal/greeter"
	"hone/go/rpc"
)

// client is the common interface of clients of both libraries.
type client interface {
	// hello returns the answer's text, header and trailer.
	hello(ctx context.Context, name string) (text string, header, trailer metadata.MD, err error)
	list(ctx context.Context, count, bytes int64) (items, error)
	upload(ctx context.Context) (chunks, error)
	chat(ctx context.Context) (notes, error)
	// call calls any method.
	call(ctx context.Context, path string) error
	// with adds metadata to calls that are made with the context.
	with(ctx context.Context, name, value string) context.Context
	// told returns the content of an error.
	told(err error) failure
}

type (
	items interface {
		Recv() (*greeter.Item, error)
	}
	chunks interface {
		Send(*greeter.Chunk) error
		CloseAndRecv() (*greeter.Summary, error)
	}
	notes interface {
		Send(*greeter.Note) error
		Recv() (*greeter.Note, error)
		CloseSend() error
	}
)

// failure is an error of a call.
type failure struct {
	code    rpc.Code
	text    string
	details []proto.Message
}

// ourClient calls by package rpc.
type ourClient struct {
	*rpc.Client
	greeter *greeter.GreeterClient
}

func mapOf(pairs rpc.Metadata) metadata.MD {
	of := metadata.MD{}
	for _, pair := range pairs {
		of.Append(pair.Name, pair.Value)
	}
	return of
}

func (c *ourClient) hello(ctx context.Context, name string) (string, metadata.MD, metadata.MD, error) {
	var reply rpc.Reply
	answer, err := c.greeter.Hello(rpc.WithReply(ctx, &reply), &greeter.HelloRequest{Name: name})
	return answer.GetText(), mapOf(reply.Header), mapOf(reply.Trailer), err
}

func (c *ourClient) list(ctx context.Context, count, bytes int64) (items, error) {
	return c.greeter.List(ctx, &greeter.ListRequest{Count: count, Bytes: bytes})
}

func (c *ourClient) upload(ctx context.Context) (chunks, error) { return c.greeter.Upload(ctx) }

func (c *ourClient) chat(ctx context.Context) (notes, error) { return c.greeter.Chat(ctx) }

func (c *ourClient) call(ctx context.Context, path string) error {
	return c.Invoke(ctx, path, new(greeter.HelloRequest), new(greeter.HelloReply))
}

func (c *ourClient) with(ctx context.Context, name, value string) context.Context {
	return rpc.WithMetadata(ctx, name, value)
}

func (c *ourClient) told(err error) failure {
	var told *rpc.Error
	if !errors.As(err, &told) {
		return failure{code: rpc.CodeOf(err)}
	}
	return failure{told.Code, told.Message, told.DetailMessages()}
}

// theirClient calls by grpc-go.
type theirClient struct {
	*grpcgo.ClientConn
	greeter peer.GreeterClient
}

func (c *theirClient) hello(ctx context.Context, name string) (string, metadata.MD, metadata.MD, error) {
	var header, trailer metadata.MD
	answer, err := c.greeter.Hello(ctx, &greeter.HelloRequest{Name: name}, grpcgo.Header(&header), grpcgo.Trailer(&trailer))
	return answer.GetText(), header, trailer, err
}

func (c *theirClient) list(ctx context.Context, count, bytes int64) (items, error) {
	return c.greeter.List(ctx, &greeter.ListRequest{Count: count, Bytes: bytes})
}

func (c *theirClient) upload(ctx context.Context) (chunks, error) { return c.greeter.Upload(ctx) }

func (c *theirClient) chat(ctx context.Context) (notes, error) { return c.greeter.Chat(ctx) }

func (c *theirClient) call(ctx context.Context, path string) error {
	return c.Invoke(ctx, path, new(greeter.HelloRequest), new(greeter.HelloReply))
}

func (c *theirClient) with(ctx context.Context, name, value string) context.Context {
	return metadata.AppendToOutgoingContext(ctx, name, value)
}

func (c *theirClient) told(err error) failure {
	told := status.Convert(err)
	made := failure{code: rpc.Code(told.Code()), text: told.Message()}
	for _, detail := range told.Details() {
		if message, ok := detail.(proto.Message); ok {
			made.details = append(made.details, message)
		}
	}
	return made
}
