package rpc

import (
	"context"

	"hone/go/rpc/internal/h2"
)

// SetHeader adds to what is sent before the response of the call that a handler's context belongs to. Only gRPC
// and streams of Thrift have such metadata.
//
// # Errors
//
// That the header has been sent, or that the call is another one.
func SetHeader(ctx context.Context, header Metadata) error {
	call, err := replyingOf(ctx)
	if err != nil {
		return err
	}
	return call.setHeader(header)
}

// SetTrailer adds to what is sent after the response of the call that a handler's context belongs to, or with its error. Only gRPC
// and streams of Thrift have such metadata.
//
// # Errors
//
// That the call is another one.
func SetTrailer(ctx context.Context, trailer Metadata) error {
	call, err := replyingOf(ctx)
	if err != nil {
		return err
	}
	call.setTrailer(trailer)
	return nil
}

// replyingOf is the call that a handler's context belongs to, if metadata goes with its answer.
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
	c.header = appendFields(c.header, "", header)
	return nil
}

func (c *grpcCall) setTrailer(trailer Metadata) {
	c.replied.Lock()
	defer c.replied.Unlock()
	c.trailer = appendFields(c.trailer, "", trailer)
}

// sendHeader sends the header once.
func (c *grpcCall) sendHeader() error {
	c.replied.Lock()
	defer c.replied.Unlock()
	if c.hasSentHeader {
		return nil
	}
	c.hasSentHeader = true
	return c.stream.SendHeader(&c.ctx, c.headerTemplate(), c.header)
}

// takeReply gives the header and the trailer for an answer that is sent at once. Nothing can be added any more.
func (c *grpcCall) takeReply() (header, trailer []h2.Field) {
	c.replied.Lock()
	defer c.replied.Unlock()
	c.hasSentHeader = true
	return c.header, c.trailer
}
