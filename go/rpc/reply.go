package rpc

import (
	"context"
	"errors"
	"fmt"

	"hone/go/rpc/internal/h2"
)

// SetHeader adds metadata that is sent before the response of the call that a handler's context belongs to. Only gRPC
// and streams of Thrift have such metadata.
//
// # Errors
//
// An error if the header has been sent, or the call is of another kind; an error of pairs that cannot be sent, which are left out: the others are sent.
func SetHeader(ctx context.Context, header Metadata) error {
	call, err := replyingOf(ctx)
	if err != nil {
		return err
	}
	return call.setHeader(header)
}

// SetTrailer adds metadata that is sent after the response of the call that a handler's context belongs to, or with its error. Only gRPC
// and streams of Thrift have such metadata.
//
// # Errors
//
// An error if the call is of another kind; an error of pairs that cannot be sent, which are left out: the others are sent.
func SetTrailer(ctx context.Context, trailer Metadata) error {
	call, err := replyingOf(ctx)
	if err != nil {
		return err
	}
	return call.setTrailer(trailer)
}

// replyingOf returns the call that a handler's context belongs to, if metadata goes with its answer.
func replyingOf(ctx context.Context) (replying, error) {
	if call := CallOf(ctx); call != nil {
		if of, isReplying := call.told.(replying); isReplying {
			return of, nil
		}
	}
	return nil, Errorf(Internal, "headers and trailers are sent with answers over gRPC alone, and with streams: give the context of a handler of such a call")
}

func (c *grpcCall) setHeader(header Metadata) error {
	c.replied.Lock()
	defer c.replied.Unlock()
	if c.hasSentHeader {
		return Errorf(Internal, "the header has been sent: set it before the first response")
	}
	return c.add(&c.header, "header", header)
}

func (c *grpcCall) setTrailer(trailer Metadata) error {
	c.replied.Lock()
	defer c.replied.Unlock()
	return c.add(&c.trailer, "trailer", trailer)
}

// add adds the pairs that can be sent and that the client takes. Many handlers do not look at the error, so the server reports it too.
func (c *grpcCall) add(to *[]h2.Field, what string, pairs Metadata) error {
	var bad []error
	room := c.stream.PeerHeaderBytes()
	for _, field := range *to {
		room -= field.Bytes()
	}
	for _, field := range appendFields(nil, "", pairs) {
		err := checkMetadata(field)
		if err == nil && field.Bytes() > room {
			err = Errorf(ResourceExhausted, "metadata %.100q of %d bytes has no room: the client takes a %s of %d bytes; send less", field.Name, field.Bytes(), what,
				c.stream.PeerHeaderBytes())
		}
		if err != nil {
			bad = append(bad, err)
			continue
		}
		*to, room = append(*to, field), room-field.Bytes()
	}
	if bad == nil {
		return nil
	}
	err := errors.Join(bad...)
	c.conn.server.lose(fmt.Errorf("answer of %s: left out of the %s: %w", c.stream.Request.Path, what, err))
	return err
}

// sendHeader sends the header once.
func (c *grpcCall) sendHeader() error {
	c.replied.Lock()
	defer c.replied.Unlock()
	if c.hasSentHeader {
		return nil
	}
	err := c.stream.SendHeader(&c.ctx, c.headerTemplate(), c.header)
	c.hasSentHeader = err == nil
	return err
}

// takeReply returns the header and the trailer for an answer that is sent at once. Nothing can be added any more.
func (c *grpcCall) takeReply() (header, trailer []h2.Field) {
	c.replied.Lock()
	defer c.replied.Unlock()
	c.hasSentHeader = true
	return c.header, c.trailer
}
