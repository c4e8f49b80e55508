package harness

import (
	"context"
	"io"
)

// Sender and Receiver are the ends of a stream of messages, in the form that all stacks have.
type (
	Sender[M any]   interface{ Send(message M) error }
	Receiver[M any] interface{ Recv() (M, error) }
)

// Conversation is a stream of both directions.
type Conversation[M any] interface {
	Sender[M]
	Receiver[M]
}

// Text is a message of 1 KB of any stack.
type Text interface{ GetText() string }

// AnswerEach is the handler of Chat: it sends each message back.
func AnswerEach[M any](stream Conversation[M]) error {
	for {
		message, err := stream.Recv()
		if err != nil {
			return ended(err)
		}
		if err := stream.Send(message); err != nil {
			return err
		}
		Answered.Add(1)
	}
}

// SendAll is the handler of Expand: it sends a message again and again.
func SendAll[M any](stream Sender[M], message M) error {
	for {
		if err := stream.Send(message); err != nil {
			return err
		}
		Answered.Add(1)
	}
}

// TakeAll is the handler of Collect: it reads all messages.
func TakeAll[M any](stream Receiver[M]) error {
	for {
		if _, err := stream.Recv(); err != nil {
			return ended(err)
		}
		Answered.Add(1)
	}
}

// ended returns the error of a stream, or nil for the io.EOF with which its client closes it.
func ended(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// Chatting returns a call of a stream of Chat: it sends a message and reads its answer.
func Chatting[M Text](stream Conversation[M], message M) Call {
	return func(context.Context) error {
		if err := stream.Send(message); err != nil {
			return err
		}
		return receive(stream)
	}
}

// Expanding returns a call of a stream of Expand: it reads a message of the server.
func Expanding[M Text](stream Receiver[M]) Call {
	return func(context.Context) error { return receive(stream) }
}

// Collecting returns a call of a stream of Collect: it sends a message.
func Collecting[M Text](stream Sender[M], message M) Call {
	return func(context.Context) error { return stream.Send(message) }
}

func receive[M Text](stream Receiver[M]) error {
	answer, err := stream.Recv()
	return CheckEcho(answer, err)
}
