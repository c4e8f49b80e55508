package thrift

import "hone/go/raw"

// A window is a stretch of the message that is copied at once for the strings in it: many short strings with the bytes between
// them. A string that is kept keeps the whole window.
const (
	mostWindow = 4 << 10
	// leastWindow is the number of bytes that must follow a string for the copy to take them in too: fewer have room for few other
	// strings.
	leastWindow = 64
	// nearBytes is the mean distance between the starts of strings up to which a window takes less time than a copy of each string.
	nearBytes = 80
)

// Texts says where the memory of a message's strings is.
type Texts byte

const (
	// Together is the default: strings are slices of copies of stretches of the message, of 4 KiB at most. Short copies share their
	// memory with those of other messages. A string that is kept for long keeps its neighbours.
	Together Texts = iota
	// Apart gives each string memory of its own, for strings that are kept long after the rest of the message.
	Apart
	// Borrowed copies nothing: strings share the memory of the message. That must not change, nor be used for another message, for as
	// long as one of the strings is used. Builds for other processors than amd64 and arm64, and with the tag purego, copy all the same.
	Borrowed
)

// Text reads a field that is a string.
func (d *Decoder) Text(off int) (string, int, uint32) {
	message := d.message
	if off+11 > len(message) {
		return d.lastText(off)
	}
	n, at := int(raw.Uint32(message, off+3)), off+7
	// Of the bytes that remain, 4 are for the next key. Where an int has 32 bits, a negative length is huge as an unsigned number.
	if uint(n) > uint(len(message)-at-4) {
		return d.lastText(off)
	}
	i, end := at-d.windowAt, at+n
	if uint(i+n) > uint(len(d.window)) {
		return d.farText(at, n), end, d.Key(end)
	}
	d.hits++
	return d.window[i : i+n], end, raw.Uint32(message, end) >> 8
}

//go:noinline
func (d *Decoder) lastText(off int) (string, int, uint32) {
	text, off := d.TextElement(off + 3)
	return text, off, d.Key(off)
}

// TextElement reads a string that is an element of a container: the string's length is at off.
func (d *Decoder) TextElement(off int) (string, int) {
	// Every string in a window is complete in the message. Where an int has 32 bits, a negative length is huge as an unsigned number.
	if off+4 <= len(d.message) {
		n, at := int(raw.Uint32(d.message, off)), off+4
		i := at - d.windowAt
		if uint(n) <= uint(len(d.window)) && uint(i+n) <= uint(len(d.window)) {
			d.hits++
			return d.window[i : i+n], at + n
		}
	}
	n, at := d.length(off)
	return d.farText(at, n), at + n
}

// length reads the length of a string, and checks that the message holds all of the string. It returns 0 after a fault.
func (d *Decoder) length(off int) (n, at int) {
	if off+4 <= len(d.message) {
		n, at = int(raw.Uint32(d.message, off)), off+4
		if uint(n) <= uint(len(d.message)-at) {
			return n, at
		}
	}
	d.noLength(off)
	return 0, 0
}

// noLength tells three faults apart: a length below zero, a length beyond the end of the message, and no length at all.
//
//go:noinline
func (d *Decoder) noLength(off int) {
	if off+4 <= len(d.message) && int32(raw.Uint32(d.message, off)) < 0 {
		d.fail(Negative, off)
		return
	}
	d.fail(Truncated, off)
}

// farText reads a string outside the window. A new window begins with that string, unless the string is long enough for a copy of
// its own.
//
//go:noinline
func (d *Decoder) farText(at, n int) string {
	switch {
	case n == 0:
		return ""
	case n > d.most/4:
		if d.allocate(n, 1, at) {
			return string(d.message[at : at+n])
		}
		return ""
	}
	if d.lastFar >= 0 {
		d.adapt(at)
	}
	d.lastFar = at
	size := min(len(d.message)-at, d.windowSize)
	if size < n+leastWindow {
		return d.copied(at, n)
	}
	d.window, d.windowAt = d.copied(at, size), at
	return d.window[:min(n, len(d.window))]
}

// adapt makes the next window longer if strings stood close to each other, and shorter if they did not: then most of the copied
// bytes belonged to no string. off is where a new window is about to begin, or the end of the message.
func (d *Decoder) adapt(off int) {
	if off-d.lastFar <= nearBytes*(d.hits+1) {
		d.windowSize = min(2*max(d.windowSize, leastWindow), mostWindow)
	} else {
		d.windowSize = max(d.windowSize/4, leastWindow)
	}
	d.hits = 0
}

// copied returns a copy of a part of the message. A short copy is in the batch of values without pointers. The copy is empty beyond
// the limit.
func (d *Decoder) copied(at, size int) string {
	if size <= BatchBytes/4 {
		b := d.takePlain(size, 1, at)
		if len(b) == size {
			copy(b, d.message[at:])
		}
		return raw.String(b, 0, len(b))
	}
	if d.allocate(size, 1, at) {
		return string(d.message[at : at+size])
	}
	return ""
}

// Binary reads a field that is bytes. The caller owns the bytes.
func (d *Decoder) Binary(off int) ([]byte, int, uint32) {
	value, off := d.BinaryElement(off + 3)
	return value, off, d.Key(off)
}

// BinaryElement reads bytes that are an element of a container: their length is at off.
func (d *Decoder) BinaryElement(off int) ([]byte, int) {
	n, at := d.length(off)
	if n == 0 {
		return []byte{}, at
	}
	value := d.takePlain(n, 1, at)
	if len(value) < n {
		return []byte{}, 0
	}
	copy(value, d.message[at:])
	return value, at + n
}

// UUID reads a field that is a UUID, with its bytes in the order of its text.
func (d *Decoder) UUID(off int) (value [16]byte, _ int, _ uint32) {
	value, off = d.UUIDElement(off + 3)
	return value, off, d.Key(off)
}

// UUIDElement reads a UUID that is an element of a container.
func (d *Decoder) UUIDElement(off int) (value [16]byte, _ int) {
	if off+16 > len(d.message) {
		d.fail(Truncated, off)
		return value, 0
	}
	copy(value[:], d.message[off:])
	return value, off + 16
}
