package thrift

import (
	"context"
	"fmt"

	"hone/go/stream"
)

// Opener is a [Caller] that opens streams too, such as an rpc.Client.
type Opener interface {
	// OpenStream opens a stream of a function. only is the request of a function that takes just one; nil for others.
	OpenStream(ctx context.Context, method string, only Writer) (stream.ClientStream, error)
}

// OpenServerStreaming calls a function with one request and several responses. Generated code calls this function and those below.
//
// # Errors
//
// The errors of the caller. Also an error that says that the caller opens no streams.
func OpenServerStreaming[Response any](ctx context.Context, caller Caller, method string, only Writer) (stream.ServerStreamingClient[Response], error) {
	opened, err := openStream(ctx, caller, method, only)
	if err != nil {
		return nil, err
	}
	return stream.ClientStreamOf[Nothing, Response]{ClientStream: opened}, nil
}

// OpenClientStreaming calls a function with several requests and one response.
//
// # Errors
//
// The same as those of [OpenServerStreaming].
func OpenClientStreaming[Request, Response any](ctx context.Context, caller Caller, method string) (stream.ClientStreamingClient[Request, Response], error) {
	opened, err := openStream(ctx, caller, method, nil)
	if err != nil {
		return nil, err
	}
	return stream.ClientStreamOf[Request, Response]{ClientStream: opened}, nil
}

// OpenBidiStreaming calls a function with several requests and several responses.
//
// # Errors
//
// The same as those of [OpenServerStreaming].
func OpenBidiStreaming[Request, Response any](ctx context.Context, caller Caller, method string) (stream.BidiStreamingClient[Request, Response], error) {
	opened, err := openStream(ctx, caller, method, nil)
	if err != nil {
		return nil, err
	}
	return stream.ClientStreamOf[Request, Response]{ClientStream: opened}, nil
}

func openStream(ctx context.Context, caller Caller, method string, only Writer) (stream.ClientStream, error) {
	opener, opens := caller.(Opener)
	if !opens {
		return nil, fmt.Errorf("%s is a stream, and a %T opens none: call by an rpc.Client", method, caller)
	}
	return opener.OpenStream(ctx, method, only)
}

// ServerStreaming makes a [Handler] of a function with one request and several responses. Generated code calls this function and those below.
func ServerStreaming[Request, Response any](method string, serve func(*Request, stream.ServerStreamingServer[Response]) error) Handler {
	return streaming(method, func(s stream.ServerStream) error {
		typed := stream.ServerStreamOf[Request, Response]{ServerStream: s}
		only, err := typed.Only()
		if err != nil {
			return err
		}
		return serve(only, typed)
	})
}

// ClientStreaming makes a [Handler] of a function with several requests and one response.
func ClientStreaming[Request, Response any](method string, serve func(stream.ClientStreamingServer[Request, Response]) error) Handler {
	return streaming(method, func(s stream.ServerStream) error {
		return serve(stream.ServerStreamOf[Request, Response]{ServerStream: s})
	})
}

// BidiStreaming makes a [Handler] of a function with several requests and several responses.
func BidiStreaming[Request, Response any](method string, serve func(stream.BidiStreamingServer[Request, Response]) error) Handler {
	return streaming(method, func(s stream.ServerStream) error {
		return serve(stream.ServerStreamOf[Request, Response]{ServerStream: s})
	})
}

// streaming makes a handler that answers streams. Its Serve returns an error that says that the function is a stream.
func streaming(method string, serve func(stream.ServerStream) error) Handler {
	return Handler{
		Args:   func() Reader { return new(Nothing) },
		Stream: serve,
		Serve: func(context.Context, Reader) (Writer, error) {
			return nil, &ApplicationException{Type: UnknownMethod, Message: method + " is a stream: open one over TTHeader"}
		},
	}
}

// Nothing is a struct without fields. It reads any struct, and passes over its fields.
type Nothing struct{}

// ReadThrift implements [Reader].
func (n *Nothing) ReadThrift(d *Decoder, off int) int { return d.Rest(n, off, d.Key(off), 0, 0) }

// WriteThrift implements [Writer].
func (*Nothing) WriteThrift(b []byte, off int) int { return PutEnd(b, off) }
