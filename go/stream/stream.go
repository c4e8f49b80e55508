package stream

import "context"

// Stream is a stream of messages, as interceptors of package rpc see it. One goroutine may send while another receives.
type Stream interface {
	// Context returns the context of the call.
	Context() context.Context
	// Send sends a message. It returns when the message is on its way, and waits while the other side does not read.
	Send(message any) error
	// Receive reads the next message into a pointer to a message. It returns io.EOF after the last message.
	Receive(into any) error
}

// Generated code gives the interfaces below to handlers and callers. They have the same names and methods as those of grpc-go, so an implementation
// of a service moves from grpc-go by a change of its imports.
type (
	// ServerStreamingServer sends several responses to one request.
	ServerStreamingServer[Response any] interface {
		Send(*Response) error
		ServerControl
	}
	// ClientStreamingServer receives several requests and sends one response.
	ClientStreamingServer[Request, Response any] interface {
		Recv() (*Request, error)
		SendAndClose(*Response) error
		ServerControl
	}
	// BidiStreamingServer receives several requests and sends several responses.
	BidiStreamingServer[Request, Response any] interface {
		Recv() (*Request, error)
		Send(*Response) error
		ServerControl
	}
	// ServerControl has the methods that all streams have on the server.
	ServerControl interface {
		Context() context.Context
		// SetHeader adds metadata that is sent before the first response, and SetTrailer adds metadata that is sent after the last.
		SetHeader(Metadata) error
		SendHeader(Metadata) error
		SetTrailer(Metadata)
	}
	// ServerStreamingClient receives several responses to one request.
	ServerStreamingClient[Response any] interface {
		Recv() (*Response, error)
		ClientControl
	}
	// ClientStreamingClient sends several requests and receives one response.
	ClientStreamingClient[Request, Response any] interface {
		Send(*Request) error
		CloseAndRecv() (*Response, error)
		ClientControl
	}
	// BidiStreamingClient sends several requests and receives several responses.
	BidiStreamingClient[Request, Response any] interface {
		Send(*Request) error
		Recv() (*Response, error)
		ClientControl
	}
	// ClientControl has the methods that all streams have on the client.
	ClientControl interface {
		Context() context.Context
		// CloseSend tells the server that no more requests come.
		CloseSend() error
		// Header waits for the metadata that the server sends before its first response. Trailer has its metadata once the stream has ended.
		Header() (Metadata, error)
		Trailer() Metadata
	}
)

// ServerStream is a stream that a handler answers, before its messages get their types.
type ServerStream interface {
	Stream
	ServerControl
	// Only reads the only request into a pointer to a message.
	Only(into any) error
}

// ClientStream is a stream that a client has opened, before its messages get their types.
type ClientStream interface {
	Stream
	ClientControl
	// Only receives the only response into a pointer to a message, and then the end of the stream.
	Only(into any) error
}

// ServerStreamOf gives a server's stream the types of its messages. It has the methods of [ServerStreamingServer],
// [ClientStreamingServer] and [BidiStreamingServer].
type ServerStreamOf[Request, Response any] struct{ ServerStream }

// Recv receives the next request; it returns io.EOF after the last request.
func (s ServerStreamOf[Request, Response]) Recv() (*Request, error) {
	return take[Request](s.ServerStream.Receive)
}

// Send sends a response.
func (s ServerStreamOf[Request, Response]) Send(response *Response) error {
	return s.ServerStream.Send(response)
}

// SendAndClose sends the only response.
func (s ServerStreamOf[Request, Response]) SendAndClose(response *Response) error {
	return s.ServerStream.Send(response)
}

// Only reads the only request.
func (s ServerStreamOf[Request, Response]) Only() (*Request, error) {
	return take[Request](s.ServerStream.Only)
}

// ClientStreamOf gives a client's stream the types of its messages. It has the methods of [ServerStreamingClient],
// [ClientStreamingClient] and [BidiStreamingClient].
type ClientStreamOf[Request, Response any] struct{ ClientStream }

// Send sends a request.
func (s ClientStreamOf[Request, Response]) Send(request *Request) error {
	return s.ClientStream.Send(request)
}

// Recv receives the next response; it returns io.EOF after the last response.
func (s ClientStreamOf[Request, Response]) Recv() (*Response, error) {
	return take[Response](s.ClientStream.Receive)
}

// CloseAndRecv tells the server that no more requests come, and receives the only response.
func (s ClientStreamOf[Request, Response]) CloseAndRecv() (*Response, error) {
	if err := s.CloseSend(); err != nil {
		return nil, err
	}
	return s.Only()
}

// Only receives the only response.
func (s ClientStreamOf[Request, Response]) Only() (*Response, error) {
	return take[Response](s.ClientStream.Only)
}

// take makes a message, with the defaults that structs of Thrift have, and calls read to fill it.
func take[Message any](read func(into any) error) (*Message, error) {
	message := new(Message)
	if has, ok := any(message).(interface{ InitDefault() }); ok {
		has.InitDefault()
	}
	if err := read(message); err != nil {
		return nil, err
	}
	return message, nil
}
