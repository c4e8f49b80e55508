package rpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"hone/go/rpc/internal/link"
	"hone/go/rpc/internal/thriftwire"
	"hone/go/rpc/internal/ttstream"
	"hone/go/thrift"
)

// thriftConn is a connection that carries many calls of Thrift at the same time, told apart by their sequence numbers.
type thriftConn struct {
	client *Client
	form   thriftwire.Form
	link   *link.Link
	hooks  hooks

	mu sync.Mutex
	// places holds the calls that wait for answers; the low bits of a call's sequence number are the index of its place.
	places []place
	// free holds the indexes of places without a call.
	free []uint16
	// isLeaving is true once the connection takes no more calls, for example since the server has said that it will close it.
	isLeaving bool
	hasEnded  bool
	waiting   int
	// givenUp is the number of places that are kept for answers that nobody waits for any more.
	givenUp int
	// streams holds the open streams by their numbers; lastStream is the number of the last one that was opened.
	streams    map[int32]*clientThriftStream
	lastStream int32
	room       ttstream.Room
}

// place belongs to one call at a time, until its answer comes. A call that has been given up keeps its place, so that its late answer is not taken
// for that to another call. turn, in the high bits of the sequence number, tells the calls of a place apart if one is answered more than once.
type place struct {
	call      *clientCall
	turn      uint16
	isGivenUp bool
}

// A sequence number has the index of a place in its low bits, and a turn, which is never 0, in the bits above. It is positive.
const (
	placeBits = 16
	mostTurns = 1<<15 - 1
	mostCalls = 1 << placeBits
)

// mostGivenUp is the number of given-up calls without an answer that a connection may have before it takes no more calls.
const mostGivenUp = 1024

// errNotSent is the error of a call of which nothing was sent: the call may be sent over another connection.
var errNotSent = errors.New("the connection ended before the call was sent")

func newThriftConn(client *Client, form thriftwire.Form, conn net.Conn, told hooks) *thriftConn {
	c := &thriftConn{client: client, form: form, link: link.New(conn, link.Options{}), hooks: told}
	goUnlabelled(c.readAnswers)
	return c
}

// takesCalls reports whether the connection is open and will stay so.
func (c *thriftConn) takesCalls() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.hasEnded && !c.isLeaving
}

// isOver implements [connection].
func (c *thriftConn) isOver() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hasEnded
}

// close implements [connection].
func (c *thriftConn) close(cause error) { c.link.CloseDrained(cause, lingerTimeout) }

// lingerTimeout is the time for which a connection that is closed waits for the peer to take the bytes that were sent.
const lingerTimeout = time.Second

// attempt makes an attempt of a call.
func (c *thriftConn) attempt(ctx context.Context, at *instance, r *request, result any) *Error {
	args, isWriter := r.args.(thrift.Writer)
	into, isReader := result.(thrift.Reader)
	if !isWriter || !isReader && result != nil {
		return &Error{Code: Internal, Stage: Sending, Message: fmt.Sprintf("%T and %T are no arguments and result of Thrift", r.args, result)}
	}
	call := c.newCall(r, args, into)
	call.describe(ctx, r)
	err := c.call(ctx, call)
	if err != nil {
		return at.thriftFailed(call.stage, err)
	}
	call.release()
	return nil
}

// call sends a call and waits for its answer.
func (c *thriftConn) call(ctx context.Context, call *clientCall) error {
	call.stage = Sending
	if err := c.enter(call); err != nil {
		return err
	}
	sequence, moved := call.out.Header.Sequence, c.link.Moved()
	if err := c.link.Send(ctx, &call.out); err != nil {
		if !c.forget(sequence) {
			<-call.done
		}
		if c.link.Cause() != nil {
			err = fmt.Errorf("%w: %w", errNotSent, err)
		}
		c.noteSilence(ctx, moved)
		return err
	}
	if call.result == nil {
		if !c.forget(sequence) {
			// The server has answered all the same, or the connection has ended: the goroutine that took the call still has it.
			<-call.done
		}
		return nil
	}
	call.stage = Waiting
	if err := c.await(ctx, call, sequence); err != nil {
		c.noteSilence(ctx, moved)
		return err
	}
	call.stage = Reading
	if call.err == nil && call.body != nil {
		call.err = call.read(call.out.Form, call.body)
	}
	return call.err
}

// await waits for the answer, or for the end of the call's time.
func (c *thriftConn) await(ctx context.Context, call *clientCall, sequence int32) error {
	select {
	case <-call.done:
		return c.lostOr(call)
	case <-ctx.Done():
	}
	if !c.giveUp(sequence) {
		// The answer is being read at this moment.
		<-call.done
		return c.lostOr(call)
	}
	return context.Cause(ctx)
}

// lostError is the error of calls whose connection ended before they were answered.
type lostError struct{ cause error }

// Error returns a text with the cause.
func (e *lostError) Error() string {
	return "the connection ended before the answer: " + e.cause.Error()
}

// Unwrap returns the cause.
func (e *lostError) Unwrap() error { return e.cause }

func (c *thriftConn) lostOr(call *clientCall) error {
	if lost, isLost := call.err.(*lostError); isLost {
		return lost
	}
	return nil
}

// enter gives a call its place and its sequence number.
func (c *thriftConn) enter(call *clientCall) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hasEnded || c.isLeaving {
		return errNotSent
	}
	if len(c.free) == 0 {
		if len(c.places) == mostCalls {
			return fmt.Errorf("%d calls wait for answers over one connection, and no more can: set Connections higher", mostCalls)
		}
		c.free = append(c.free, uint16(len(c.places)))
		c.places = append(c.places, place{})
	}
	at := c.free[len(c.free)-1]
	c.free = c.free[:len(c.free)-1]
	p := &c.places[at]
	p.turn = p.turn%mostTurns + 1
	p.call = call
	c.waiting++
	call.out.Header.Sequence = int32(p.turn)<<placeBits | int32(at)
	return nil
}

// take removes a call from its place, which is then free for another call. It returns nil if the number has no call, or its call has been given up.
func (c *thriftConn) take(sequence int32) *clientCall {
	c.mu.Lock()
	p := c.placeOf(sequence)
	if p == nil {
		c.mu.Unlock()
		return nil
	}
	call := p.call
	if p.call = nil; p.isGivenUp {
		p.isGivenUp = false
		c.givenUp--
	} else {
		c.waiting--
	}
	c.free = append(c.free, uint16(sequence))
	c.unlock()
	return call
}

// placeOf returns the place of the call with a number; nil if there is none. It is called with the lock.
func (c *thriftConn) placeOf(sequence int32) *place {
	at, turn := int(uint16(sequence)), uint16(sequence>>placeBits)
	if at >= len(c.places) || c.places[at].turn != turn || c.places[at].call == nil && !c.places[at].isGivenUp {
		return nil
	}
	return &c.places[at]
}

// stopTaking makes the connection take no more calls. It is called with the lock.
func (c *thriftConn) stopTaking() {
	if !c.isLeaving {
		c.isLeaving = true
		if c.hooks.left != nil {
			// The lock is held here.
			goUnlabelled(c.hooks.left)
		}
	}
}

// noteSilence leaves the connection if a call's deadline has passed and nothing has come since the call began: the peer may have vanished silently.
func (c *thriftConn) noteSilence(ctx context.Context, moved uint64) {
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) || c.link.Moved() != moved {
		return
	}
	if c.hooks.fellSilent != nil && c.takesCalls() {
		c.hooks.fellSilent()
	}
	c.leave()
}

// unlock releases the lock. If the connection takes no more calls and nothing waits for the server, it is closed.
func (c *thriftConn) unlock() {
	isLast := c.isLeaving && c.isIdle()
	c.mu.Unlock()
	if isLast {
		go c.link.CloseDrained(link.ErrClosed, lingerTimeout)
	}
}

// forget takes back a call that will not be answered. It returns false if the connection has ended, or an answer is being read all the same:
// then the call's done will receive a value.
func (c *thriftConn) forget(sequence int32) bool { return c.take(sequence) != nil }

// giveUp is like forget, for a call that will be answered: it keeps the call's place.
func (c *thriftConn) giveUp(sequence int32) bool {
	c.mu.Lock()
	p := c.placeOf(sequence)
	if p == nil || p.call == nil {
		c.mu.Unlock()
		return false
	}
	p.call, p.isGivenUp = nil, true
	c.waiting--
	if c.givenUp++; c.givenUp > mostGivenUp {
		c.stopTaking()
	}
	c.unlock()
	return true
}

// readAnswers reads answers until the connection ends, and then fails the calls that wait.
func (c *thriftConn) readAnswers() {
	reader := thriftwire.Reader{Link: c.link, Form: c.form, MessageBytes: c.client.MessageBytes, Protocols: c.client.thrift, SkipsLong: true}
	var err error
	for err == nil {
		err = c.readAnswer(&reader)
	}
	if err == io.EOF {
		err = errors.New("the other side closed it")
	}
	c.link.Close(err)
	c.end(&lostError{c.link.Cause()})
}

// readAnswer reads one answer and passes it to its call.
func (c *thriftConn) readAnswer(reader *thriftwire.Reader) error {
	var message thriftwire.Message
	if err := reader.Next(&message); err != nil {
		return err
	}
	if message.IsOfStream() {
		return c.takeFrame(&message)
	}
	header, off, err := c.client.thrift.ReadHeader(message.Form, message.Bytes)
	if err != nil {
		return err
	}
	if message.Form.Carrier.HasHeader() && message.Header.HasFacts() {
		message.Header.EachNamed(func(name, _ []byte) {
			if string(name) == thriftwire.Leaving {
				c.leave()
			}
		})
	}
	// If no call waits for the answer, it came too late.
	if call := c.take(header.Sequence); call != nil {
		call.complete(&message, header, off)
		call.done <- struct{}{}
	}
	return nil
}

// isIdle reports whether no call and no stream waits for the server. It is called with the lock.
func (c *thriftConn) isIdle() bool { return c.waiting == 0 && len(c.streams) == 0 }

// leave makes the connection take no more calls, and closes it once all are answered.
func (c *thriftConn) leave() {
	c.mu.Lock()
	c.stopTaking()
	c.unlock()
}

// end fails all calls and streams that wait.
func (c *thriftConn) end(err error) {
	c.mu.Lock()
	c.hasEnded = true
	c.stopTaking()
	var waiting []*clientCall
	for i := range c.places {
		if call := c.places[i].call; call != nil {
			waiting = append(waiting, call)
			c.places[i].call = nil
		}
	}
	streams := c.streams
	c.streams = nil
	c.mu.Unlock()
	for _, stream := range streams {
		stream.finish(err)
	}
	for _, call := range waiting {
		call.err = err
		call.done <- struct{}{}
	}
}
