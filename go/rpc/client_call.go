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

// clientCall is one attempt of a call of Thrift. It is used again for others.
type clientCall struct {
	// method is the function's name in the IDL; that in the message may have the service's before it.
	method string
	stage  Stage
	result thrift.Reader
	out    thriftwire.Outgoing
	// done is told once, when err is set, and body is what the result is still to be read from, if it is long.
	done chan struct{}
	err  error
	body []byte
}

var clientCalls = sync.Pool{New: func() any { return &clientCall{done: make(chan struct{}, 1)} }}

func takeClientCall(r *request, args thrift.Writer, result thrift.Reader) *clientCall {
	c := clientCalls.Get().(*clientCall)
	c.method, c.result = r.method, result
	c.out = thriftwire.Outgoing{Form: thriftForms[r.client.Wire], Protocols: r.client.thrift, MessageBytes: r.client.MessageBytes,
		Header: thrift.Header{Method: r.client.nameOf(r.service, r.method), Type: thrift.Call}, Body: args, Named: c.out.Named[:0], Numbered: c.out.Numbered[:0]}
	if result == nil {
		c.out.Header.Type = thrift.Oneway
	}
	return c
}

// release keeps the call for others. Nobody may have it any more: no connection, and no goroutine.
func (c *clientCall) release() {
	c.method, c.result, c.err, c.body = "", nil, nil, nil
	c.out.Body = nil
	clientCalls.Put(c)
}

// describe sets what a TTHeader tells.
func (c *clientCall) describe(ctx context.Context, r *request) {
	if !c.out.Form.Carrier.HasHeader() {
		return
	}
	c.out.Flags = thriftwire.OutOfOrder | thriftwire.KnowsLeaving
	c.out.Numbered, c.out.Named = r.appendFacts(ctx, c.out.Numbered, c.out.Named)
}

// appendFacts appends what a TTHeader tells of a call or a stream.
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

// appendOutgoing appends metadata as a TTHeader tells it.
func appendOutgoing(to []thriftwire.Named, set outgoing) []thriftwire.Named {
	for _, pair := range set.single {
		to = append(to, thriftwire.Named{Name: thriftwire.Transient + pair.Name, Value: pair.Value})
	}
	for _, pair := range set.lasting {
		to = append(to, thriftwire.Named{Name: thriftwire.Persistent + pair.Name, Value: pair.Value})
	}
	return to
}

// milliseconds are what remains, rounded up: a server must not end a call before its caller does.
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

// fullName is a function's name with its service's, if that is known.
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

// Error is what the exception says.
func (e *answeredError) Error() string { return e.exception.Error() }

// complete takes the answer. Short ones are decoded by the goroutine that reads; long ones, which have memory of their own, by the caller.
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

// tookStatus takes an error of the service's own that the header tells, if it does.
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

// answeredBy is the error of an exception, and of what the header tells beside it.
func answeredBy(exception *thrift.ApplicationException, header *thriftwire.Header) *answeredError {
	answered := &answeredError{verdict{code: codeOfException(exception.Type)}, exception}
	if header.HasFacts() {
		header.EachNamed(func(name, value []byte) { answered.readFact(string(name), string(value)) })
	}
	return answered
}
