package rpc

import "context"

// UnaryMethod makes a [Method] of the function that answers its calls. Generated code calls this function and those below.
func UnaryMethod[Request, Response any](name string, serve func(context.Context, *Request) (*Response, error)) Method {
	return Method{
		Name:       name,
		NewRequest: func() any { return new(Request) },
		Serve: func(ctx context.Context, request any) (any, error) {
			taken, isRequest := request.(*Request)
			if !isRequest {
				return nil, Errorf(Internal, "an interceptor of the server gives %s a request of type %T", name, request)
			}
			response, err := serve(ctx, taken)
			if err == nil && response == nil {
				err = Errorf(Internal, "the handler of %s has returned neither a response nor an error", name)
			}
			return response, err
		},
	}
}

// ServerStreamingMethod makes a [Method] with several responses.
func ServerStreamingMethod[Request, Response any](name string, serve func(*Request, ServerStreamingServer[Response]) error) Method {
	return Method{Name: name, ServerStreams: true, Stream: func(stream *ServerStream) error {
		request := new(Request)
		if err := stream.Only(request); err != nil {
			return err
		}
		return serve(request, ServerStreamOf[Request, Response]{ServerStream: stream})
	}}
}

// ClientStreamingMethod makes a [Method] with several requests.
func ClientStreamingMethod[Request, Response any](name string, serve func(ClientStreamingServer[Request, Response]) error) Method {
	return Method{Name: name, ClientStreams: true, Stream: func(stream *ServerStream) error {
		return serve(ServerStreamOf[Request, Response]{ServerStream: stream})
	}}
}

// BidiStreamingMethod makes a [Method] with several requests and several responses.
func BidiStreamingMethod[Request, Response any](name string, serve func(BidiStreamingServer[Request, Response]) error) Method {
	return Method{Name: name, ClientStreams: true, ServerStreams: true, Stream: func(stream *ServerStream) error {
		return serve(ServerStreamOf[Request, Response]{ServerStream: stream})
	}}
}

// CallUnary calls a method, /SERVICE/METHOD, with one request and one response.
func CallUnary[Response any](ctx context.Context, invoker Invoker, method string, request any) (*Response, error) {
	response := new(Response)
	if err := invoker.Invoke(ctx, method, request, response); err != nil {
		return nil, err
	}
	return response, nil
}

// OpenServerStreaming calls a method with one request and several responses.
func OpenServerStreaming[Response any](ctx context.Context, invoker Invoker, method string, request any) (ServerStreamingClient[Response], error) {
	stream, err := invoker.OpenWith(ctx, method, request)
	if err != nil {
		return nil, err
	}
	return ClientStreamOf[any, Response]{ClientStream: stream}, nil
}

// OpenClientStreaming calls a method with several requests and one response.
func OpenClientStreaming[Request, Response any](ctx context.Context, invoker Invoker, method string) (ClientStreamingClient[Request, Response], error) {
	return openStream[Request, Response](ctx, invoker, method)
}

// OpenBidiStreaming calls a method with several requests and several responses.
func OpenBidiStreaming[Request, Response any](ctx context.Context, invoker Invoker, method string) (BidiStreamingClient[Request, Response], error) {
	return openStream[Request, Response](ctx, invoker, method)
}

func openStream[Request, Response any](ctx context.Context, invoker Invoker, method string) (ClientStreamOf[Request, Response], error) {
	stream, err := invoker.Open(ctx, method)
	if err != nil {
		return ClientStreamOf[Request, Response]{}, err
	}
	return ClientStreamOf[Request, Response]{ClientStream: stream}, nil
}
