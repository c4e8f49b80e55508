package rpc

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"hone/go/rpc/internal/grpcwire"
	"hone/go/rpc/internal/link"
	"hone/go/rpc/internal/thriftwire"
	"hone/go/thrift"
)

// serveThrift answers the calls of a connection whose messages have the given form.
//
// Without a TTHeader, calls are answered in their order, one at a time, as Apache's servers do it and some clients rely on: the reading
// goroutine runs the handlers itself. With a TTHeader, calls are answered at the same time.
func (c *serverConn) serveThrift(form thriftwire.Form) error {
	reader := thriftwire.Reader{Link: c.link, Form: form, MessageBytes: c.server.MessageBytes, Protocols: c.server.thrift}
	isOrdered := !form.Carrier.HasHeader()
	wire := &thriftServerWire{serverConn: c}
	streams := newServerStreams(wire)
	defer streams.end()
	c.mu.Lock()
	c.drainWire = wire.drain
	c.mu.Unlock()
	ahead := 0
	for {
		c.awaitRoom()
		message := thriftwire.Message{}
		if err := wire.next(&reader, &message); err != nil {
			return err
		}
		if message.IsOfStream() {
			if err := streams.take(&message); err != nil {
				return err
			}
			continue
		}
		c.enter()
		call := wire.newCall(&message)
		if isOrdered {
			// Earlier answers must not wait for this handler.
			c.link.FlushSoon()
			call.Run()
			if c.isEnding.Load() {
				// Calls that have come meanwhile are answered too. The deadline may have passed while the handler ran.
				c.conn.SetReadDeadline(time.Now().Add(quietPeriod))
				if c.link.Poll(); c.link.Buffered() == 0 {
					return nil
				}
			}
			continue
		}
		c.server.workers.Go(call)
		if ahead += len(message.Bytes); ahead >= mostAhead {
			ahead = 0
			runtime.Gosched()
		}
	}
}

// mostAhead is the number of bytes of calls that are decoded before their handlers run: if more were, the calls that many callers send at once would
// leave the processor's cache before they are used, and be looked at by the garbage collector.
const mostAhead = 32 << 10

// thriftServerWire is a server's connection with the state that only Thrift needs.
type thriftServerWire struct {
	*serverConn
	// knowsLeaving is true once the client has said that it can be told to leave.
	knowsLeaving bool
	once         sync.Once
}

// next reads the next message. While the server ends, it ends the connection after a silence.
func (w *thriftServerWire) next(reader *thriftwire.Reader, message *thriftwire.Message) error {
	for {
		if w.isEnding.Load() {
			w.conn.SetReadDeadline(time.Now().Add(quietPeriod))
		}
		moved := w.link.Moved()
		err := reader.Next(message)
		if w.isEnding.Load() && isTimeout(err) && (w.isBusy() || w.link.Moved() != moved) {
			continue
		}
		return err
	}
}

// drain tells a client that understands it to send no more calls over this connection. Other clients leave when their resolver no longer lists the
// server's address, or when an answer tells them to leave. The connection ends once no more calls come.
func (w *thriftServerWire) drain() {
	w.mu.Lock()
	knowsLeaving := w.knowsLeaving
	w.mu.Unlock()
	if knowsLeaving {
		// A frame with the number 0 belongs to no call. It is the one that Kitex's servers send.
		w.once.Do(func() { w.link.SendNow(&leavingFrame{w.server.thrift}) })
	}
	w.conn.SetReadDeadline(time.Now().Add(quietPeriod))
}

// leavingFrame tells a client that the connection will be closed.
type leavingFrame struct{ protocols *thriftwire.Protocols }

var isLeaving = []thriftwire.Named{{Name: thriftwire.Leaving, Value: "1"}}

// AppendFrame implements [link.Frame].
func (f *leavingFrame) AppendFrame(to []byte) ([]byte, error) {
	frame := thriftwire.Outgoing{Form: thriftwire.Form{Carrier: thriftwire.TTHeader}, Protocols: f.protocols, MessageBytes: 1 << 10,
		Header: thrift.Header{Method: "none", Type: thrift.Reply}, Body: new(thrift.Nothing), Named: isLeaving}
	return frame.AppendFrame(to)
}

// serverCall is a call that is being answered: a task of a worker, with the data from which the answer is written.
type serverCall struct {
	call   Call
	ctx    callContext
	conn   *serverConn
	method *thriftMethod
	args   thrift.Reader
	// body holds the arguments that are still to be read, if they are long.
	body []byte
	// header holds the facts of the call's TTHeader; nil if there are none.
	header   *thriftwire.Header
	parsed   sync.Once
	told     outgoing
	isOneway bool
	err      error
	out      thriftwire.Outgoing
}

// newCall makes a call of a message. An error in the message becomes the answer. Short messages are decoded here, where they lie in the
// connection's buffer; long ones, which have memory of their own, by the worker.
func (w *thriftServerWire) newCall(message *thriftwire.Message) *serverCall {
	c := &serverCall{conn: w.serverConn}
	c.ctx.conn, c.ctx.call = w.serverConn, &c.call
	c.call.Side, c.call.told, c.call.Address, c.call.TLS = ServerSide, c, w.conn.RemoteAddr(), w.secured
	c.out = thriftwire.Outgoing{Form: message.Form, Protocols: w.server.thrift, MessageBytes: w.server.MessageBytes}
	protocols := w.server.thrift
	header, off, err := protocols.ReadHeader(message.Form, message.Bytes)
	if err != nil {
		c.err = &unreadable{err}
		return c
	}
	if message.Form.Carrier.HasHeader() {
		w.takeHeader(c, message)
	}
	c.out.Header = thrift.Header{Type: thrift.Reply, Sequence: header.Sequence}
	c.isOneway = header.Type == thrift.Oneway
	c.method, err = w.server.thriftMethod(header.Method, c.call.Service)
	if err != nil {
		// Clients with a TMultiplexedProtocol want the function's name alone.
		c.out.Header.Method = strings.Clone(header.Method[strings.LastIndexByte(header.Method, ':')+1:])
		c.err = err
		return c
	}
	c.ctx.labels = c.method.labels
	c.out.Header.Method = c.method.name
	c.call.Service, c.call.Method, c.call.Wire = c.method.service, c.method.name, wireOf(message.Form)
	c.isOneway = c.isOneway || c.method.handler.IsOneway
	if header.Type != thrift.Call && header.Type != thrift.Oneway {
		c.err = &thrift.ApplicationException{Type: thrift.InvalidMessageType, Message: fmt.Sprintf("a message of type %d is no call", header.Type)}
		return c
	}
	c.args = c.method.handler.Args()
	if message.IsKept {
		c.body = message.Bytes[off:]
		return c
	}
	c.err = c.read(message.Bytes[off:])
	return c
}

// unreadable is the error of a message whose header cannot be read, so that nobody can be answered.
type unreadable struct{ error }

// takeHeader takes the facts that a call needs from its TTHeader.
func (w *thriftServerWire) takeHeader(c *serverCall, message *thriftwire.Message) {
	w.meet(&message.Header)
	if message.Header.HasFacts() {
		c.header = keepHeader(&message.Header, &c.ctx)
	}
}

// meet reads from a TTHeader whether the client can be told to leave.
func (w *thriftServerWire) meet(header *thriftwire.Header) {
	if header.Flags&thriftwire.KnowsLeaving != 0 && !w.knowsLeaving {
		w.mu.Lock()
		w.knowsLeaving = true
		w.mu.Unlock()
	}
}

// keepHeader returns a lasting copy of a call's TTHeader, and takes the deadline and the service from it.
func keepHeader(told *thriftwire.Header, ctx *callContext) *thriftwire.Header {
	header := *told
	header.Keep()
	header.Each(func(key uint16, value []byte) {
		if key == thriftwire.RPCTimeout {
			if ms, err := strconv.ParseInt(string(value), 10, 32); err == nil && ms > 0 {
				ctx.deadline = time.Now().Add(time.Duration(ms) * time.Millisecond)
			}
		}
	}, func(name, value []byte) {
		if string(name) == thriftwire.ServiceName {
			ctx.call.Service = string(value)
		}
	})
	return &header
}

// metadata reads the pairs that came with the call.
func (c *serverCall) metadata() outgoing {
	if c.header == nil {
		return outgoing{}
	}
	c.parsed.Do(func() { c.told = metadataIn(c.header) })
	return c.told
}

// metadataIn reads the metadata in a TTHeader.
func metadataIn(header *thriftwire.Header) (told outgoing) {
	header.EachNamed(func(name, value []byte) {
		if plain, ok := strings.CutPrefix(string(name), thriftwire.Persistent); ok {
			told.lasting = append(told.lasting, Pair{Name: plain, Value: string(value)})
		} else if plain, ok := strings.CutPrefix(string(name), thriftwire.Transient); ok {
			told.single = append(told.single, Pair{Name: plain, Value: string(value)})
		}
	})
	return told
}

// read reads the arguments.
func (c *serverCall) read(body []byte) (err error) {
	defer recovered(&err, c.method.name)
	c.ctx.label()
	defer unlabel()
	if err := c.out.Protocols.Of(c.out.Form).ReadBody(body, c.args); err != nil {
		return &thrift.ApplicationException{Type: thrift.ProtocolErrorOfCall, Message: err.Error()}
	}
	return nil
}

// Run answers the call.
func (c *serverCall) Run() {
	defer c.conn.leave()
	if c.body != nil && c.err == nil {
		c.err = c.read(c.body)
	}
	c.ctx.label()
	defer unlabel()
	if c.err == nil {
		c.call.Request = c.args
		c.err = c.conn.server.handle(&c.ctx, c)
		c.ctx.finish()
	}
	c.answer()
}

// serve implements [answerer].
func (c *serverCall) serve(ctx context.Context) (err error) {
	defer recovered(&err, c.method.name)
	args, isReader := c.call.Request.(thrift.Reader)
	if !isReader {
		return Errorf(Internal, "an interceptor made the request a %T", c.call.Request)
	}
	result, err := c.method.handler.Serve(ctx, args)
	if err == nil && result != nil {
		c.call.Response = result
	}
	return err
}

// answer sends the result, or the error.
func (c *serverCall) answer() {
	var broken *unreadable
	if errors.As(c.err, &broken) {
		c.conn.link.Close(broken.error)
		return
	}
	if c.isOneway {
		if c.err != nil {
			c.conn.server.lose(fmt.Errorf("one-way call %s: %w", c.call.Method, c.err))
		}
		return
	}
	result, isWriter := c.call.Response.(thrift.Writer)
	if c.err == nil && !isWriter {
		c.err = thrift.MissingResult(c.call.Method)
	}
	c.out.Body = result
	if c.err != nil && !c.tellStatus(c.err) {
		c.fail(c.err)
	}
	err := c.send()
	if err != nil && !c.conn.isClosed() {
		// The answer is too long, or panicked when it was written: nothing of it was sent.
		c.fail(fmt.Errorf("the answer: %w", err))
		err = c.send()
	}
	if err != nil && !c.conn.isClosed() {
		// Without an answer the caller would wait for ever.
		c.conn.link.Close(fmt.Errorf("call %.200s cannot be answered: %w", c.out.Header.Method, err))
	}
}

// tellStatus makes the answer an empty result with a service's own error in the header. It returns false if err is another error, or there is no header.
func (c *serverCall) tellStatus(err error) bool {
	status := bizStatusIn(err)
	if status == nil || !c.out.Form.Carrier.HasHeader() {
		return false
	}
	c.out.Body, c.out.Named = new(thrift.Nothing), c.conn.server.appendBizStatus(c.out.Named, status)
	return true
}

func (c *serverCall) send() error {
	if c.conn.isEnding.Load() && c.out.Form.Carrier.HasHeader() {
		c.out.Named = append(c.out.Named, isLeaving...)
	}
	if !c.out.Form.Carrier.HasHeader() {
		return c.conn.link.SendLater(context.Background(), &c.out)
	}
	return c.conn.link.Send(context.Background(), &c.out)
}

// fail makes the answer an exception. Panics are reported to the server alone.
func (c *serverCall) fail(err error) {
	c.out.Header.Type = thrift.Exception
	c.out.Body = c.conn.server.exceptionOf(c.out.Header.Method, err)
	c.out.Named = nil
	if c.out.Form.Carrier.HasHeader() {
		c.out.Named = verdictOf(err).appendFacts(nil)
	}
}

// exceptionOf returns the exception that a caller gets for an error. A long text is cut and marked as cut.
func (s *Server) exceptionOf(method string, err error) *thrift.ApplicationException {
	exception := s.wholeExceptionOf(method, err)
	text := cutText(exception.Message, min(mostTextBytes, s.MessageBytes/2))
	if len(text) == len(exception.Message) {
		return exception
	}
	s.lose(fmt.Errorf("answer of %.200s: its error has %d bytes, and was cut to %d: return a shorter one", method, len(exception.Message), len(text)))
	short := *exception
	short.Message = text
	return &short
}

// wholeExceptionOf returns the same exception as exceptionOf, with the whole text.
func (s *Server) wholeExceptionOf(method string, err error) *thrift.ApplicationException {
	var (
		panicked  *thrift.PanicError
		written   *link.PanicError
		exception *thrift.ApplicationException
		own       *Error
	)
	switch {
	case errors.Is(err, thrift.ErrLength):
		return &thrift.ApplicationException{Type: thrift.InternalError, Message: method + ": the answer: " + thrift.ErrLength.Error()}
	case errors.As(err, &panicked), errors.As(err, &written):
		s.lose(err)
		return &thrift.ApplicationException{Type: thrift.InternalError, Message: method + ": the handler panicked"}
	case errors.As(err, &exception) && exception != nil:
		return exception
	case errors.As(err, &own) && own != nil:
		return &thrift.ApplicationException{Type: exceptionOfCode(own.Code), Message: own.Message}
	}
	return &thrift.ApplicationException{Type: thrift.InternalError, Message: method + ": " + textOf(err)}
}

// mostTextBytes is the greatest length of an error's text on Thrift's wires: some clients take no longer messages, and TTHeaders take no longer texts.
const mostTextBytes = 60_000

// cutText returns as much of a text as has room, cut between two characters, with a mark that says so.
func cutText(text string, room int) string {
	if len(text) <= room {
		return text
	}
	mark := grpcwire.CutMark(text)
	end := max(room-len(mark), 0)
	for back := range utf8.UTFMax {
		if end >= back && utf8.RuneStart(text[end-back]) {
			end -= back
			break
		}
	}
	return text[:end] + mark
}

// textOf returns the text of an error, also of one that is a nil pointer of some type, whose own method may panic.
func textOf(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("the handler returned a %T that has no text, such as a nil pointer", err)
		}
	}()
	return err.Error()
}
