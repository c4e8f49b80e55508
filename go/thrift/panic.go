package thrift

import (
	"errors"
	"fmt"
	"log"
	"runtime/debug"
)

// PanicError is a handler that panicked, or an answer of one that did while it was written.
type PanicError struct {
	// Method is the function that was called; "" where the panic was in what reads messages from the connection, which it ended.
	Method string
	Value  any
	// Stack is the text of the stack at the panic.
	Stack []byte
}

// Error says what the panic said, and where it was.
func (e *PanicError) Error() string {
	if e.Method == "" {
		return fmt.Sprintf("a connection panicked: %v\n%s", e.Value, e.Stack)
	}
	return fmt.Sprintf("%s: the handler panicked: %v\n%s", e.Method, e.Value, e.Stack)
}

// forCaller is what a caller is told of a panic: neither its value nor its stack, which are the server's own.
func (e *PanicError) forCaller() error { return errors.New("the handler panicked") }

// safely makes an error of a panic.
func safely(method string, do func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Method: method, Value: value, Stack: debug.Stack()}
		}
	}()
	return do()
}

// tell tells one of them of a panic: failed, or Lost, or the log.
func (p *Processor) tell(panicked *PanicError, failed func(error)) {
	switch {
	case failed != nil:
		failed(panicked)
	case p.Lost != nil:
		p.Lost(panicked.Method, panicked)
	default:
		log.Print(panicked)
	}
}
