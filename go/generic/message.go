package generic

import (
	"bytes"
	"errors"
	"math"

	"hone/go/thrift"
)

// Message holds the arguments or the result of a function. It is made from JSON or from a map of Go and then written, or it is read and then turned
// into JSON or a map. Several goroutines may use the same message as long as none changes it.
type Message struct {
	function *Function
	of       *structure
	// binary is the message in the Binary protocol. Its bytes are never changed, so strings of Go may share their memory.
	binary []byte
	// wrong leads to the fault of the message that was read last.
	wrong steps
}

// Blank returns a new, empty message of the same kind.
func (m *Message) Blank() any { return &Message{function: m.function, of: m.of} }

// UnmarshalJSON sets the message from JSON text. If it fails, the message is unchanged.
//
// # Errors
//
// An [Error].
func (m *Message) UnmarshalJSON(text []byte) error {
	limits := m.function.options.limits()
	from, err := parseJSON(text, limits.Nesting())
	if err != nil {
		return err.named(m.root(), text)
	}
	if fault := m.set(from, limits.Bytes(len(text))); fault != nil {
		return located(fault, text).named(m.root(), text)
	}
	return nil
}

// SetMap sets the message from a map of Go, which must not change meanwhile. If it fails, the message is unchanged.
//
// # Errors
//
// An [Error].
func (m *Message) SetMap(from map[string]any) error {
	if from == nil {
		from = map[string]any{}
	}
	if fault := m.set(from, math.MaxInt32); fault != nil {
		return &Error{Path: fault.path.text(m.root()), Problem: fault.problem, Mend: fault.mend, Offset: -1}
	}
	return nil
}

// set sets the message from a value. The message may have at most the given number of bytes, and never more than 31 bits can tell, as no length in a
// message has more.
func (m *Message) set(from any, most int) *fault {
	w := &writer{limit: min(most, math.MaxInt32), depth: m.function.options.limits().Depth}
	if fault := w.message(m.of, from); fault != nil {
		return fault
	}
	m.binary = w.b[:w.off:w.off]
	return nil
}

// MarshalJSON returns the message as JSON text.
//
// # Errors
//
// An [Error] if a text is not UTF-8, or if the message is beyond the limits. A [thrift.ApplicationException] if a result is empty although the
// function returns a value.
func (m *Message) MarshalJSON() ([]byte, error) {
	to := &jsonText{textForLong: m.function.options.TextForI64}
	if err := m.give(to); err != nil {
		return nil, err
	}
	return to.b, nil
}

// Map returns the message as a map of Go.
//
// # Errors
//
// The same as those of [Message.MarshalJSON], except that texts need not be UTF-8.
func (m *Message) Map() (map[string]any, error) {
	to := &goValue{}
	if err := m.give(to); err != nil {
		return nil, err
	}
	return to.made.(map[string]any), nil
}

// Exception returns the name of the exception that a result holds, as the function's throws clause has it; "" if it holds none.
func (m *Message) Exception() string {
	if !m.of.isResult {
		return ""
	}
	if chosen := m.answer(); chosen != nil && chosen.id() != 0 {
		return chosen.name
	}
	return ""
}

// answer returns the field that a result has, or nil.
func (m *Message) answer() (chosen *field) {
	m.read(nothing{}, func(r *reader, off int) (end int) {
		chosen, _, end = r.answer(m.of, off)
		return end
	})
	return chosen
}

// give passes the values of the message to a sink.
func (m *Message) give(to sink) error {
	if m.of.isResult && m.of.byID(0) != nil && m.answer() == nil {
		return thrift.MissingResult(m.function.Name)
	}
	r, err := m.read(to, func(r *reader, off int) int { return r.message(m.of, off) })
	switch {
	case err == nil:
		return nil
	case r.fault != nil:
		return &Error{Path: r.path.text(m.root()), Problem: r.fault.problem, Mend: r.fault.mend, Offset: -1}
	}
	return m.explain(err, r.path)
}

// read reads the message again. The message was checked when it was made.
func (m *Message) read(to sink, read func(r *reader, off int) int) (*reader, error) {
	message := m.binary
	if message == nil {
		message = []byte{byte(thrift.Stop)}
	}
	limits := m.function.options.limits()
	body := &body{reader: reader{to: to, room: limits.Bytes(len(message))}, read: read}
	err := thrift.UnmarshalWith(thrift.Options{Texts: thrift.Borrowed, Limits: boundless}, message, body)
	return &body.reader, err
}

// body reads a message of this package again.
type body struct {
	reader
	read func(r *reader, off int) int
}

// ReadThrift implements [thrift.Reader].
func (b *body) ReadThrift(d *thrift.Decoder, off int) int {
	b.d = d
	return b.read(&b.reader, off)
}

// WriteThrift implements [thrift.Writer].
func (m *Message) WriteThrift(b []byte, off int) int {
	if m.binary == nil {
		return thrift.PutEnd(b, off)
	}
	return thrift.PutUnknown(b, off, m.binary)
}

// ReadThrift implements [thrift.Reader]. It checks the message against the IDL.
func (m *Message) ReadThrift(d *thrift.Decoder, off int) int {
	r := &reader{d: d, to: nothing{}}
	end := r.message(m.of, off)
	m.binary, m.wrong = nil, r.path
	if !d.Broken() && d.Allocate(end-off, 1, off) {
		m.binary = bytes.Clone(d.Part(off, end))
	}
	return end
}

// Explain adds the names of fields to an error about the message that was read last. It returns other errors unchanged.
func (m *Message) Explain(err error) error { return m.explain(err, m.wrong) }

func (m *Message) explain(err error, path steps) error {
	var fault *thrift.ProtocolError
	if !errors.As(err, &fault) {
		return err
	}
	return &Error{Path: path.text(m.root()), Problem: fault.Fault.Cause().String(), Offset: fault.Fault.Offset(), Cause: err}
}

// root returns the beginning of all paths.
func (m *Message) root() string {
	if m.of.isResult {
		return ""
	}
	return "args"
}
