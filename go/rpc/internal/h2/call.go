package h2

import (
	"context"

	"hone/go/rpc/internal/grpcwire"
)

// Reply takes the message of an answer.
type Reply interface {
	// ReadMessage reads the message. The bytes are valid during the call. The goroutine that reads the connection calls it, so it must
	// not wait. An error becomes the error of the call; a panic is not caught.
	ReadMessage(s *Stream, message []byte, isCompressed bool) error
}

// unaryCall is a call with one message each way.
type unaryCall struct {
	Stream
	reply    Reply
	messages int
	err      error
	wake     chan struct{}
}

// Message takes the answer.
func (u *unaryCall) Message(s *Stream, message []byte, isCompressed, _ bool) {
	if u.messages++; u.messages > 1 {
		u.err = errTwoMessages
		return
	}
	u.err = u.reply.ReadMessage(s, message, isCompressed)
}

// End wakes the caller.
func (u *unaryCall) End(*Stream, *Error) { u.wake <- struct{}{} }

var (
	errTwoMessages = &Error{Code: grpcwire.Internal, What: "the server has answered a unary call with several messages"}
	errNoMessage   = &Error{Code: grpcwire.Internal, What: "the server has answered a unary call with OK and no message"}
)

// Call makes a call with one message each way, and waits for its answer. The stream has the status, the header and the trailer: a
// status other than OK is no error here. The stream is nil if nothing was sent.
//
// # Errors
//
// The errors of [Client.Send]; the error of the reply; an [Error] that says why the stream ended in another way than by a status,
// or that the context has ended.
func (c *Client) Call(ctx context.Context, call Call, message Message, isCompressed bool, reply Reply) (*Stream, error) {
	u := &unaryCall{reply: reply, wake: make(chan struct{}, 1)}
	call.Receiver = u
	if _, err := c.start(ctx, &u.Stream, call, message, isCompressed); err != nil {
		u.Detach()
		return nil, err
	}
	select {
	case <-u.wake:
	case <-ctx.Done():
		u.Detach()
		why := contextError(ctx)
		u.end(Cancel, why)
		return &u.Stream, why
	}
	switch why := u.receiveError(); {
	case why != nil:
		return &u.Stream, why
	case u.Stream.reply.status.Code != grpcwire.OK:
		return &u.Stream, nil
	case u.err != nil:
		return &u.Stream, u.err
	case u.messages == 0:
		return &u.Stream, errNoMessage
	}
	return &u.Stream, nil
}
