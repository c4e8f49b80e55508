package thrift

import "fmt"

// ExceptionType says what went wrong with a call, by the numbers of Apache Thrift's TApplicationException.
type ExceptionType int32

// All types of exceptions.
const (
	UnknownException      ExceptionType = 0
	UnknownMethod         ExceptionType = 1
	InvalidMessageType    ExceptionType = 2
	WrongMethodName       ExceptionType = 3
	BadSequenceID         ExceptionType = 4
	MissingResultOfCall   ExceptionType = 5
	InternalError         ExceptionType = 6
	ProtocolErrorOfCall   ExceptionType = 7
	InvalidTransform      ExceptionType = 8
	InvalidProtocol       ExceptionType = 9
	UnsupportedClientType ExceptionType = 10
)

// ApplicationException is an answer that the IDL does not name: the call itself went wrong. An error that holds a nil pointer to an
// ApplicationException is an error too.
type ApplicationException struct {
	Message string        `thrift:"message,1"`
	Type    ExceptionType `thrift:"type,2,default,i32"`
}

// TypeId gives the type by the method that errors of Apache Thrift and of Kitex have.
func (p *ApplicationException) TypeId() int32 {
	if p == nil {
		return int32(InternalError)
	}
	return int32(p.Type)
}

// Error gives the message.
func (p *ApplicationException) Error() string {
	if p == nil {
		return "an application exception that is a nil pointer"
	}
	if p.Message == "" {
		return fmt.Sprintf("application exception of type %d", p.Type)
	}
	return p.Message
}

// ReadThrift reads the fields.
func (p *ApplicationException) ReadThrift(d *Decoder, off int) int {
	key := d.Key(off)
	if key == 11<<16|1 {
		p.Message, off, key = d.Text(off)
	}
	if key == 8<<16|2 {
		var number int32
		number, off, key = d.I32(off)
		p.Type = ExceptionType(number)
	}
	if key>>16 != 0 {
		return d.Rest(p, off, key, 0, 0)
	}
	return off + 1
}

// WriteThrift implements [Writer].
func (p *ApplicationException) WriteThrift(b []byte, off int) int {
	if p == nil {
		return PutEnd(b, off)
	}
	off = PutText(b, off, Head(11<<16|1), p.Message)
	off = PutI32(b, off, Head(8<<16|2), int32(p.Type))
	return PutEnd(b, off)
}

// MissingResult makes the error of a call whose answer has no result.
func MissingResult(method string) error {
	return &ApplicationException{Type: MissingResultOfCall, Message: method + ": the answer has no result"}
}
