package rpc

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"hone/go/rpc/internal/thriftwire"
	"hone/go/thrift"
)

// clientCall is one attempt of a call of Thrift. It is reused for other calls.
type clientCall struct {
	// method is the function's name in the IDL; the name in the message may have the service's name before it.
	method string
	stage  Stage
	result thrift.Reader
	out    thriftwire.Outgoing
	// done receives one value when the call has ended and err is set; body is a long result that is still to be read.
	done chan struct{}
	err  error
	body []byte
}

var clientCalls = sync.Pool{New: func() any { return &clientCall{done: make(chan struct{}, 1)} }}

// newCall takes a call from the pool, to be sent over the connection.
func (c *thriftConn) newCall(r *request, args thrift.Writer, result thrift.Reader) *clientCall {
	call := clientCalls.Get().(*clientCall)
	call.method, call.result = r.method, result
	call.out = thriftwire.Outgoing{Form: c.form, Protocols: c.client.thrift, MessageBytes: c.client.MessageBytes,
		Header: thrift.Header{Method: c.client.nameOf(r.service, r.method), Type: thrift.Call}, Body: args, Named: call.out.Named[:0], Numbered: call.out.Numbered[:0]}
	if result == nil {
		call.out.Header.Type = thrift.Oneway
	}
	return call
}

// release returns the call to the pool. No connection and no goroutine may hold it any more.
func (c *clientCall) release() {
	c.method, c.result, c.err, c.body = "", nil, nil, nil
	c.out.Body = nil
	clientCalls.Put(c)
}

// describe sets the flags and facts of the TTHeader, if there is one.
func (c *clientCall) describe(ctx context.Context, r *request) {
	if !c.out.Form.Carrier.HasHeader() {
		return
	}
	c.out.Flags = thriftwire.OutOfOrder | thriftwire.KnowsLeaving
	c.out.Numbered, c.out.Named = r.appendFacts(ctx, c.out.Numbered, c.out.Named)
}

// appendFacts appends the facts of a TTHeader about a call or a stream.
func (r *request) appendFacts(ctx context.Context, numbered []thriftwire.Numbered, named []thriftwire.Named) (
	[]thriftwire.Numbered, []thriftwire.Named) {
	if left, has := remaining(ctx); has {
		numbered = append(numbered, thriftwire.Numbered{Key: thriftwire.RPCTimeout, Value: milliseconds(left)})
	}
	if r.client.Name != "" {
		numbered = append(numbered, thriftwire.Numbered{Key: thriftwire.FromService, Value: r.client.Name})
	}
	if r.service != "" {
		named = append(named, thriftwire.Named{Name: thriftwire.ServiceName, Value: r.service})
	}
	return numbered, appendOutgoing(named, outgoingOf(ctx))
}

// appendOutgoing appends metadata as facts of a TTHeader.
func appendOutgoing(to []thriftwire.Named, set outgoing) []thriftwire.Named {
	for _, pair := range set.single {
		to = append(to, thriftwire.Named{Name: thriftwire.Transient + pair.Name, Value: pair.Value})
	}
	for _, pair := range set.lasting {
		to = append(to, thriftwire.Named{Name: thriftwire.Persistent + pair.Name, Value: pair.Value})
	}
	return to
}

// milliseconds returns the remaining time in milliseconds, rounded up: a server must not end a call before its caller does.
func milliseconds(left time.Duration) string {
	return strconv.FormatInt(max(1, int64((left+time.Millisecond-1)/time.Millisecond)), 10)
}

// thriftFailed makes the error of an attempt over Thrift.
func (i *instance) thriftFailed(stage Stage, err error) *Error {
	failure := i.failed(stage, err)
	var answered *answeredError
	var status *BizStatusError
	switch {
	case errors.As(err, &answered):
		failure.Stage, failure.Message, failure.Cause = Answering, answered.exception.Error(), answered.exception
		answered.setIn(failure)
	case errors.As(err, &status):
		failure.Code, failure.Stage = Unknown, Answering
	}
	return failure
}

// fullName returns a function's name with the service's name before it, if that is known.
func fullName(service, method string) string {
	if service == "" {
		return method
	}
	return service + "." + method
}

// answeredError is an exception that the server answered with.
type answeredError struct {
	verdict
	exception *thrift.ApplicationException
}

// Error returns the text of the exception.
func (e *answeredError) Error() string { return e.exception.Error() }

// complete takes the answer. Short answers are decoded by the reading goroutine; long ones, which have memory of their own, by the caller.
func (c *clientCall) complete(message *thriftwire.Message, header thrift.Header, off int) {
	body := message.Bytes[off:]
	switch {
	case message.TooLong > 0:
		c.err = &thrift.TooLongError{Bytes: message.TooLong, Limit: c.out.MessageBytes}
	case header.Method != c.method && header.Method != c.out.Header.Method:
		c.err = &thrift.ApplicationException{Type: thrift.WrongMethodName, Message: c.out.Header.Method + ": answered as " + header.Method}
	case header.Type == thrift.Exception:
		c.err = readException(c.out.Protocols.Of(message.Form), body, &message.Header)
	case header.Type != thrift.Reply:
		c.err = &thrift.ApplicationException{Type: thrift.InvalidMessageType, Message: c.out.Header.Method + ": the answer is none"}
	case c.tookStatus(&message.Header):
	case message.IsKept:
		c.body, c.out.Form = body, message.Form
	default:
		c.err = c.read(message.Form, body)
	}
}

// tookStatus takes a service's own error from the header, and reports whether there is one.
func (c *clientCall) tookStatus(header *thriftwire.Header) bool {
	c.err = bizStatusOf(header)
	return c.err != nil
}

// read reads the result.
func (c *clientCall) read(form thriftwire.Form, body []byte) (err error) {
	defer recovered(&err, c.out.Header.Method)
	return c.out.Protocols.Of(form).ReadBody(body, c.result)
}

func readException(protocol thrift.Protocol, body []byte, header *thriftwire.Header) error {
	exception := new(thrift.ApplicationException)
	if err := protocol.ReadBody(body, exception); err != nil {
		return err
	}
	return answeredBy(exception, header)
}

// answeredBy makes an error of an exception and the facts of the header.
func answeredBy(exception *thrift.ApplicationException, header *thriftwire.Header) *answeredError {
	answered := &answeredError{verdict{code: codeOfException(exception.Type)}, exception}
	if header.HasFacts() {
		header.EachNamed(func(name, value []byte) { answered.readFact(string(name), string(value)) })
	}
	return answered
}
