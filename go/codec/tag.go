package codec

import (
	"reflect"
	"strconv"
	"strings"

	"hone/go/thrift"
)

// tag is the content of a field's tag.
type tag struct {
	name         string
	id           int16
	requiredness requiredness
	// spec is the type; nil if the tag names none.
	spec *spec
}

type requiredness byte

const (
	ordinary requiredness = iota
	required
	optional
)

var requirednesses = map[string]requiredness{"": ordinary, "default": ordinary, "required": required, "optional": optional}

const tagMend = "write it as `thrift:\"name,id,required|default|optional,type\"`"

// tagOf reads the tags of a field. A field without a tag is not part of the message.
func tagOf(f reflect.StructField) (_ tag, isField bool, _ *TypeError) {
	said, isField := thrift.TagOf(f)
	if word := f.Tag.Get("thrift"); !isField && word != "" && word != "-" {
		return tag{}, false, problem(tagMend, "the tag %q has no id", word)
	}
	if !isField {
		return tag{}, false, nil
	}
	t := tag{name: said.Name}
	number, err := strconv.ParseInt(said.ID, 10, 16)
	if err != nil {
		return t, false, problem(tagMend, "%q is no id of a field", said.ID)
	}
	t.id = int16(number)
	isKnown := false
	if t.requiredness, isKnown = requirednesses[said.Requiredness]; !isKnown {
		return t, false, problem(tagMend, "%q says neither required nor optional", said.Requiredness)
	}
	var fault *TypeError
	t.spec, fault = parseSpec(said.Type)
	return t, true, fault
}

// spec is a type in the words of a tag: map<string:list<i32>>.
type spec struct {
	word string
	args []*spec
}

const specMend = "write types as i32, string, list<T>, set<T>, map<K:V>, struct, or the name of a struct or an enum"

// mostSpecs is the number of types that may lie in each other in a tag.
const mostSpecs = 64

// parseSpec reads a type; it returns nil for an empty text. The text after a comma outside of brackets is not for this package.
func parseSpec(text string) (*spec, *TypeError) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	s, rest, ok := cutSpec(text, 0)
	if rest = strings.TrimSpace(rest); !ok || rest != "" && rest[0] != ',' {
		return nil, problem(specMend, "%q is no type", text)
	}
	return s, nil
}

func cutSpec(text string, depth int) (_ *spec, rest string, ok bool) {
	end := strings.IndexAny(text, "<>:,")
	if end < 0 {
		end = len(text)
	}
	s := &spec{word: strings.TrimSpace(text[:end])}
	text = text[end:]
	if s.word == "" || depth == mostSpecs {
		return nil, text, false
	}
	if !strings.HasPrefix(text, "<") {
		return s, text, true
	}
	for {
		arg, rest, ok := cutSpec(text[1:], depth+1)
		if !ok || rest == "" {
			return nil, rest, false
		}
		s.args = append(s.args, arg)
		text = rest
		switch text[0] {
		case '>':
			return s, text[1:], true
		case '<':
			return nil, text, false
		}
	}
}

// arg returns one of the types in brackets; nil where the tag names none.
func (s *spec) arg(i int) *spec {
	if s == nil || i >= len(s.args) {
		return nil
	}
	return s.args[i]
}

// says returns the word, or "" where the tag names no type.
func (s *spec) says() string {
	if s == nil {
		return ""
	}
	return s.word
}
