package generic

import (
	"bytes"
	"errors"
	"math"

	"hone/go/thrift"
)

// Message is what a function takes or gives. It is made from JSON or a map of Go and written, or read and turned into these. Several
// goroutines may use one that nobody changes.
type Message struct {
	function *Function
	of       *structure
	// binary is the message in the Binary protocol. What it holds is never changed, so that texts of Go may be parts of it.
	binary []byte
	// wrong leads to what was wrong with the message that was read last.
	wrong steps
}

// Blank makes room for another message of the same kind.
func (m *Message) Blank() any { return &Message{function: m.function, of: m.of} }

// UnmarshalJSON makes the message of JSON text. The message is what it was before where that fails.
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

// SetMap makes the message of a map of Go, which must not change meanwhile. The message is what it was before where that fails.
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

// set makes the message of a value, of so many bytes at most. No length in a message has more than 31 bits.
func (m *Message) set(from any, most int) *fault {
	w := &writer{limit: min(most, math.MaxInt32), depth: m.function.options.limits().Depth}
	if fault := w.message(m.of, from); fault != nil {
		return fault
	}
	m.binary = w.b[:w.off:w.off]
	return nil
}

// MarshalJSON is the message as JSON text.
//
// # Errors
//
// An [Error] of a text that is not UTF-8, or of a message beyond the limits. An [thrift.ApplicationException] of a result that holds
// nothing where the function gives something.
func (m *Message) MarshalJSON() ([]byte, error) {
	to := &jsonText{textForLong: m.function.options.TextForI64}
	if err := m.give(to); err != nil {
		return nil, err
	}
	return to.b, nil
}

// Map is the message as a map of Go.
//
// # Errors
//
// As those of [Message.MarshalJSON], but that text may be anything.
func (m *Message) Map() (map[string]any, error) {
	to := &goValue{}
	if err := m.give(to); err != nil {
		return nil, err
	}
	return to.made.(map[string]any), nil
}

// Exception is the name of the exception that a result holds, as the function's throws has it; "" for none.
func (m *Message) Exception() string {
	if !m.of.isResult {
		return ""
	}
	if chosen := m.answer(); chosen != nil && chosen.id() != 0 {
		return chosen.name
	}
	return ""
}

// answer is the field that a result has, or nil.
func (m *Message) answer() (chosen *field) {
	m.read(nothing{}, func(r *reader, off int) (end int) {
		chosen, _, end = r.answer(m.of, off)
		return end
	})
	return chosen
}

// give gives the message to a sink.
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

// read goes over the message, which was looked at when it was made.
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

// body is a message of ours that is read again.
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

// ReadThrift implements [thrift.Reader]. What is read is checked against the IDL.
func (m *Message) ReadThrift(d *thrift.Decoder, off int) int {
	r := &reader{d: d, to: nothing{}}
	end := r.message(m.of, off)
	m.binary, m.wrong = nil, r.path
	if !d.Broken() && d.Allocate(end-off, 1, off) {
		m.binary = bytes.Clone(d.Part(off, end))
	}
	return end
}

// Explain says what is wrong with the message that was read last by the names of its fields, where an error says that something is.
// Other errors it gives as they are.
func (m *Message) Explain(err error) error { return m.explain(err, m.wrong) }

func (m *Message) explain(err error, path steps) error {
	var fault *thrift.ProtocolError
	if !errors.As(err, &fault) {
		return err
	}
	return &Error{Path: path.text(m.root()), Problem: fault.Fault.Cause().String(), Offset: fault.Fault.Offset(), Cause: err}
}

// root returns the beginning of paths.
func (m *Message) root() string {
	if m.of.isResult {
		return ""
	}
	return "args"
}
