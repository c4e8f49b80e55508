package generic

import (
	"encoding/base64"
	"math"
	"strconv"
)

// nothing is a sink for messages that are only checked.
type nothing struct{}

func (nothing) object()        {}
func (nothing) array(int)      {}
func (nothing) end()           {}
func (nothing) name(string)    {}
func (nothing) boolean(bool)   {}
func (nothing) integer(int64)  {}
func (nothing) long(int64)     {}
func (nothing) double(float64) {}
func (nothing) text(string)    {}
func (nothing) binary([]byte)  {}
func (nothing) size() int      { return 0 }
func (nothing) isText() bool   { return false }

// keyText makes a name from a map's key.
type keyText struct {
	nothing
	made string
}

func (k *keyText) boolean(is bool)       { k.made = strconv.FormatBool(is) }
func (k *keyText) integer(number int64)  { k.made = strconv.FormatInt(number, 10) }
func (k *keyText) long(number int64)     { k.made = strconv.FormatInt(number, 10) }
func (k *keyText) double(number float64) { k.made = doubleText(number) }
func (k *keyText) text(text string)      { k.made = text }
func (k *keyText) binary(bytes []byte)   { k.made = base64.StdEncoding.EncodeToString(bytes) }

// jsonText makes JSON text.
type jsonText struct {
	b           []byte
	textForLong bool
	// ends are the closing brackets of all objects and arrays that are open.
	ends []byte
}

// comma writes a comma between values. There is none at the start, or behind a bracket or a colon.
func (j *jsonText) comma() {
	if n := len(j.b); n > 0 && j.b[n-1] != '{' && j.b[n-1] != '[' && j.b[n-1] != ':' {
		j.b = append(j.b, ',')
	}
}

func (j *jsonText) object() {
	j.comma()
	j.b, j.ends = append(j.b, '{'), append(j.ends, '}')
}

func (j *jsonText) array(int) {
	j.comma()
	j.b, j.ends = append(j.b, '['), append(j.ends, ']')
}

func (j *jsonText) end() {
	last := len(j.ends) - 1
	j.b, j.ends = append(j.b, j.ends[last]), j.ends[:last]
}

func (j *jsonText) name(text string) {
	j.text(text)
	j.b = append(j.b, ':')
}

func (j *jsonText) boolean(is bool) {
	j.comma()
	j.b = strconv.AppendBool(j.b, is)
}

func (j *jsonText) integer(number int64) {
	j.comma()
	j.b = strconv.AppendInt(j.b, number, 10)
}

func (j *jsonText) long(number int64) {
	if j.textForLong {
		j.text(strconv.FormatInt(number, 10))
		return
	}
	j.integer(number)
}

func (j *jsonText) double(number float64) {
	if math.IsNaN(number) || math.IsInf(number, 0) {
		j.text(doubleText(number))
		return
	}
	j.comma()
	j.b = append(j.b, doubleText(number)...)
}

func (j *jsonText) binary(bytes []byte) {
	j.comma()
	j.b = append(base64.StdEncoding.AppendEncode(append(j.b, '"'), bytes), '"')
}

func (j *jsonText) text(text string) {
	j.comma()
	j.b = append(j.b, '"')
	done := 0
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' {
			j.b = appendEscape(append(j.b, text[done:i]...), c)
			done = i + 1
		}
	}
	j.b = append(append(j.b, text[done:]...), '"')
}

func (j *jsonText) size() int    { return len(j.b) }
func (j *jsonText) isText() bool { return true }

// appendEscape writes a character that JSON text must escape.
func appendEscape(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	}
	const digits = "0123456789abcdef"
	return append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
}

// doubleText returns the shortest text of a number that reads back as the same number, as JavaScript writes it.
func doubleText(number float64) string {
	switch {
	case math.IsNaN(number):
		return "NaN"
	case math.IsInf(number, 0):
		return map[bool]string{true: "Infinity", false: "-Infinity"}[number > 0]
	}
	format := byte('f')
	if size := math.Abs(number); size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	return strconv.FormatFloat(number, format, -1, 64)
}

// goValue makes a value of Go.
type goValue struct {
	made any
	// open are the objects and arrays that are not yet complete, the innermost last.
	open []container
	// bytes is roughly the number of bytes of memory that the value takes.
	bytes int
}

// container is an object or an array.
type container struct {
	object map[string]any
	array  []any
	// next is the name of the next value in an object.
	next string
}

// These are rough numbers of bytes that values take in memory.
const (
	objectBytes  = 48
	entryBytes   = 48
	arrayBytes   = 24
	elementBytes = 16
	numberBytes  = 8
	stringBytes  = 16
)

func (g *goValue) object() {
	g.bytes += objectBytes
	g.open = append(g.open, container{object: map[string]any{}})
}

// mostAtOnce is the number of elements that an array has room for before they have been read.
const mostAtOnce = 64

func (g *goValue) array(n int) {
	g.bytes += arrayBytes
	g.open = append(g.open, container{array: make([]any, 0, max(0, min(n, mostAtOnce)))})
}

func (g *goValue) end() {
	last := len(g.open) - 1
	one := g.open[last]
	g.open = g.open[:last]
	if one.object != nil {
		g.put(one.object)
	} else {
		g.put(one.array)
	}
}

// put puts a value into the object or array around it.
func (g *goValue) put(one any) {
	if len(g.open) == 0 {
		g.made = one
		return
	}
	around := &g.open[len(g.open)-1]
	if around.object == nil {
		g.bytes += elementBytes
		around.array = append(around.array, one)
		return
	}
	g.bytes += entryBytes
	around.object[around.next] = one
}

func (g *goValue) name(text string) { g.open[len(g.open)-1].next = text }

func (g *goValue) boolean(is bool) { g.put(is) }

func (g *goValue) integer(number int64) {
	g.bytes += numberBytes
	g.put(number)
}

func (g *goValue) long(number int64) { g.integer(number) }

func (g *goValue) double(number float64) {
	g.bytes += numberBytes
	g.put(number)
}

func (g *goValue) text(text string) {
	g.bytes += stringBytes
	g.put(text)
}

func (g *goValue) binary(bytes []byte) {
	g.bytes += arrayBytes + len(bytes)
	g.put(bytes)
}

func (g *goValue) size() int    { return g.bytes }
func (g *goValue) isText() bool { return false }
