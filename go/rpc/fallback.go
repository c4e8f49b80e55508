package rpc

import (
	"context"
	"errors"
)

// Fallback is a function that answers in the place of a call that has failed after all retries. It fills call.Response, which is empty, and returns
// nil, or it returns the error for the caller. The context may have ended, by its deadline.
type Fallback func(ctx context.Context, call *Call, failed error) error

// fallBack answers a failed call by the fallback, if there is one. It leaves out cancelled calls, for whose answer nobody waits, and streams, which
// have no answer.
func (c *Client) fallBack(ctx context.Context, call *Call, failed error) error {
	answer := c.Policies.Fallback
	if failed == nil || answer == nil || call.opened != nil || errors.Is(ctx.Err(), context.Canceled) {
		return failed
	}
	if call.Response != nil {
		// A part of an answer may have been read.
		copyResult(call.Response, blankLike(call.Response))
	}
	if err := answer(ctx, call, failed); err != nil {
		return err
	}
	call.FallbackFor = failed
	return nil
}
