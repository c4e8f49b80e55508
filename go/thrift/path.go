package thrift

// pathTo returns the path from the struct that a message begins with to the value at an offset. A message of the Binary protocol
// names the types of its values, so pathTo needs no code of the struct. It stops where the message makes no sense.
func pathTo(target int, message []byte) []Step {
	d := new(Decoder)
	d.begin(message, new(Options))
	walk := walk{d: d, target: target}
	walk.value(Struct, 0)
	return walk.path
}

// walk goes through a message up to an offset. Once it has reached the offset, path no longer changes.
type walk struct {
	d      *Decoder
	target int
	path   []Step
}

// value goes through the value at off, and returns the offset of the next value. goesOn is false once the target is reached, or the
// message makes no sense.
func (w *walk) value(t Type, off int) (end int, goesOn bool) {
	// The values inside a value behind the target were not read, and may be nested as deep as the message is long. Where a container
	// begins at the target, the container itself is wrong, not its first element.
	if off > w.target || off == w.target && (t == List || t == Set || t == Map) {
		return off, false
	}
	switch t {
	case Struct:
		end, goesOn = w.fields(off)
	case List, Set:
		element, n, at := w.d.listHead(off)
		end, goesOn = w.elements(n, at, element)
	case Map:
		key, value, n, at := w.d.mapHead(off)
		end, goesOn = w.elements(n, at, key, value)
	default:
		end, goesOn = w.d.skip(t, off, 1), true
	}
	return end, goesOn && end > off && end <= w.target && w.d.fault == 0
}

func (w *walk) fields(off int) (end int, goesOn bool) {
	key := w.d.Key(off)
	for ; key>>16 != 0 && key != broken; key = w.d.Key(off) {
		w.path = append(w.path, Step{Index: -1, Field: int16(key)})
		end, goesOn := w.value(Type(key>>16), off+3)
		if !goesOn {
			return 0, false
		}
		w.path = w.path[:len(w.path)-1]
		off = end
	}
	return off + 1, key>>16 == 0
}

func (w *walk) elements(n, off int, types ...Type) (end int, goesOn bool) {
	for i := range n {
		for j, t := range types {
			w.path = append(w.path, Step{Index: i, IsKey: j < len(types)-1})
			end, goesOn := w.value(t, off)
			if !goesOn {
				return 0, false
			}
			off = end
			w.path = w.path[:len(w.path)-1]
		}
	}
	return off, true
}
