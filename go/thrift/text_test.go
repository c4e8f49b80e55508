//go:build (amd64 || arm64) && !purego

package thrift

import (
	"runtime"
	"strings"
	"testing"
)

// entries is a struct with one map of texts to lists of numbers.
type entries struct {
	names []string
	lists [][]int64
}

func (e *entries) ReadThrift(d *Decoder, off int) int {
	n, at := d.MapHead(off+3, String, List)
	e.names, e.lists = make([]string, n), make([][]int64, n)
	for i := range n {
		e.names[i], at = d.TextElement(at)
		e.lists[i], at = d.I64List(at)
	}
	return at + 1
}

func (e *entries) WriteThrift(b []byte, off int) int {
	off = PutMapHead(b, PutHead(b, off, Head(13<<16|1)), String, List, len(e.names))
	for i, name := range e.names {
		off = PutI64List(b, PutTextElement(b, off, name), e.lists[i])
	}
	return PutEnd(b, off)
}

// labelled is a struct with a text and bytes.
type labelled struct {
	text  string
	bytes []byte
}

func (l *labelled) ReadThrift(d *Decoder, off int) int {
	l.text, off, _ = d.Text(off)
	l.bytes, off, _ = d.Binary(off)
	return off + 1
}

func (l *labelled) WriteThrift(b []byte, off int) int {
	off = PutText(b, off, Head(11<<16|1), l.text)
	return PutEnd(b, PutBinary(b, off, Head(11<<16|2), l.bytes))
}

// taken returns the mean number of bytes, and of allocations, for a message that one decoder reads many times.
func taken(t *testing.T, message []byte, into Reader) (bytes, times float64) {
	const count = 200
	d, options := new(Decoder), new(Options)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range count {
		d.begin(message, options)
		if end := into.ReadThrift(d, 0); end != len(message) || d.fault != 0 {
			t.Fatalf("%v at %d of %d", d.fault.Cause(), end, len(message))
		}
		d.end(options)
	}
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc-before.TotalAlloc) / count, float64(after.Mallocs-before.Mallocs) / count
}

func TestALongTextIsCopiedWithoutTheBytesBehindIt(t *testing.T) {
	message := Marshal(&labelled{strings.Repeat("text ", 54), make([]byte, 270)})
	if bytes, _ := taken(t, message, new(labelled)); bytes > 1.25*540 {
		t.Errorf("%.0f bytes for 540 of text and bytes", bytes)
	}
}

func TestTextsAreCopiedWithoutTheNumbersBetweenThem(t *testing.T) {
	e := new(entries)
	for range 60 {
		e.names, e.lists = append(e.names, "a name"), append(e.lists, make([]int64, 50))
	}
	message := Marshal(e)
	// These bytes are allocated by the test itself, for texts and lists.
	places := float64(60 * (16 + 24))
	if bytes, _ := taken(t, message, new(entries)); bytes > 1.25*60*(6+8*50)+places {
		t.Errorf("%.0f bytes for a message of %d", bytes, len(message))
	}
}

func TestTextsThatStandTogetherAreCopiedTogether(t *testing.T) {
	e := new(entries)
	for range 600 {
		e.names, e.lists = append(e.names, "a name"), append(e.lists, nil)
	}
	message := Marshal(e)
	// Two of the allocations are the test's own.
	if _, times := taken(t, message, new(entries)); times > 6 {
		t.Errorf("%.1f allocations for %d texts in %d bytes", times, len(e.names), len(message))
	}
}

func TestReadingAgainChangesNothingThatWasRead(t *testing.T) {
	// Messages share memory, but no two of them get the same bytes.
	d, options := new(Decoder), new(Options)
	var read []*labelled
	for i := range 100 {
		text := strings.Repeat(string(rune('a'+i%26)), i)
		message := Marshal(&labelled{text, []byte(text)})
		l := new(labelled)
		d.begin(message, options)
		l.ReadThrift(d, 0)
		d.end(options)
		clear(message)
		read = append(read, l)
	}
	for i, l := range read {
		if text := strings.Repeat(string(rune('a'+i%26)), i); l.text != text || string(l.bytes) != text {
			t.Errorf("message %d: %q, %q", i, l.text, l.bytes)
		}
	}
}

func TestShortMessagesAreReadUnderLimitsThatFitThem(t *testing.T) {
	// The decoder does not allocate memory for later messages where it is more than this message may have.
	options := &Options{Limits: Limits{Expansion: 2, Depth: 64}}
	message := Marshal(&labelled{"a short text", []byte("a few bytes")})
	d := new(Decoder)
	for i := range 100 {
		d.begin(message, options)
		new(labelled).ReadThrift(d, 0)
		if d.fault != 0 {
			t.Fatalf("message %d: %v", i, d.fault.Cause())
		}
		d.end(options)
	}
}

func TestBatchesTakeNoMoreThanAMessageMayHave(t *testing.T) {
	b := make([]byte, 64)
	message := b[:PutTextList(b, 0, []string{"a", "b", "c"})]
	// The limit is a little more than the memory of three strings with their bytes, or of two structs.
	options := &Options{Limits: Limits{Expansion: 4, Depth: 64}}
	for name, read := range map[string]func(d *Decoder){
		"strings": func(d *Decoder) { d.TextList(0) },
		"structs": func(d *Decoder) { New[[4]int64](d, 0, 1); New[[4]int64](d, 0, 1) },
	} {
		d := new(Decoder)
		for i := range 100 {
			d.begin(message, options)
			read(d)
			if d.fault != 0 {
				t.Errorf("%s: message %d: %v", name, i, d.fault.Cause())
				break
			}
			d.end(options)
		}
	}
}
