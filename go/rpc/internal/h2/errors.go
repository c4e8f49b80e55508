package h2

import (
	"errors"
	"fmt"
	"time"

	"hone/go/rpc/internal/grpcwire"
)

// Error is the error of a call that failed in another way than by a status of its service.
type Error struct {
	// Code is the gRPC code of the error.
	Code grpcwire.Code
	// What says what happened, and what to do if anything can be done.
	What string
	// IsUnprocessed says that the peer has certainly not seen the call, or has refused it unseen, so that it may be sent again.
	IsUnprocessed bool
	// Cause is the error that led to this one; it may be nil.
	Cause error
}

// Error says what happened.
func (e *Error) Error() string {
	if e.Cause != nil {
		return e.What + ": " + e.Cause.Error()
	}
	return e.What
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// connectionError is a fault of the peer that ends the connection.
type connectionError struct {
	code ErrorCode
	what string
}

func (e *connectionError) Error() string {
	return fmt.Sprintf("the peer does not keep to HTTP/2 (%s): %s", e.code, e.what)
}

func protocolError(format string, arguments ...any) error {
	return &connectionError{ProtocolError, fmt.Sprintf(format, arguments...)}
}

// These are causes of connections that end.
var (
	// ErrDraining is the cause of a connection that takes no new calls, since one of its sides has said so or its ids have run out.
	ErrDraining = errors.New("the connection takes no new calls: make another one")
	// ErrDone is the cause of a connection that ended because a side asked for that, after all its calls were done.
	ErrDone = errors.New("the connection was drained")
	// ErrHandshake is the cause for a peer whose preface or settings did not come in time.
	ErrHandshake = errors.New("the peer did not begin HTTP/2 in time")
	// ErrKeepAlive is the cause for a peer that sent nothing, not even an answer to a PING, for too long.
	ErrKeepAlive = errors.New("the peer does not answer keep-alive pings")
	// ErrHTTP1 and ErrTLS are the causes for servers that speak another protocol.
	ErrHTTP1 = errors.New("the server answers in HTTP/1: give the address of a gRPC server, or of a proxy that speaks HTTP/2")
	ErrTLS   = errors.New("the server answers in TLS: connect with TLS")
	// ErrPreface is the cause for a client that does not speak HTTP/2, or does so in TLS.
	ErrPreface = errors.New("the client does not begin as HTTP/2 does: it may speak HTTP/1, or TLS where there is none")
)

var errClosedByPeer = errors.New("the peer has closed the connection")

// errUnread is the cause for a peer that sends but does not read.
var errUnread = errors.New("the peer does not read what it is sent")

// codeOfReset returns the gRPC code for a stream that the peer has reset (the table "HTTP2 Transport Mapping" of gRPC's protocol).
func codeOfReset(code ErrorCode) grpcwire.Code {
	switch code {
	case RefusedStream:
		return grpcwire.Unavailable
	case Cancel:
		return grpcwire.Canceled
	case EnhanceYourCalm:
		return grpcwire.ResourceExhausted
	case InadequateSecurity:
		return grpcwire.PermissionDenied
	case StreamClosed:
		return grpcwire.Unknown
	}
	return grpcwire.Internal
}

// resetError returns the error of a stream that the peer has reset. A server that notices first that the time of a call is over
// cancels the call.
func (s *Stream) resetError(code ErrorCode) *Error {
	why := &Error{
		Code: codeOfReset(code), IsUnprocessed: code == RefusedStream,
		What: "the peer has reset the stream with " + code.String(),
	}
	if code == Cancel && !s.deadline.IsZero() && !time.Now().Before(s.deadline) {
		why.Code = grpcwire.DeadlineExceeded
	}
	return why
}
