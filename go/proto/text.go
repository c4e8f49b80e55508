package proto

import (
	"math"
	"unicode/utf8"

	"hone/go/raw"
)

// A window is a stretch of the message that is copied at once for the strings in it: many short ones with what lies between them. A string that is kept
// keeps as much memory. How long the next one is follows how near to each other strings stood before (docs/decisions/0028-copies-that-follow-the-texts.md).
const (
	mostWindow = 4 << 10
	// leastWindow is how much must follow a string for a copy of that too: less has room for few others.
	leastWindow = 64
	// nearBytes is how far apart strings may begin in the mean for that to take less time than a copy of each.
	nearBytes = 80
	// nowhere is where a window begins that no string of a message lies in.
	nowhere = math.MaxInt
)

// Texts says where the strings of a message live.
type Texts byte

const (
	// Together is the default: strings are parts of copies of stretches of the message, of 4 KiB at most, and of memory that short ones share with
	// other messages. One that is kept for long keeps its neighbours.
	Together Texts = iota
	// Apart gives each string memory of its own, for what is kept long after the rest of the message.
	Apart
	// Borrowed copies nothing: strings share the memory of the message, which must not change, nor be used for another message, for as long as one of them is used.
	Borrowed
)

// windows are copies of parts of a message that its strings are parts of.
type windows struct {
	// window is the last copy, which begins at windowAt in the message.
	window   string
	windowAt int
	// lastFar is where the last string began that was in no window before, below 0 if there was none, and hits are how many have been in one since. windowSize is
	// how long the next window is to be, most how long at most.
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

// farText is a string outside the window: a new one begins with it, unless it is long enough to stand alone.
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

// adapt makes the next window longer where strings stood close to each other, and shorter where they did not. There may have been a string
// before this offset, or the message ends there.
func (d *Decoder) adapt(off int) {
	if off-d.lastFar <= nearBytes*(d.hits+1) {
		d.windowSize = min(2*max(d.windowSize, leastWindow), mostWindow)
	} else {
		d.windowSize = max(d.windowSize/4, leastWindow)
	}
	d.hits = 0
}

// copied is a copy of a part of the message: short ones are from the batch of all that has no pointers.
func (d *Decoder) copied(at, size int) string {
	if size <= mostShared {
		b := d.plainMemory(size, 1)
		copy(b, d.data[at:])
		return raw.String(b, 0, size)
	}
	return string(d.data[at : at+size])
}

// Bytes reads bytes, which are the caller's own and never nil.
func (d *Decoder) Bytes(off int) ([]byte, int) {
	at, end := d.extent(off)
	if at == end {
		return []byte{}, end
	}
	return d.copiedBytes(at, end), end
}

// BytesOrNil is Bytes for a field without presence: there are none where there is nothing in them.
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
