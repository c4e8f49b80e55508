package proto

import (
	"math"
	"unicode/utf8"

	"hone/go/raw"
)

// A window is a stretch of the message that is copied at once for the strings in it: many short strings with the bytes between
// them. A string that is kept keeps the whole window. The length of the next window follows from the distances of the strings
// before (docs/decisions/0028-copies-that-follow-the-texts.md).
const (
	mostWindow = 4 << 10
	// leastWindow is the number of bytes that must follow a string for the copy to take them in too: fewer have room for few other
	// strings.
	leastWindow = 64
	// nearBytes is the mean distance between the starts of strings up to which a window takes less time than a copy of each string.
	nearBytes = 80
	// nowhere is the offset of a window that no string of a message lies in.
	nowhere = math.MaxInt
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

// windows are copies of parts of a message. The message's strings are slices of them.
type windows struct {
	// window is the last copy, which begins at windowAt in the message.
	window   string
	windowAt int
	// lastFar is the offset of the last string that was in no window before, below 0 if there was none. hits counts the strings since
	// then that were in the window. windowSize is the length of the next window, most the longest length of a window.
	lastFar, hits, windowSize, most int
}

func (w *windows) beginWindows(data []byte, texts Texts) {
	w.windowAt, w.lastFar, w.hits, w.most = nowhere, -1, 0, mostWindow
	switch texts {
	case Apart:
		w.most = 0
	case Borrowed:
		w.window, w.windowAt = raw.String(data, 0, len(data)), 0
	}
}

func (d *Decoder) endWindows(texts Texts) {
	if d.lastFar >= 0 {
		d.adapt(len(d.data))
	}
	if texts == Borrowed {
		d.window = ""
	}
}

// Text reads a string that must be UTF-8.
func (d *Decoder) Text(off int) (string, int) {
	text, end := d.AnyText(off)
	if raw.IsASCII(text) || utf8.ValidString(text) {
		return text, end
	}
	return "", d.fail(NotUTF8, off)
}

// AnyText reads a string of a file that does not ask for UTF-8.
func (d *Decoder) AnyText(off int) (string, int) {
	at, end := d.extent(off)
	i, n := at-d.windowAt, end-at
	if uint(i+n) <= uint(len(d.window)) && i >= 0 {
		d.hits++
		return d.window[i : i+n], end
	}
	return d.farText(at, n), end
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
		return string(d.data[at : at+n])
	}
	if d.lastFar >= 0 {
		d.adapt(at)
	}
	d.lastFar = at
	size := min(len(d.data)-at, d.windowSize)
	if size < n+leastWindow {
		return d.copied(at, n)
	}
	d.window, d.windowAt = d.copied(at, size), at
	return d.window[:n]
}

// adapt makes the next window longer if strings stood close to each other, and shorter if they did not. off is where a new window
// is about to begin, or the end of the message.
func (d *Decoder) adapt(off int) {
	if off-d.lastFar <= nearBytes*(d.hits+1) {
		d.windowSize = min(2*max(d.windowSize, leastWindow), mostWindow)
	} else {
		d.windowSize = max(d.windowSize/4, leastWindow)
	}
	d.hits = 0
}

// copied returns a copy of a part of the message. A short copy is in the batch of values without pointers.
func (d *Decoder) copied(at, size int) string {
	if size <= mostShared {
		b := d.plainMemory(size, 1)
		copy(b, d.data[at:])
		return raw.String(b, 0, size)
	}
	return string(d.data[at : at+size])
}

// Bytes reads bytes. The caller owns them, and they are never nil.
func (d *Decoder) Bytes(off int) ([]byte, int) {
	at, end := d.extent(off)
	if at == end {
		return []byte{}, end
	}
	return d.copiedBytes(at, end), end
}

// BytesOrNil is Bytes for a field without presence: it returns nil for an empty value.
func (d *Decoder) BytesOrNil(off int) ([]byte, int) {
	at, end := d.extent(off)
	if at == end {
		return nil, end
	}
	return d.copiedBytes(at, end), end
}

func (d *Decoder) copiedBytes(at, end int) []byte {
	if end-at > mostShared {
		return append([]byte(nil), d.data[at:end]...)
	}
	b := d.plainMemory(end-at, 1)
	copy(b, d.data[at:end])
	return b
}
