package thrift

import (
	"errors"
	"fmt"
	"log"
	"runtime/debug"
)

// PanicError is the panic of a handler, or of an answer while it was written.
type PanicError struct {
	// Method is the function that was called; "" where the code that reads messages from the connection panicked, which ended the
	// connection.
	Method string
	Value  any
	// Stack is the text of the stack at the panic.
	Stack []byte
}

// Error gives the value and the stack of the panic.
func (e *PanicError) Error() string {
	if e.Method == "" {
		return fmt.Sprintf("a connection panicked: %v\n%s", e.Value, e.Stack)
	}
	return fmt.Sprintf("%s: the handler panicked: %v\n%s", e.Method, e.Value, e.Stack)
}

// forCaller returns the error that a caller gets for a panic. It holds neither the value nor the stack, which are the server's own.
func (e *PanicError) forCaller() error { return errors.New("the handler panicked") }

// safely turns a panic into an error.
func safely(method string, do func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Method: method, Value: value, Stack: debug.Stack()}
		}
	}()
	return do()
}

// tell reports a panic to the first of these that there is: failed, Lost, the log.
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
