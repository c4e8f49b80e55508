package rpc

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"hone/go/thrift"
)

// Code is the kind of an error, by gRPC's numbers (https://github.com/grpc/grpc/blob/master/doc/statuscodes.md).
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

// String returns the name.
func (c Code) String() string {
	if int(c) < len(codeNames) {
		return codeNames[c]
	}
	return fmt.Sprintf("Code(%d)", uint32(c))
}

// Stage is the step at which a call is.
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
	// Answering is the server's stage: its handler, or code that runs around it, returned an error.
	Answering
)

var stageNames = [...]string{"", "finding the service", "connecting", "sending", "waiting for the answer", "reading the answer", "answered"}

// String describes the step.
func (s Stage) String() string { return stageNames[s] }

// Error is the error of a failed call: on the client every error except the exceptions that the IDL names; on the server an error that a handler
// returns to tell more than a text.
type Error struct {
	Code    Code
	Message string
	// Stage, Method and Address say where the call failed; Method has the service's name before it if that is known. The client sets
	// them.
	Stage   Stage
	Method  string
	Address string
	// IsRefused is true if the server promises that no handler has run, so that the call may be repeated elsewhere.
	IsRefused bool
	// RetryAfter is the time for which the server asks clients to wait before they repeat the call, if they repeat it at all. A negative time, or
	// more than a minute, asks them not to repeat it. 0 leaves the decision to them.
	RetryAfter time.Duration
	// Details are the details of gRPC's status: each is a message google.protobuf.Any.
	Details [][]byte
	// Cause is the error behind this one; it may be nil.
	Cause error
}

// Errorf makes an error for a handler to return.
func Errorf(code Code, format string, values ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, values...)}
}

// Error returns a text with the call, the address and the stage, and what went wrong.
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

// within returns the error of a call with a context: if the context has ended for a cause of its own, the error is also the context's. If the server
// has cancelled the call because its time was over, the code becomes DeadlineExceeded, since the caller has not cancelled it.
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

// isLate reports whether a context's deadline has passed, even if its timer has not fired yet; false if the context was cancelled before.
func isLate(ctx context.Context) bool {
	if err := ctx.Err(); err != nil {
		return errors.Is(err, context.DeadlineExceeded)
	}
	deadline, has := ctx.Deadline()
	return has && !time.Now().Before(deadline)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Is makes an error with the code DeadlineExceeded or Canceled, also one that a server answered with, match the context's error of that meaning.
func (e *Error) Is(target error) bool {
	return target == context.DeadlineExceeded && e.Code == DeadlineExceeded || target == context.Canceled && e.Code == Canceled
}

// CodeOf returns the code of an error: OK for nil, and Unknown for an error that has none.
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

// unknownService is a type of exceptions that Kitex's servers use, beside Thrift's types.
const unknownService thrift.ExceptionType = 20

// codeOfException returns the nearest code to a type of Thrift's exceptions.
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

// exceptionOfCode returns the type of Thrift's exceptions that is nearest to a code.
func exceptionOfCode(code Code) thrift.ExceptionType {
	switch code {
	case Unimplemented:
		return thrift.UnknownMethod
	case InvalidArgument:
		return thrift.ProtocolErrorOfCall
	}
	return thrift.InternalError
}
