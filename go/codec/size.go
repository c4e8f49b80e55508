package codec

import "hone/go/raw"

// size is how many bytes a struct takes with its stop. What all of its values take is known before.
func (s *structure) size(from raw.Ref) int {
	if from.IsNil() {
		return 1
	}
	size := s.least
	for _, i := range s.varying {
		f := &s.fields[i]
		if at := f.in(from); f.when == always || f.isWritten(at) {
			size += 3 + f.value.size(at)
		}
	}
	if s.writesUnknown {
		size += len(s.unknown.in(from).Bytes())
	}
	return size
}

// size is how many bytes a value takes without its header.
func (v *value) size(at raw.Ref) int {
	if v.fixed > 0 {
		return v.fixed
	}
	switch v.kind {
	case textKind:
		return 4 + len(*raw.At[string](at))
	case binaryKind:
		return 4 + len(*raw.At[[]byte](at))
	case pointerKind:
		return v.structure.size(at.Elem())
	case structKind:
		return v.structure.size(at)
	case optionalKind:
		return v.element.size(at.Elem())
	case readyKind:
		return v.ready.size(at)
	case listKind:
		return v.sizeList(at)
	case mapKind:
		return v.sizeMap(at)
	}
	return v.sizePairs(at)
}

func (v *value) sizeList(at raw.Ref) int {
	n := v.slices.Len(at)
	if v.element.fixed > 0 {
		return 5 + n*v.element.fixed
	}
	size := 5
	for i := range n {
		size += v.element.size(v.slices.Element(at, i))
	}
	return size
}

func (v *value) sizeMap(at raw.Ref) int {
	if v.key.fixed > 0 && v.element.fixed > 0 {
		return 6 + at.Value(v.goType).Len()*(v.key.fixed+v.element.fixed)
	}
	size := 6
	v.each(at, func(key, value raw.Ref) { size += v.key.size(key) + v.element.size(value) })
	return size
}

func (v *value) sizePairs(at raw.Ref) int {
	size := 6
	for i := range v.slices.Len(at) {
		pair := v.slices.Element(at, i)
		size += v.key.size(v.pair.key.in(pair)) + v.element.size(v.pair.value.in(pair))
	}
	return size
}
