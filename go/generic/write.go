package generic

import (
	"slices"

	"hone/go/idl"
	"hone/go/thrift"
)

// writer makes a message of the Binary protocol from values of Go, or from parsed JSON.
type writer struct {
	b   []byte
	off int
	// limit is the largest number of bytes of the message.
	limit int
	// depth is the number of levels of values that may still be inside each other if their types contain themselves.
	depth int
	// isConstant is true for defaults of the IDL. In these, an absent required field has its zero value.
	isConstant bool
}

// leastBytes is the number of bytes that a message has room for at first.
const leastBytes = 256

// room makes room for so many bytes and one more, which package thrift needs behind texts.
func (w *writer) room(bytes int) *fault {
	need := w.off + bytes + 1
	switch {
	case need > w.limit:
		return faultf("send less, or raise Options.Limits", "the message is longer than the limit of %d bytes", w.limit)
	case need > len(w.b):
		w.b = append(w.b, make([]byte, max(need, 2*len(w.b), leastBytes)-len(w.b))...)
	}
	return nil
}

// mostFixed is the largest number of bytes that a head or a value of fixed length takes.
const mostFixed = 16

// message writes the arguments or the result of a function.
func (w *writer) message(s *structure, from any) *fault {
	if s.isResult {
		return w.result(s, from)
	}
	return w.structOf(s, from)
}

// structOf writes a struct.
func (w *writer) structOf(s *structure, from any) *fault {
	given, ok := from.(map[string]any)
	if !ok {
		return misfit(from, "object", "write one with the "+s.member+"s of "+s.title)
	}
	if s.isRecursive {
		if w.depth == 0 {
			return faultf("send less deep values, or raise Options.Limits", "%s lies too deep in others", s.title)
		}
		w.depth--
		defer func() { w.depth++ }()
	}
	known, set := 0, 0
	for i := range s.fields {
		f := &s.fields[i]
		one, isThere := given[f.name]
		if isThere {
			known++
		}
		if one != nil {
			set++
		}
		if err := w.field(s, f, one); err != nil {
			return err.in(fieldStep(f.name))
		}
	}
	switch {
	case known < len(given):
		return unknownField(s, given)
	case s.isUnion && set != 1:
		return faultf("set one", "%s has one field, and %d are set", s.title, set)
	}
	return w.end()
}

func (w *writer) end() *fault {
	if err := w.room(1); err != nil {
		return err
	}
	w.off = thrift.PutEnd(w.b, w.off)
	return nil
}

// unknownField refuses the first name, in alphabetical order, that is no field of the struct.
func unknownField(s *structure, given map[string]any) *fault {
	for _, name := range sorted(given) {
		if s.named(name) == nil {
			return noField(s.title, s.member, name, s.names())
		}
	}
	return nil
}

func noField(of, member, name string, known []string) *fault {
	f := faultf(mendOr(idl.DidYouMean(name, known), "take it away"), "%s has no %s %s", of, member, shown(name))
	f.isName = true
	return f.in(fieldStep(name))
}

// field writes a field, or its default or zero if it is absent.
func (w *writer) field(s *structure, f *field, one any) *fault {
	f.makeStandard() // does something only while defaults are being made
	start := w.off
	switch {
	case one != nil:
		if err := w.given(f, one); err != nil {
			return err
		}
		if f.need == idl.Optional && f.isPlain() && f.standard != nil && string(w.b[start+headBytes:w.off]) == string(f.standard) {
			w.off = start
		}
		return nil
	case s.isUnion, f.need == idl.Optional && (f.standard == nil || f.isPlain()):
		return nil
	case f.standard != nil:
		return w.standard(f)
	case f.need == idl.Required && !w.isConstant:
		return faultf("add it", "the required %s of %s is missing", s.member, s.title)
	case f.need != idl.Required && f.structure != nil:
		return nil
	}
	if err := w.head(f); err != nil {
		return err
	}
	return w.zero(f.value)
}

// headBytes is the number of bytes of a field's head.
const headBytes = 3

func (w *writer) head(f *field) *fault {
	if err := w.room(mostFixed); err != nil {
		return err
	}
	w.off = thrift.PutHead(w.b, w.off, thrift.Head(f.key))
	return nil
}

// given writes a field with its value.
func (w *writer) given(f *field, one any) *fault {
	if err := w.head(f); err != nil {
		return err
	}
	return w.value(f.value, one)
}

// standard writes a field with its default.
func (w *writer) standard(f *field) *fault {
	if err := w.head(f); err != nil {
		return err
	}
	if err := w.room(len(f.standard)); err != nil {
		return err
	}
	w.off = thrift.PutUnknown(w.b, w.off, f.standard)
	return nil
}

// zero writes the zero value of a type.
func (w *writer) zero(v *value) *fault {
	if err := w.room(mostFixed); err != nil {
		return err
	}
	switch v.wire {
	case thrift.Bool:
		w.off = thrift.PutBoolElement(w.b, w.off, false)
	case thrift.I8:
		w.off = thrift.PutI8Element(w.b, w.off, 0)
	case thrift.I16:
		w.off = thrift.PutI16Element(w.b, w.off, 0)
	case thrift.I32:
		w.off = thrift.PutI32Element(w.b, w.off, 0)
	case thrift.I64, thrift.Double:
		w.off = thrift.PutI64Element(w.b, w.off, 0)
	case thrift.String:
		w.off = thrift.PutTextElement(w.b, w.off, "")
	case thrift.UUID:
		w.off = thrift.PutUUIDElement(w.b, w.off, [16]byte{})
	case thrift.Struct:
		w.off = thrift.PutEnd(w.b, w.off)
	case thrift.List, thrift.Set:
		w.off = thrift.PutListHead(w.b, w.off, v.element.wire, 0)
	case thrift.Map:
		w.off = thrift.PutMapHead(w.b, w.off, v.key.wire, v.element.wire, 0)
	}
	return nil
}

// value writes a value without a head.
func (w *writer) value(v *value, from any) *fault {
	switch {
	case from == nil:
		return faultf("write a value, or take the element away", "null is no %s", v.text)
	case v.structure != nil:
		return w.structOf(v.structure, from)
	case v.kind == idl.List || v.kind == idl.Set:
		return w.list(v, from)
	case v.kind == idl.Map:
		return w.mapping(v, from)
	}
	return w.scalar(v, from, false)
}

func (w *writer) list(v *value, from any) *fault {
	elements, ok := from.([]any)
	if !ok {
		return misfit(from, v.text, "write an array")
	}
	if err := w.room(mostFixed); err != nil {
		return err
	}
	w.off = thrift.PutListHead(w.b, w.off, v.element.wire, len(elements))
	for i, element := range elements {
		if err := w.value(v.element, element); err != nil {
			return err.in(elementStep(i))
		}
	}
	return nil
}

// mapping writes a map, which is given as an object or as pairs.
func (w *writer) mapping(v *value, from any) *fault {
	object, isObject := from.(map[string]any)
	pairs, isPairs := from.([]any)
	switch {
	case isObject && !v.key.isText():
		return faultf("write an array of pairs [key, value]", "an object has no keys of type %s", v.key.text)
	case !isObject && !isPairs:
		return misfit(from, v.text, "write an object")
	}
	if err := w.room(mostFixed); err != nil {
		return err
	}
	w.off = thrift.PutMapHead(w.b, w.off, v.key.wire, v.element.wire, len(object)+len(pairs))
	seen := map[string]bool{}
	if isPairs {
		return w.pairs(v, pairs, seen)
	}
	keys := sorted(object)
	for _, key := range keys {
		start := w.off
		err := w.scalar(v.key, key, true)
		if err == nil {
			err = w.once(start, seen)
		}
		if err == nil {
			err = w.value(v.element, object[key])
		}
		if err != nil {
			return err.in(keyStep(key))
		}
	}
	return nil
}

func (w *writer) pairs(v *value, pairs []any, seen map[string]bool) *fault {
	for i, one := range pairs {
		pair, ok := one.([]any)
		if !ok || len(pair) != 2 {
			return faultf("write [key, value]", "%s is no pair", shown(one)).in(elementStep(i))
		}
		start := w.off
		err := w.value(v.key, pair[0])
		if err == nil {
			err = w.once(start, seen)
		}
		if err != nil {
			return err.in(elementStep(0)).in(elementStep(i))
		}
		if err := w.value(v.element, pair[1]); err != nil {
			return err.in(elementStep(1)).in(elementStep(i))
		}
	}
	return nil
}

// once refuses a key that the map already has, possibly written in another way.
func (w *writer) once(start int, seen map[string]bool) *fault {
	key := string(w.b[start:w.off])
	if seen[key] {
		return faultf("take one of them away", "the map has this key twice")
	}
	seen[key] = true
	return nil
}

// scalar writes a value that contains no other values. A key is given as a text.
func (w *writer) scalar(v *value, from any, isKey bool) *fault {
	if err := w.room(mostFixed); err != nil {
		return err
	}
	if v.enum != nil {
		number, err := enumNumber(v.enum, from)
		w.off = thrift.PutI32Element(w.b, w.off, int32(number))
		return err
	}
	switch v.kind {
	case idl.Bool:
		is, err := boolean(from, isKey)
		w.off = thrift.PutBoolElement(w.b, w.off, is)
		return err
	case idl.Double:
		number, err := double(from)
		w.off = thrift.PutDoubleElement(w.b, w.off, number)
		return err
	case idl.String:
		text, ok := from.(string)
		if !ok {
			return misfit(from, "string", "write a text")
		}
		return w.text(text)
	case idl.Binary:
		bytes, err := bytesOf(from)
		if err != nil {
			return err
		}
		return w.text(string(bytes))
	case idl.UUID:
		return w.uuid(from)
	}
	return w.integer(v.kind, from)
}

func (w *writer) integer(kind idl.TypeKind, from any) *fault {
	number, err := integer(kind, from)
	switch kind {
	case idl.I8:
		w.off = thrift.PutI8Element(w.b, w.off, int8(number))
	case idl.I16:
		w.off = thrift.PutI16Element(w.b, w.off, int16(number))
	case idl.I32:
		w.off = thrift.PutI32Element(w.b, w.off, int32(number))
	default:
		w.off = thrift.PutI64Element(w.b, w.off, number)
	}
	return err
}

func (w *writer) text(text string) *fault {
	if err := w.room(mostFixed + len(text)); err != nil {
		return err
	}
	w.off = thrift.PutTextElement(w.b, w.off, text)
	return nil
}

func (w *writer) uuid(from any) *fault {
	text, ok := from.(string)
	id, err := thrift.ParseUUID(text)
	if !ok || err != nil {
		return misfit(from, "uuid", `write it as in "00112233-4455-6677-8899-aabbccddeeff"`)
	}
	w.off = thrift.PutUUIDElement(w.b, w.off, id)
	return nil
}

// These are the names under which a result has its value or its exception.
const (
	resultName    = "result"
	exceptionName = "exception"
)

// result writes the result of a function.
func (w *writer) result(s *structure, from any) *fault {
	given, ok := from.(map[string]any)
	if !ok {
		return misfit(from, "result", `write {"result": ...} or {"exception": ...}`)
	}
	for _, name := range sorted(given) {
		if name != resultName && name != exceptionName {
			return noField("what "+s.title+" gives", "field", name, []string{resultName, exceptionName})
		}
	}
	result, exception := given[resultName], given[exceptionName]
	success := s.byID(0)
	switch {
	case result != nil && exception != nil:
		return faultf("take one of them away", "a function gives a result or throws an exception")
	case exception != nil:
		if err := w.exception(s, exception); err != nil {
			return err.in(fieldStep(exceptionName))
		}
	case success == nil && result != nil:
		return faultf("write {}", "%s gives nothing", s.title).in(fieldStep(resultName))
	case success != nil && result == nil:
		return faultf("add it", "the result of %s is missing", s.title).in(fieldStep(resultName))
	case success != nil:
		if err := w.given(success, result); err != nil {
			return err.in(fieldStep(resultName))
		}
	}
	return w.end()
}

// exception writes the exception that a function throws.
func (w *writer) exception(s *structure, from any) *fault {
	given, ok := from.(map[string]any)
	if !ok || len(given) != 1 {
		return faultf(`write {"NAME": {...}} with its name in the function's throws`, "%s is not one exception", shown(from))
	}
	thrown := slices.DeleteFunc(s.names(), func(name string) bool { return name == resultName && s.named(name).id() == 0 })
	for name, one := range given {
		f := s.thrown(name)
		if f == nil {
			return faultf(mendOr(idl.DidYouMean(name, thrown), "write one that it throws"), "%s throws no %s", s.title, shown(name)).in(fieldStep(name))
		}
		if err := w.given(f, one); err != nil {
			return err.in(fieldStep(name))
		}
	}
	return nil
}

// byID returns the field with an id, or nil.
func (s *structure) byID(id int16) *field {
	for i := range s.fields {
		if s.fields[i].id() == id {
			return &s.fields[i]
		}
	}
	return nil
}

// thrown returns the exception with a name in a result, or nil.
func (s *structure) thrown(name string) *field {
	for i := range s.fields {
		if f := &s.fields[i]; f.name == name && f.id() != 0 {
			return f
		}
	}
	return nil
}
