package pb

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/reflect/protoreflect"

	"hone/go/generic"
	"hone/go/idl"
)

// placeIn matches the line and the column in an error of protojson.
var placeIn = regexp.MustCompile(`\(line (\d+):(\d+)\): `)

// unknownIn matches an error of protojson about a field that the message does not have.
var unknownIn = regexp.MustCompile(`unknown field "([^"]*)"`)

// withoutPrefix returns the text of an error without the package name and the place.
func withoutPrefix(err error) string {
	// protojson puts one of two kinds of blank into its errors at random, so that nobody relies on the text.
	text := strings.TrimSpace(strings.TrimPrefix(strings.ReplaceAll(err.Error(), "\u00a0", " "), "proto:"))
	return placeIn.ReplaceAllString(text, "")
}

// explain adds to an error of protojson the path to the wrong value, and suggests the right name of an unknown field.
func (m *Message) explain(err error, text []byte) error {
	told := &generic.Error{Path: m.root, Problem: withoutPrefix(err), Offset: -1, Cause: err}
	place := placeIn.FindStringSubmatch(err.Error())
	if place == nil {
		return told
	}
	told.Line, _ = strconv.Atoi(place[1])
	told.Column, _ = strconv.Atoi(place[2])
	told.Offset = offsetOf(text, told.Position)
	path := pathTo(text, told.Offset)
	told.Path = m.root + path.text()
	if unknown := unknownIn.FindStringSubmatch(told.Problem); unknown != nil {
		told.Mend = meant(m.message.Descriptor(), path, unknown[1])
	}
	return told
}

// offsetOf returns the offset of a position in a text. Columns of protojson count characters.
func offsetOf(text []byte, at idl.Position) int {
	offset := 0
	for range at.Line - 1 {
		end := bytes.IndexByte(text[offset:], '\n')
		if end < 0 {
			return len(text)
		}
		offset += end + 1
	}
	for range at.Column - 1 {
		_, size := utf8.DecodeRune(text[offset:])
		offset += size
	}
	return min(offset, len(text))
}

// path is a path to a value in JSON. Its steps are names of objects and indexes of arrays.
type path []any

func (p path) text() string {
	var text strings.Builder
	for _, one := range p {
		switch one := one.(type) {
		case string:
			text.WriteString("." + one)
		case int:
			text.WriteString("[" + strconv.Itoa(one) + "]")
		}
	}
	return text.String()
}

// pathTo returns the path to the token at an offset, as far as the text is valid JSON.
func pathTo(text []byte, offset int) path {
	f := &finder{tokens: json.NewDecoder(bytes.NewReader(text)), offset: offset}
	f.value()
	return f.path
}

// finder reads JSON up to an offset. Once it has reached the offset, path no longer changes.
type finder struct {
	tokens *json.Decoder
	offset int
	path   path
}

// token returns the next token. isThere is true if the token reaches the offset, or if there is no valid token.
func (f *finder) token() (token json.Token, isThere bool) {
	token, err := f.tokens.Token()
	return token, err != nil || int(f.tokens.InputOffset()) > f.offset
}

// value reads a value, and reports whether the offset is in it.
func (f *finder) value() (isThere bool) {
	token, isThere := f.token()
	if isThere || token != json.Delim('{') && token != json.Delim('[') {
		return isThere
	}
	for i := 0; f.tokens.More(); i++ {
		f.path = append(f.path, i)
		if token == json.Delim('{') {
			name, isThere := f.token()
			if f.path[len(f.path)-1] = name; isThere {
				return true
			}
		}
		if f.value() {
			return true
		}
		f.path = f.path[:len(f.path)-1]
	}
	_, isThere = f.token()
	return isThere
}

// meant suggests the field that was meant by an unknown name at the end of a path.
func meant(of protoreflect.MessageDescriptor, to path, name string) string {
	for _, one := range to[:max(0, len(to)-1)] {
		named, ok := one.(string)
		if !ok {
			continue
		}
		field := of.Fields().ByJSONName(named)
		if field == nil {
			field = of.Fields().ByTextName(named)
		}
		switch {
		case field == nil:
			continue // the step is a key of a map
		case field.IsMap() && field.MapValue().Message() != nil:
			of = field.MapValue().Message()
		case field.Message() != nil:
			of = field.Message()
		}
	}
	var names []string
	for i := range of.Fields().Len() {
		names = append(names, of.Fields().Get(i).JSONName())
	}
	if said := idl.DidYouMean(name, names); said != "" {
		return said
	}
	return "take it away"
}
