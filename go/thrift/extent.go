package thrift

// Extent finds where a message ends that comes in parts, by a stack of its own, so that it can stop anywhere. No byte is
// looked at twice, however many parts there are.
type Extent struct {
	form Form
	// depth is how many values may lie in each other.
	depth int
	// off is behind what has been looked at.
	off int
	// open are the values that off is in, the innermost last.
	open []Inside
	// hasHeader is whether the message's header has been looked at.
	hasHeader bool
}

// Form is how a protocol writes messages, as far as their end depends on it. Types are the protocol's own numbers.
//
// Its methods look at what there is of a message, and give the offset behind what they found: 0 if it is not there yet, or
// one behind what is there.
type Form interface {
	// Header is what a message begins with.
	Header(message []byte) (end int, fault Fault)
	// Field is the head of the field at off, of type 0 where the struct ends. Its value begins at end, also where the head
	// holds it: such a head ends so many bytes later.
	Field(message []byte, off int) (of byte, end int, fault Fault)
	// Value is one that begins at off, as a whole or as far as it holds others.
	Value(message []byte, of byte, off int) (inside Inside, end int, fault Fault)
	// Fixed is how many bytes a value of this type takes, where all take the same, and 0 elsewhere.
	Fixed(of byte) int
}

// Inside is what a value holds. The zero value is nothing.
type Inside struct {
	// IsStruct is for the fields of a struct.
	IsStruct bool
	// PerTurn is how many types the values of a container have in turn: 1 in a list, 2 in a map.
	PerTurn int
	Types   [2]byte
	// Count is how many values there are, keys of maps among them.
	Count int
}

// NewExtent is for one message in which so many values may lie in each other.
func NewExtent(form Form, depth int) *Extent { return &Extent{form: form, depth: depth} }

// Length is how many bytes the message takes that these begin with, 0 if it is not there as a whole yet. The bytes are
// those of the call before, and more.
//
// # Errors
//
// A [HeaderError].
func (e *Extent) Length(message []byte) (int, error) {
	isThere, fault := e.hasHeader, Fault(0)
	if !e.hasHeader {
		isThere, fault = e.header(message)
	}
	for isThere && len(e.open) > 0 {
		isThere, fault = e.next(message)
	}
	switch {
	case fault != 0:
		return 0, &HeaderError{fault}
	case !isThere:
		return 0, nil
	}
	return e.off, nil
}

func (e *Extent) header(message []byte) (isThere bool, fault Fault) {
	end, fault := e.form.Header(message)
	if fault != 0 || !e.move(message, end) {
		return false, fault
	}
	e.hasHeader = true
	e.open = append(e.open, Inside{IsStruct: true})
	return true, 0
}

// next takes one step: a field, a value, or as many values as are there of those that all take the same bytes.
func (e *Extent) next(message []byte) (isThere bool, fault Fault) {
	at := len(e.open) - 1
	top := &e.open[at]
	switch {
	case top.IsStruct:
		return e.field(message)
	case top.Count == 0:
		e.open = e.open[:at]
		return true, 0
	}
	if size := e.turnBytes(top); size > 0 {
		turns := min(top.Count/top.PerTurn, (len(message)-e.off)/size)
		e.off += turns * size
		top.Count -= turns * top.PerTurn
		return turns > 0, 0
	}
	// The count goes down, so that an even one is before a map's key.
	isThere, fault = e.value(message, top.Types[top.Count%top.PerTurn], e.off)
	if isThere {
		e.open[at].Count--
	}
	return isThere, fault
}

// turnBytes is how many bytes one turn of values takes, or 0 if that differs.
func (e *Extent) turnBytes(of *Inside) int {
	size := 0
	for _, kind := range of.Types[:of.PerTurn] {
		fixed := e.form.Fixed(kind)
		if fixed == 0 {
			return 0
		}
		size += fixed
	}
	return size
}

func (e *Extent) field(message []byte) (isThere bool, fault Fault) {
	if e.off >= len(message) {
		return false, 0
	}
	of, end, fault := e.form.Field(message, e.off)
	switch {
	case fault != 0 || end == 0:
		return false, fault
	case of == 0:
		e.off = end
		e.open = e.open[:len(e.open)-1]
		return true, 0
	}
	return e.value(message, of, end)
}

// value goes behind a value at off, or into it.
func (e *Extent) value(message []byte, of byte, off int) (isThere bool, fault Fault) {
	if fixed := e.form.Fixed(of); fixed > 0 {
		return e.move(message, off+fixed), 0
	}
	inside, end, fault := e.form.Value(message, of, off)
	isOpen := inside.IsStruct || inside.PerTurn > 0
	switch {
	case fault != 0:
		return false, fault
	case isOpen && len(e.open) >= e.depth:
		return false, NewFault(TooDeep, off)
	case !e.move(message, end):
		return false, 0
	case isOpen:
		e.open = append(e.open, inside)
	}
	return true, 0
}

// move goes to an offset, if the message is that long. One that is too large for an int is negative.
func (e *Extent) move(message []byte, off int) bool {
	if off <= 0 || off > len(message) {
		return false
	}
	e.off = off
	return true
}
