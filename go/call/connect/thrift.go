package connect

import (
	"context"
	"errors"
	"fmt"
	"net"

	"hone/go/call/definitions"
	"hone/go/codec"
	"hone/go/thrift"
)

func framed(dial func(ctx context.Context) (net.Conn, error), _ Options) Connection {
	return newThriftConnection(dial, thrift.Wire{Framed: true})
}

func buffered(dial func(ctx context.Context) (net.Conn, error), _ Options) Connection {
	return newThriftConnection(dial, thrift.Wire{})
}

func compact(dial func(ctx context.Context) (net.Conn, error), _ Options) Connection {
	return newThriftConnection(dial, thrift.Wire{Framed: true, Protocol: codec.Compact{}})
}

// thriftConnection carries one call after the other, and connects again after one that broke the connection.
type thriftConnection struct {
	dial func(ctx context.Context) (net.Conn, error)
	wire thrift.Wire
	// turn holds the client, nil where there is no connection.
	turn chan *thrift.Client
}

func newThriftConnection(dial func(ctx context.Context) (net.Conn, error), wire thrift.Wire) Connection {
	c := &thriftConnection{dial: dial, wire: wire, turn: make(chan *thrift.Client, 1)}
	c.turn <- nil
	return c
}

// Invoke implements [Connection].
func (c *thriftConnection) Invoke(ctx context.Context, method string, args, result definitions.Message) error {
	var client *thrift.Client
	select {
	case client = <-c.turn:
	case <-ctx.Done():
		return ctx.Err()
	}
	if client == nil {
		stream, err := c.dial(ctx)
		if err != nil {
			c.turn <- nil
			return err
		}
		client = thrift.NewClient(stream, c.wire)
	}
	from, isWriter := args.(thrift.Writer)
	into, isReader := result.(thrift.Reader)
	if !isWriter || result != nil && !isReader {
		c.turn <- client
		return fmt.Errorf("%s: the messages are none of Thrift; use its definitions", method)
	}
	err := client.Call(ctx, method, from, into)
	if isBroken(err) {
		client.Close()
		client = nil
	}
	c.turn <- client
	return explained(err, result)
}

// isBroken is whether there may be no further call on the connection: after all errors but those that the other side told in an answer.
func isBroken(err error) bool {
	var told *thrift.ApplicationException
	var unreadable *thrift.ProtocolError
	var tooLong *thrift.TooLongError
	return err != nil && !(errors.As(err, &told) && told.Type != thrift.BadSequenceID && told.Type != thrift.WrongMethodName &&
		told.Type != thrift.InvalidMessageType) && !errors.As(err, &unreadable) && !errors.As(err, &tooLong)
}

// explained names the fields of a result that cannot be read.
func explained(err error, result definitions.Message) error {
	if explainer, ok := result.(interface{ Explain(error) error }); ok && err != nil {
		return explainer.Explain(err)
	}
	return err
}

// Close implements [Connection].
func (c *thriftConnection) Close() error {
	client := <-c.turn
	c.turn <- nil
	if client == nil {
		return nil
	}
	return client.Close()
}
