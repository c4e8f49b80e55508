package rpc

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"hone/go/thrift"
)

// Code says what kind of error it is, by gRPC's numbers (https://github.com/grpc/grpc/blob/master/doc/statuscodes.md).
type Code uint32

// All codes.
const (
	OK Code = iota
	Canceled
	Unknown
	InvalidArgument
	DeadlineExceeded
	NotFound
	AlreadyExists
	PermissionDenied
	ResourceExhausted
	FailedPrecondition
	Aborted
	OutOfRange
	Unimplemented
	Internal
	Unavailable
	DataLoss
	Unauthenticated
)

var codeNames = [...]string{"OK", "Canceled", "Unknown", "InvalidArgument", "DeadlineExceeded", "NotFound", "AlreadyExists", "PermissionDenied",
	"ResourceExhausted", "FailedPrecondition", "Aborted", "OutOfRange", "Unimplemented", "Internal", "Unavailable", "DataLoss", "Unauthenticated"}

// String is the name.
func (c Code) String() string {
	if int(c) < len(codeNames) {
		return codeNames[c]
	}
	return fmt.Sprintf("Code(%d)", uint32(c))
}

// Stage is how far a call came.
type Stage uint8

// All stages, in their order.
const (
	// Resolving finds the addresses of the service.
	Resolving Stage = iota + 1
	// Connecting opens a connection.
	Connecting
	// Sending writes the call. The server has not seen it as a whole.
	Sending
	// Waiting waits for the answer.
	Waiting
	// Reading reads the answer.
	Reading
	// Answering is the server's: its handler, or what stands around it, said no.
	Answering
)

var stageNames = [...]string{"", "finding the service", "connecting", "sending", "waiting for the answer", "reading the answer", "answered"}

// String says what was being done.
func (s Stage) String() string { return stageNames[s] }

// Error is a call that failed: on the client all errors but the exceptions that the IDL names, on the server what a handler returns to say
// more than a text.
type Error struct {
	Code    Code
	Message string
	// Stage, Method and Address say where the call failed; Method has the service's name before it where that is known. The client sets
	// them.
	Stage   Stage
	Method  string
	Address string
	// IsRefused is true where the server promises that no handler has run, so that the call may be repeated elsewhere.
	IsRefused bool
	// RetryAfter is how long the server asks clients to wait before they repeat the call, if they would at all; a negative one, or one of
	// more than a minute, asks them not to. 0 leaves it to them.
	RetryAfter time.Duration
	// Details are what gRPC's status tells beside: each is a message google.protobuf.Any.
	Details [][]byte
	// Cause is what the error comes from; it may be nil.
	Cause error
}

// Errorf makes an error for a handler to return.
func Errorf(code Code, format string, values ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, values...)}
}

// Error says which call, which address and which stage, and what went wrong.
func (e *Error) Error() string {
	var text strings.Builder
	if e.Method != "" {
		text.WriteString(e.Method)
		if e.Address != "" {
			text.WriteString(" at " + e.Address)
		}
		text.WriteString(": ")
	}
	if e.Stage != 0 {
		text.WriteString(e.Stage.String() + ": ")
	}
	text.WriteString(e.Code.String())
	if e.Message != "" {
		text.WriteString(": " + e.Message)
	}
	if e.Cause != nil && e.Message == "" {
		text.WriteString(": " + e.Cause.Error())
	}
	return text.String()
}

// within is the error, of a call with a context: where that has ended for a cause of its own, the error is also the context's. A call that its server has cancelled because its time
// was over has not been cancelled by its caller.
func (e *Error) within(ctx context.Context) *Error {
	if e == nil {
		return nil
	}
	if e.Code == Canceled && isLate(ctx) {
		e.Code = DeadlineExceeded
	}
	if ctx.Err() == nil {
		return e
	}
	if cause := context.Cause(ctx); errors.Is(e, cause) && !errors.Is(e, ctx.Err()) {
		e.Code, e.Cause = CodeOf(ctx.Err()), errors.Join(ctx.Err(), e.Cause)
	}
	return e
}

// isLate is whether a context's deadline has passed, also where its timer has not noticed yet; false where it was cancelled before.
func isLate(ctx context.Context) bool {
	if err := ctx.Err(); err != nil {
		return errors.Is(err, context.DeadlineExceeded)
	}
	deadline, has := ctx.Deadline()
	return has && !time.Now().Before(deadline)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Is makes an error that a server answered with equal to the context's of the same meaning.
func (e *Error) Is(target error) bool {
	return target == context.DeadlineExceeded && e.Code == DeadlineExceeded || target == context.Canceled && e.Code == Canceled
}

// CodeOf is the code of an error: OK of nil, and Unknown of one that has none.
func CodeOf(err error) Code {
	if err == nil {
		return OK
	}
	var own *Error
	var exception *thrift.ApplicationException
	switch {
	case errors.As(err, &own) && own != nil:
		return own.Code
	case errors.Is(err, context.DeadlineExceeded):
		return DeadlineExceeded
	case errors.Is(err, context.Canceled):
		return Canceled
	case errors.As(err, &exception) && exception != nil:
		return codeOfException(exception.Type)
	}
	return Unknown
}

// unknownService is what Kitex's servers answer, beside Thrift's types.
const unknownService thrift.ExceptionType = 20

// codeOfException is the nearest code to a type of Thrift's.
func codeOfException(of thrift.ExceptionType) Code {
	switch of {
	case thrift.UnknownMethod, unknownService:
		return Unimplemented
	case thrift.InvalidMessageType, thrift.ProtocolErrorOfCall, thrift.InvalidTransform, thrift.InvalidProtocol:
		return InvalidArgument
	case thrift.InternalError, thrift.MissingResultOfCall, thrift.BadSequenceID, thrift.WrongMethodName:
		return Internal
	}
	return Unknown
}

// exceptionOfCode is the type of Thrift's that is nearest to a code.
func exceptionOfCode(code Code) thrift.ExceptionType {
	switch code {
	case Unimplemented:
		return thrift.UnknownMethod
	case InvalidArgument:
		return thrift.ProtocolErrorOfCall
	}
	return thrift.InternalError
}
