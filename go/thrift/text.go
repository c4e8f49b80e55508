package thrift

import "hone/go/raw"

// A window is a stretch of the message that is copied at once for the strings in it: many short ones with what lies between
// them. A string that is kept keeps as much memory.
const (
	mostWindow = 4 << 10
	// leastWindow is how much must follow a string for a copy of that too: less has room for few others.
	leastWindow = 64
	// nearBytes is how far apart strings may begin in the mean for that to take less time than a copy of each.
	nearBytes = 80
)

// Texts says where the strings of a message live.
type Texts byte

const (
	// Together is the default: strings are parts of copies of stretches of the message, of 4 KiB at most, and of memory that short
	// ones share with other messages. One that is kept for long keeps its neighbours.
	Together Texts = iota
	// Apart gives each string memory of its own, for what is kept long after the rest of the message.
	Apart
	// Borrowed copies nothing: strings share the memory of the message, which must not change, nor be used for
	// another message, for as long as one of them is used.
	Borrowed
)

// Text reads a field that is a string.
func (d *Decoder) Text(off int) (string, int, uint32) {
	message := d.message
	if off+11 > len(message) {
		return d.lastText(off)
	}
	n, at := int(raw.Uint32(message, off+3)), off+7
	// Of the bytes that remain, 4 are for the next key. A length that is negative, where an int has 32 bits, is huge.
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

// TextElement reads a string that is an element of a container: its length is at off.
func (d *Decoder) TextElement(off int) (string, int) {
	// Strings of a window are whole in the message. A length that is negative, where an int has 32 bits, is huge.
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

// length reads the length of a string that is there as a whole. It is 0 after a fault.
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

// noLength tells a length below zero from one beyond the end, and from none at all.
//
//go:noinline
func (d *Decoder) noLength(off int) {
	if off+4 <= len(d.message) && int32(raw.Uint32(d.message, off)) < 0 {
		d.fail(Negative, off)
		return
	}
	d.fail(Truncated, off)
}

// farText is a string outside the window: a new one begins with it, unless it is long enough to stand alone.
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

// adapt makes the next window longer where strings stood close to each other, and shorter where they did not: where most of what was copied was
// something else. There may have been one before this offset, or the message ends there.
func (d *Decoder) adapt(off int) {
	if off-d.lastFar <= nearBytes*(d.hits+1) {
		d.windowSize = min(2*max(d.windowSize, leastWindow), mostWindow)
	} else {
		d.windowSize = max(d.windowSize/4, leastWindow)
	}
	d.hits = 0
}

// copied is a copy of a part of the message: short ones are from the batch of all that has no pointers. It is empty beyond the limit.
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

// Binary reads a field that is bytes. They are the caller's own.
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

// UUID reads a field that is a UUID, in the order of its text.
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
