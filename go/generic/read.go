package generic

import (
	"strconv"
	"unicode/utf8"

	"hone/go/idl"
	"hone/go/thrift"
)

// sink takes the values of a message as they are read, and makes JSON text or values of Go from them.
type sink interface {
	// object begins an object. array begins an array of at least so many elements. end ends the object or the array that began last.
	object()
	array(n int)
	end()
	// name takes the name of the next value in an object.
	name(text string)
	boolean(is bool)
	integer(number int64)
	// long takes a number of type i64.
	long(number int64)
	double(number float64)
	text(text string)
	binary(bytes []byte)
	// size returns roughly the number of bytes that were allocated.
	size() int
	// isText reports whether the sink makes text, which must be UTF-8.
	isText() bool
}

// reader reads a message by its description and gives its values to a sink.
type reader struct {
	d  *thrift.Decoder
	to sink
	// room is the number of bytes that the sink may allocate.
	room int
	// seen has a flag for each field of the structs that are being read, the outermost struct first. It says whether the field was there.
	seen []bool
	// path leads to the fault of the message, the last step first.
	path steps
	// fault is the reason why the sink refuses a message that its protocol allows; nil otherwise.
	fault *fault
}

// onlyLooks reports whether the message is only checked, and nothing is made from it.
func (r *reader) onlyLooks() bool { return r.to == sink(nothing{}) }

// message reads the arguments or the result of a function.
func (r *reader) message(s *structure, off int) int {
	if s.isResult && !r.onlyLooks() {
		return r.result(s, off)
	}
	return r.structOf(s, off)
}

// structOf reads a struct that begins at off, and returns the offset behind its stop.
func (r *reader) structOf(s *structure, off int) int {
	d := r.d
	var key uint32
	if s.isRecursive {
		key = d.Enter(off)
		defer d.Leave(off)
	} else {
		key = d.Key(off)
	}
	start := len(r.seen)
	r.seen = append(r.seen, make([]bool, len(s.fields))...)
	r.to.object()
	for ; key>>16 != 0 && !d.Broken(); key = d.Key(off) {
		f := s.byKey[key]
		if f == nil {
			off = d.SkipField(off, key, nil)
			continue
		}
		r.seen[start+f.index] = true
		off = r.field(f, off+headBytes)
	}
	if !d.Broken() {
		r.absent(s, r.seen[start:], off)
	}
	r.seen = r.seen[:start]
	r.to.end()
	return off + 1
}

// field reads a field's value, and returns the offset behind it.
func (r *reader) field(f *field, off int) int {
	r.to.name(f.name)
	off = r.value(f.value, off)
	if r.isOver(off) {
		r.path = append(r.path, fieldStep(f.name))
	}
	return off
}

// absent passes the defaults of fields that were not there to the sink. It refuses a struct, which ends at off, if a required field was not there.
func (r *reader) absent(s *structure, seen []bool, off int) {
	for i := range s.fields {
		f := &s.fields[i]
		switch {
		case seen[i]:
		case f.need == idl.Required:
			r.d.Refuse(thrift.Missing, off)
			r.path = append(r.path, fieldStep(f.name))
			return
		case f.standard != nil && !r.onlyLooks():
			r.to.name(f.name)
			if r.standard(f); r.isOver(off) {
				return
			}
		}
	}
}

// standard passes a field's default to the sink.
func (r *reader) standard(f *field) {
	// The bytes of a default were written by this package, so reading them cannot fail.
	_ = thrift.UnmarshalWith(thrift.Options{Texts: thrift.Borrowed, Limits: boundless}, f.standard, &standardReader{r, f.value})
}

// boundless are limits for messages and defaults that the program itself made.
var boundless = thrift.Limits{Slack: mostDefaultBytes, Depth: idl.MaxNesting}

// standardReader reads a default in the middle of a message.
type standardReader struct {
	*reader
	of *value
}

// ReadThrift implements [thrift.Reader].
func (s *standardReader) ReadThrift(d *thrift.Decoder, off int) int {
	message := s.d
	defer func() { s.d = message }()
	s.d = d
	return s.value(s.of, off)
}

// isOver reports whether the message is wrong, or the sink has used more than its room.
func (r *reader) isOver(off int) bool {
	if !r.d.Broken() && r.to.size() > r.room {
		r.refuse(faultf("send less, or raise Options.Limits", "the message is longer than the limit of %d bytes", r.room), off)
	}
	return r.d.Broken()
}

// refuse ends the reading of a message that its protocol allows.
func (r *reader) refuse(f *fault, off int) {
	r.fault = f
	r.d.Refuse(thrift.TooLarge, off)
}

// value reads a value without a head, and returns the offset behind it.
func (r *reader) value(v *value, off int) int {
	switch {
	case v.structure != nil:
		return r.structOf(v.structure, off)
	case v.kind == idl.List || v.kind == idl.Set:
		return r.list(v, off)
	case v.kind == idl.Map:
		return r.mapping(v, off)
	}
	return r.scalar(v, off)
}

func (r *reader) list(v *value, off int) int {
	n, at := r.d.ListHead(off, v.element.wire)
	r.to.array(n)
	for i := range n {
		at = r.value(v.element, at)
		if r.isOver(at) {
			r.path = append(r.path, elementStep(i))
			break
		}
	}
	r.to.end()
	return at
}

func (r *reader) mapping(v *value, off int) int {
	n, at := r.d.MapHead(off, v.key.wire, v.element.wire)
	if !v.key.isText() {
		return r.pairs(v, n, at)
	}
	r.to.object()
	for i := range n {
		key, end := r.key(v.key, at)
		if r.isOver(at) {
			r.path = append(r.path, elementStep(i))
			break
		}
		at = r.value(v.element, end)
		if r.isOver(at) {
			r.path = append(r.path, keyStep(key))
			break
		}
	}
	r.to.end()
	return at
}

// pairs reads the n entries of a map with keys that cannot be names.
func (r *reader) pairs(v *value, n, at int) int {
	r.to.array(n)
	for i := range n {
		r.to.array(2)
		at = r.value(v.key, at)
		isKey := r.isOver(at)
		if !isKey {
			at = r.value(v.element, at)
		}
		r.to.end()
		if r.isOver(at) {
			which := 1
			if isKey {
				which = 0
			}
			r.path = append(r.path, elementStep(which), elementStep(i))
			break
		}
	}
	r.to.end()
	return at
}

// key reads a key of a map and gives it to the sink as a name. It returns the name, and the offset behind the key.
func (r *reader) key(v *value, off int) (string, int) {
	key, to := &keyText{}, r.to
	r.to = key
	end := r.scalar(v, off)
	r.to = to
	if r.mayBeText(key.made, off) {
		to.name(key.made)
	}
	return key.made, end
}

// mayBeText refuses a text that cannot be written as JSON.
func (r *reader) mayBeText(text string, off int) bool {
	if r.to.isText() && !utf8.ValidString(text) {
		r.refuse(faultf("declare it as binary, or take the message as a map of Go", "%s is not UTF-8 and has no JSON", strconv.QuoteToASCII(shortened(text))), off)
		return false
	}
	return true
}

// scalar reads a value that contains no other values.
func (r *reader) scalar(v *value, off int) int {
	d := r.d
	switch v.wire {
	case thrift.Bool:
		is, end := d.BoolElement(off)
		r.to.boolean(is)
		return end
	case thrift.I8:
		number, end := d.I8Element(off)
		r.to.integer(int64(number))
		return end
	case thrift.I16:
		number, end := d.I16Element(off)
		r.to.integer(int64(number))
		return end
	case thrift.I32:
		number, end := d.I32Element(off)
		r.whole(v, int64(number))
		return end
	case thrift.I64:
		number, end := d.I64Element(off)
		r.to.long(number)
		return end
	case thrift.Double:
		number, end := d.DoubleElement(off)
		r.to.double(number)
		return end
	case thrift.UUID:
		id, end := d.UUIDElement(off)
		r.to.text(uuidText(id))
		return end
	}
	return r.string(v, off)
}

// whole passes an i32 to the sink. For an enum it passes the name of the value, or the number if the value has no name.
func (r *reader) whole(v *value, number int64) {
	if v.enum != nil {
		if named := v.enum.ByNumber(number); named != nil {
			r.to.text(named.Name)
			return
		}
	}
	r.to.integer(number)
}

func (r *reader) string(v *value, off int) int {
	if r.onlyLooks() {
		return r.d.SkipString(off)
	}
	if v.kind == idl.Binary {
		bytes, end := r.d.BinaryElement(off)
		r.to.binary(bytes)
		return end
	}
	text, end := r.d.TextElement(off)
	if r.mayBeText(text, off) {
		r.to.text(text)
	}
	return end
}

// result reads the result of a function. If there is an exception, it hides the value, as in generated clients.
func (r *reader) result(s *structure, off int) int {
	to := r.to
	r.to = nothing{}
	chosen, at, end := r.answer(s, off)
	r.to = to
	to.object()
	switch {
	case chosen == nil:
	case chosen.id() == 0:
		r.field(chosen, at)
	default:
		to.name(exceptionName)
		to.object()
		r.field(chosen, at)
		if to.end(); r.d.Broken() {
			r.path = append(r.path, fieldStep(exceptionName))
		}
	}
	to.end()
	return end
}

// answer returns the field that a function's result has, the offset of the field's value, and the offset behind the result.
func (r *reader) answer(s *structure, off int) (chosen *field, at, end int) {
	for key := r.d.Key(off); key>>16 != 0 && !r.d.Broken(); key = r.d.Key(off) {
		f := s.byKey[key]
		if f == nil {
			off = r.d.SkipField(off, key, nil)
			continue
		}
		if chosen == nil || chosen.id() == 0 {
			chosen, at = f, off+headBytes
		}
		off = r.value(f.value, off+headBytes)
	}
	return chosen, at, off + 1
}
