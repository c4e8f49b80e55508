package thrift

// Extent finds the end of a message that comes in parts. It has a stack of its own, so that it can stop anywhere. It looks at no
// byte twice, however many parts there are.
type Extent struct {
	form Form
	// depth is the number of values that may lie in each other.
	depth int
	// off is the offset behind the bytes that Extent has looked at.
	off int
	// open are the values that off lies in, the innermost last.
	open []Inside
	// hasHeader says that Extent has looked at the message's header.
	hasHeader bool
}

// Form says how a protocol writes messages: all that is needed to find their end. Types are the protocol's own numbers.
//
// Its methods look at the bytes of a message that have come, and return the offset behind what they read: 0, or an offset beyond
// these bytes, if it is not complete yet.
type Form interface {
	// Header reads the header of a message.
	Header(message []byte) (end int, fault Fault)
	// Field reads the head of the field at off, of type 0 where the struct ends. The field's value begins at end. Where the head
	// itself holds the value, end lies as many bytes before the end of the head as Fixed returns.
	Field(message []byte, off int) (of byte, end int, fault Fault)
	// Value reads the value that begins at off: all of it, or only its head if it holds other values.
	Value(message []byte, of byte, off int) (inside Inside, end int, fault Fault)
	// Fixed returns the number of bytes of a value of this type, where all values of the type take the same, and 0 otherwise.
	Fixed(of byte) int
}

// Inside says what values lie in a value. The zero value says that there are none.
type Inside struct {
	// IsStruct says that the value holds the fields of a struct.
	IsStruct bool
	// PerTurn is the number of Types that the values of a container have in turn: 1 in a list, 2 in a map.
	PerTurn int
	Types   [2]byte
	// Count is the number of values, keys of maps among them.
	Count int
}

// NewExtent makes an Extent for one message, in which so many values may lie in each other.
func NewExtent(form Form, depth int) *Extent { return &Extent{form: form, depth: depth} }

// Length returns the number of bytes of the message that the given bytes begin with, 0 if the message is not complete yet. The
// given bytes are those of the call before, and more.
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

// next takes one step: over a field, a value, or as many values as have come if all take the same number of bytes.
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
	// Count goes down, so that it is even before a key of a map.
	isThere, fault = e.value(message, top.Types[top.Count%top.PerTurn], e.off)
	if isThere {
		e.open[at].Count--
	}
	return isThere, fault
}

// turnBytes returns the number of bytes of one turn of values, or 0 if that differs from turn to turn.
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

// value goes past a value at off, or into it.
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

// move goes to an offset, if the message is that long. An offset that is too large for an int is negative.
func (e *Extent) move(message []byte, off int) bool {
	if off <= 0 || off > len(message) {
		return false
	}
	e.off = off
	return true
}
