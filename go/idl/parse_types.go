package idl

import (
	"fmt"
	"strconv"
)

// enter counts a level of nesting; the caller must call leave in any case.
func (p *parser) enter(what string) {
	p.depth++
	if p.depth > MaxNesting {
		p.fail(p.peek().Position, "name the inner ones with a definition of their own", "%s are nested more than %d deep", what, MaxNesting)
	}
}

func (p *parser) leave() { p.depth-- }

const typeMend = "write a base type (bool, i8, i16, i32, i64, double, string, binary, uuid), list<...>, set<...>, map<..., ...> or a defined name"

func (p *parser) fieldType() *Type {
	p.enter("types")
	defer p.leave()
	word := p.peek()
	t := &Type{Position: word.Position, Name: word.text}
	if p.failed {
		return t
	}
	if word.kind != tokenWord {
		p.expected("a type", typeMend)
		return t
	}
	base, known := baseTypes[word.text]
	switch {
	case known:
		p.at++
		t.Kind = base
		t.Annotations = p.annotations()
	case word.text == "list" || word.text == "set" || word.text == "map":
		p.at++
		p.container(t)
		t.Annotations = p.annotations()
	default:
		p.namedType(t, word)
	}
	return t
}

func (p *parser) namedType(t *Type, word *token) {
	switch {
	case word.text == "slist":
		p.report.warnf(word.Position, "write string", "'slist', which newer compilers refuse, is taken for string")
		t.Kind = String
		p.at++
		t.Annotations = p.annotations()
	case word.text == "void":
		p.fail(word.Position, "void is only the result of a function", "expected a type, found 'void'")
	case keywords[word.text]:
		p.expected("a type", typeMend)
	default:
		t.Kind = Named
		p.at++
		if at := p.peek(); !p.failed && at.is("(") {
			p.report.warnf(at.Position, "write them after the field's name, where that reads this file too",
				"a defined type has annotations where it is used, which Apache's compiler refuses")
			t.Annotations = p.annotations()
		}
	}
}

func (p *parser) container(t *Type) {
	if t.Name != "list" {
		p.cppType(t)
	}
	open := p.peek()
	p.need("<", fmt.Sprintf("give the element types, as in '%s'", map[string]string{
		"list": "list<string>", "set": "set<string>", "map": "map<string, i32>"}[t.Name]))
	open.layout.tight = t.CppType == ""
	switch t.Name {
	case "list":
		t.Kind, t.Value = List, p.fieldType()
	case "set":
		t.Kind, t.Value = Set, p.fieldType()
	default:
		t.Kind, t.Key = Map, p.fieldType()
		p.need(",", "a map has two types, as in map<string, i32>")
		t.Value = p.fieldType()
	}
	p.need(">", fmt.Sprintf("close the '<' of line %d", open.Line))
	if t.Name == "list" {
		p.cppType(t)
	}
}

// cppType parses `cpp_type "T"`, which comes before the `<` of sets and maps and after the `>` of lists.
func (p *parser) cppType(t *Type) {
	if p.acceptWord("cpp_type") {
		t.CppType = p.literal("a C++ type in quotes", "write it as in 'set cpp_type \"T\" <i32>' and 'list<i32> cpp_type \"T\"'")
	}
}

// annotations parses `(name = "value", name)`, or nothing.
func (p *parser) annotations() []*Annotation {
	open := p.peek()
	if !p.accept("(") {
		return nil
	}
	open.layout.opens = listGroup
	var all []*Annotation
	for !p.failed && !p.peek().is(")") {
		a := &Annotation{}
		a.Position, a.Notes = p.begin()
		if p.peek().kind != tokenWord || p.peek().isWord("true") || p.peek().isWord("false") {
			p.expected("the name of an annotation", fmt.Sprintf("close the '(' of line %d", open.Line))
			break
		}
		a.Name = p.take().text
		if p.accept("=") {
			a.HasValue = true
			a.Value = p.annotationValue()
		}
		a.Beside = p.endElement()
		all = append(all, a)
	}
	p.need(")", "close the annotations")
	if !p.failed {
		p.last().layout.closes = true
	}
	return all
}

// annotationValue takes the text of an annotation. Other tools read most annotations, by rules of their own: expressions for
// validators have escapes that only these tools know.
func (p *parser) annotationValue() string {
	if p.failed || p.peek().kind != tokenLiteral {
		return p.literal("the annotation's value in quotes", "write it as in (name = \"value\")")
	}
	return p.unquote(p.take(), Warning)
}

// integer takes a whole number of at most 64 bits.
func (p *parser) integer(what, mend string) int64 {
	if p.failed {
		return 0
	}
	t := p.peek()
	if t.kind != tokenInt {
		p.expected(what, mend)
		return 0
	}
	p.at++
	n, err := parseInteger(t.text)
	if err != nil {
		p.report.errorf(t.Position, "choose a smaller one", "the number %s does not fit into 64 bits", t.describe())
	}
	return n
}

func parseInteger(text string) (int64, error) {
	digits, negative := text, false
	if text[0] == '-' || text[0] == '+' {
		digits, negative = text[1:], text[0] == '-'
	}
	base := 10
	if len(digits) > 2 && digits[1] == 'x' {
		digits, base = digits[2:], 16
	}
	if negative {
		digits = "-" + digits
	}
	return strconv.ParseInt(digits, base, 64)
}

const valueMend = "write a number, a text in quotes, a name, [list] or {key: value}"

func (p *parser) value() *Value {
	p.enter("constants")
	defer p.leave()
	t := p.peek()
	v := &Value{Position: t.Position, Text: t.text, Notes: Notes{line: t.Line}}
	if p.failed {
		return v
	}
	switch {
	case t.kind == tokenInt:
		v.Int = p.integer("a number", "")
	case t.kind == tokenDouble:
		p.at++
		v.Kind = ValueDouble
		number, err := strconv.ParseFloat(t.text, 64)
		if err != nil {
			p.report.errorf(t.Position, "choose a smaller one", "the number %s does not fit into a double", t.describe())
		}
		v.Double = number
	case t.kind == tokenLiteral:
		v.Kind, v.Text = ValueLiteral, p.unquote(p.take(), Error)
	case t.isWord("true"), t.isWord("false"):
		p.at++
		if t.text == "true" {
			v.Int = 1
		}
	case t.is("["):
		p.valueGroup(v, ValueList, "]")
	case t.is("{"):
		p.valueGroup(v, ValueMap, "}")
	case t.kind == tokenWord && !keywords[t.text]:
		p.at++
		v.Kind = ValueIdentifier
	default:
		p.expected("a value", valueMend)
	}
	return v
}

// valueGroup parses a list or a map. The value's text stays empty.
func (p *parser) valueGroup(v *Value, kind ValueKind, closer string) {
	open := p.take()
	open.layout.opens = listGroup
	v.Kind, v.Text = kind, ""
	for !p.failed && !p.peek().is(closer) {
		if t := p.peek(); t.kind == tokenEnd || p.atDefinition() {
			p.expected("'"+closer+"'", fmt.Sprintf("close the '%s' of line %d", open.text, open.Line))
			return
		}
		_, notes := p.begin()
		element := p.value()
		element.Notes = notes
		if kind == ValueList {
			element.Beside = p.endElement()
			v.List = append(v.List, element)
			continue
		}
		p.need(":", "write a map as {key: value, key: value}")
		value := p.value()
		element.Beside = p.endElement()
		v.Map = append(v.Map, ValuePair{element, value})
	}
	if p.failed {
		return
	}
	v.Tail = p.above()
	p.take().layout.closes = true
}
