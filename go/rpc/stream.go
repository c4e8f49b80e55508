package rpc

import "hone/go/stream"

// Stream is a stream of messages, as interceptors see it.
type Stream = stream.Stream

// The types of streams that generated code gives to handlers and callers are those of package stream.
type (
	// ServerStreamingServer sends several responses to one request.
	ServerStreamingServer[Response any] = stream.ServerStreamingServer[Response]
	// ClientStreamingServer receives several requests and sends one response.
	ClientStreamingServer[Request, Response any] = stream.ClientStreamingServer[Request, Response]
	// BidiStreamingServer receives several requests and sends several responses.
	BidiStreamingServer[Request, Response any] = stream.BidiStreamingServer[Request, Response]
	// ServerControl has the methods that all streams have on the server.
	ServerControl = stream.ServerControl
	// ServerStreamingClient receives several responses to one request.
	ServerStreamingClient[Response any] = stream.ServerStreamingClient[Response]
	// ClientStreamingClient sends several requests and receives one response.
	ClientStreamingClient[Request, Response any] = stream.ClientStreamingClient[Request, Response]
	// BidiStreamingClient sends several requests and receives several responses.
	BidiStreamingClient[Request, Response any] = stream.BidiStreamingClient[Request, Response]
	// ClientControl has the methods that all streams have on the client.
	ClientControl = stream.ClientControl
	// ServerStreamOf gives a server's stream the types of its messages.
	ServerStreamOf[Request, Response any] = stream.ServerStreamOf[Request, Response]
	// ClientStreamOf gives a client's stream the types of its messages.
	ClientStreamOf[Request, Response any] = stream.ClientStreamOf[Request, Response]
)
