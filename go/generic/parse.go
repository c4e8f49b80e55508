package generic

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"hone/go/idl"
)

// textFault says what is wrong with JSON text, and at which offset.
type textFault struct {
	fault
	offset int
}

// named turns the fault into an error.
func (f *textFault) named(root string, text []byte) *Error {
	return &Error{Path: f.path.text(root), Problem: f.problem, Mend: f.mend, Position: positionOf(text, f.offset), Offset: f.offset}
}

// positionOf returns the line and the column of an offset in a text.
func positionOf(text []byte, offset int) idl.Position {
	before := text[:min(offset, len(text))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return idl.Position{Line: bytes.Count(before, []byte{'\n'}) + 1, Column: utf8.RuneCount(before[start:]) + 1}
}

// parseJSON reads a text as one value: numbers become json.Number, objects become maps, and arrays become slices. If an object has a name twice,
// package encoding/json silently takes the last. So a text that has a name twice, or that is not valid JSON, is read a second time, more slowly, to
// find out what is wrong and where.
func parseJSON(text []byte, depth int) (any, *textFault) {
	if !utf8.Valid(text) {
		return nil, &textFault{*faultf("send UTF-8", "the text is not UTF-8"), firstInvalid(text)}
	}
	var value any
	tokens := json.NewDecoder(bytes.NewReader(text))
	tokens.UseNumber()
	err := tokens.Decode(&value)
	if err == nil && len(bytes.TrimLeft(text[tokens.InputOffset():], blanks)) == 0 && namesOf(value) == namesIn(text) {
		return value, nil
	}
	p := newParser(text, depth)
	value, fault := p.value()
	if fault != nil {
		return nil, fault
	}
	end := p.next()
	if _, err := p.tokens.Token(); err != io.EOF {
		return nil, p.fault("take it away", "something follows the end of the value", end)
	}
	return value, nil
}

// blanks are the characters that may be between tokens.
const blanks = " \t\r\n"

// namesOf returns the number of names that the objects in a value have.
func namesOf(value any) (n int) {
	switch value := value.(type) {
	case map[string]any:
		n = len(value)
		for _, one := range value {
			n += namesOf(one)
		}
	case []any:
		for _, one := range value {
			n += namesOf(one)
		}
	}
	return n
}

// namesIn returns the number of names that the objects in JSON text have. It counts colons: one follows each name, and all others are inside texts.
func namesIn(text []byte) (n int) {
	isText := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			isText = !isText
		case c == '\\' && isText:
			i++
		case c == ':' && !isText:
			n++
		}
	}
	return n
}

// parser reads JSON text token by token.
type parser struct {
	text   []byte
	tokens *json.Decoder
	// depth is the number of levels of values that may still be inside each other.
	depth int
}

func newParser(text []byte, depth int) *parser {
	p := &parser{text: text, tokens: json.NewDecoder(bytes.NewReader(text)), depth: depth}
	p.tokens.UseNumber()
	return p
}

// firstInvalid returns the offset of the first byte that is not UTF-8.
func firstInvalid(text []byte) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(text)
}

func (p *parser) fault(mend, problem string, offset int) *textFault {
	return &textFault{fault{problem: problem, mend: mend}, offset}
}

// next returns the offset of the next token.
func (p *parser) next() int {
	offset := int(p.tokens.InputOffset())
	for offset < len(p.text) && strings.IndexByte(blanks+",:", p.text[offset]) >= 0 {
		offset++
	}
	return offset
}

func (p *parser) token() (json.Token, *textFault) {
	token, err := p.tokens.Token()
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return token, nil
	case errors.As(err, &syntax):
		return nil, p.fault("correct it", "the text is no JSON: "+syntax.Error(), max(0, int(syntax.Offset)-1))
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return nil, p.fault("send all of it", "the text is no JSON: it ends too early", len(p.text))
	}
	return nil, p.fault("correct it", "the text is no JSON: "+err.Error(), p.next())
}

func (p *parser) value() (any, *textFault) {
	start := p.next()
	token, err := p.token()
	if err != nil {
		return nil, err
	}
	opening, isContainer := token.(json.Delim)
	if !isContainer {
		return token, nil
	}
	if p.depth == 0 {
		return nil, p.fault("send less deep values, or raise Options.Limits", "too many values lie in each other", start)
	}
	p.depth--
	defer func() { p.depth++ }()
	if opening == '{' {
		return p.object()
	}
	return p.array()
}

func (p *parser) object() (any, *textFault) {
	fields := map[string]any{}
	for p.tokens.More() {
		start := p.next()
		token, err := p.token()
		if err != nil {
			return nil, err
		}
		name := token.(string)
		if _, isTwice := fields[name]; isTwice {
			err := p.fault("take one of them away", "the object has this name twice", start)
			err.in(fieldStep(name))
			return nil, err
		}
		if fields[name], err = p.value(); err != nil {
			err.in(fieldStep(name))
			return nil, err
		}
	}
	_, err := p.token()
	return fields, err
}

func (p *parser) array() (any, *textFault) {
	elements := []any{}
	for p.tokens.More() {
		element, err := p.value()
		if err != nil {
			err.in(elementStep(len(elements)))
			return nil, err
		}
		elements = append(elements, element)
	}
	_, err := p.token()
	return elements, err
}

// located finds the offset of the wrong value in JSON text, or else of the value around it. It reads the text again, so that texts without errors pay
// nothing for this.
func located(f *fault, text []byte) *textFault {
	p := newParser(text, 0)
	at := p.next()
	for i := len(f.path) - 1; i >= 0; i-- {
		name, value, isThere := p.enter(f.path[i])
		if !isThere {
			break
		}
		if at = value; f.isName {
			at = name
		}
	}
	return &textFault{*f, at}
}

// enter goes into the next value up to a field or an element, and returns the offsets of its name and of its value.
func (p *parser) enter(to step) (name, value int, isThere bool) {
	if token, _ := p.tokens.Token(); token != json.Delim('{') && token != json.Delim('[') {
		return 0, 0, false
	}
	for i := 0; p.tokens.More(); i++ {
		start := p.next()
		if to.index < 0 {
			if found, _ := p.tokens.Token(); found == to.name {
				return start, p.next(), true
			}
		} else if i == to.index {
			return start, start, true
		}
		if p.tokens.Decode(new(json.RawMessage)) != nil {
			break
		}
	}
	return 0, 0, false
}
