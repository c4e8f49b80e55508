package idl

import (
	"fmt"
	"math"
)

func (p *parser) definition() {
	at, notes := p.begin()
	first := p.peek()
	h := header{Position: at, Notes: notes}
	var d Definition
	var own *header
	word := p.take().text
	switch word {
	case "typedef":
		t := &Typedef{header: h}
		t.Type = p.fieldType()
		t.Name, t.NamePosition = p.name("the new name of the type")
		t.Annotations = p.annotations()
		d, own = t, &t.header
	case "const":
		d, own = p.constant(h)
	case "enum":
		d, own = p.enum(h)
	case "senum":
		d, own = p.texts(h)
	case "service":
		d, own = p.service(h)
	default:
		d, own = p.structure(h, word)
	}
	if own.Name != "" {
		p.file.Definitions = append(p.file.Definitions, d)
	}
	if p.failed {
		return
	}
	switch word {
	case "typedef", "const":
		p.separator()
	default:
		first.layout.definition = true
		p.last().layout.ended = true
	}
	own.Beside = append(own.Beside, p.beside()...)
}

func (p *parser) constant(h header) (Definition, *header) {
	c := &Const{header: h}
	c.Type = p.fieldType()
	c.Name, c.NamePosition = p.name("the name of the constant")
	p.need("=", "give the constant a value, as in 'const i32 A = 1'")
	c.Value = p.value()
	if at := p.peek(); !p.failed && at.is("(") {
		p.report.warnf(at.Position, "remove them, where that reads this file too", "a constant has annotations, which Apache's compiler refuses")
		c.Annotations = p.annotations()
	}
	return c, &c.header
}

// block parses the statements of a body up to its closing brace. After a problem it goes on with the next statement.
func (p *parser) block(h *header, what string, statement func()) {
	open := p.at
	p.need("{", fmt.Sprintf("open the body of %s %s with '{'", what, h.Name))
	if p.failed {
		return
	}
	p.tokens[open].layout.opens = blockGroup
	h.Beside = p.beside()
	for !p.peek().is("}") {
		if p.peek().kind == tokenEnd || p.atDefinition() {
			p.fail(p.tokens[open].Position, "add '}' before "+p.peek().describe()+fmt.Sprintf(" in line %d", p.peek().Line),
				"the body of %s %s is not closed", what, h.Name)
			return
		}
		start := p.at
		statement()
		if p.failed {
			p.recoverIn(start, "}")
		}
	}
	h.Tail = p.above()
	p.take().layout.closes = true
}

// recoverIn moves to the next statement in brackets: past a separator, to the first token of a line, to the closing bracket, or to
// the next definition.
func (p *parser) recoverIn(start int, closer string) {
	p.failed, p.depth = false, 0
	p.at = max(p.at, start+1)
	for inner := 0; p.peek().kind != tokenEnd && !p.atDefinition(); p.at++ {
		t := p.peek()
		if inner == 0 {
			if t.is(closer) || t.is("}") || p.firstOnLine(p.at) && (t.kind == tokenWord || t.kind == tokenInt) {
				return
			}
			if t.is(",") || t.is(";") {
				p.at++
				return
			}
		}
		switch {
		case t.is("("), t.is("{"), t.is("["), t.is("<"):
			inner++
		case inner > 0 && (t.is(")") || t.is("}") || t.is("]") || t.is(">")):
			inner--
		}
	}
}

func (p *parser) enum(h header) (Definition, *header) {
	e := &Enum{header: h}
	e.Name, e.NamePosition = p.name("the name of the enum")
	next := int64(0)
	p.block(&e.header, "enum", func() {
		v := &EnumValue{Enum: e}
		v.Position, v.Notes = p.begin()
		v.Name, _ = p.memberName("the name of a value")
		v.Number = next
		if p.accept("=") {
			v.Explicit = true
			v.Number = p.integer("a whole number", "number it as in 'A = 1'")
		}
		v.Annotations = p.annotations()
		v.Beside = p.endElement()
		if !p.failed {
			e.Values = append(e.Values, v)
			next = v.Number + 1
		}
	})
	e.Annotations = p.annotations()
	return e, &e.header
}

// texts parses `senum A { "a", "b" }` of old compilers, which took it for a string.
func (p *parser) texts(h header) (Definition, *header) {
	p.report.warnf(h.Position, "use an enum, or a typedef of string", "'senum', which newer compilers refuse, is taken for a typedef of string")
	t := &Typedef{header: h, Type: &Type{Position: h.Position, Kind: String, Name: "string"}}
	t.Name, t.NamePosition = p.name("the name of the senum")
	p.block(&t.header, "senum", func() {
		p.begin()
		p.literal("a text in quotes", "list texts, as in senum A { \"a\", \"b\" }")
		p.endElement()
	})
	t.Annotations = p.annotations()
	return t, &t.header
}

var structKinds = map[string]StructKind{"struct": KindStruct, "union": KindUnion, "exception": KindException}

func (p *parser) structure(h header, word string) (Definition, *header) {
	s := &Struct{header: h, Kind: structKinds[word]}
	s.Name, s.NamePosition = p.name("the name of the " + word)
	if s.Kind != KindException {
		p.acceptWord("xsd_all")
	}
	auto := int64(-1)
	p.block(&s.header, word, func() {
		if f := p.field(&auto); f != nil {
			s.Fields = append(s.Fields, f)
		}
	})
	s.Annotations = p.annotations()
	return s, &s.header
}

func (p *parser) service(h header) (Definition, *header) {
	s := &Service{header: h}
	s.Name, s.NamePosition = p.name("the name of the service")
	if p.acceptWord("extends") {
		s.Extends, s.ExtendsPosition = p.reference("the name of a service", "write it as in 'service A extends B'")
	}
	p.block(&s.header, "service", func() {
		if f := p.function(); f != nil {
			s.Functions = append(s.Functions, f)
		}
	})
	s.Annotations = p.annotations()
	return s, &s.header
}

func (p *parser) function() *Function {
	f := &Function{}
	f.Position, f.Notes = p.begin()
	if p.peek().isWord("async") {
		p.report.warnf(p.peek().Position, "write 'oneway'", "'async' is an old word for 'oneway'")
		p.at++
		f.Oneway = true
	} else {
		f.Oneway = p.acceptWord("oneway")
	}
	if !p.acceptWord("void") {
		f.Result = p.fieldType()
	}
	f.Name, f.NamePosition = p.memberName("the name of the function")
	f.Arguments = p.parameters(true)
	if p.acceptWord("throws") {
		f.Throws = p.parameters(false)
	}
	f.Annotations = p.annotations()
	f.Beside = p.endElement()
	if p.failed {
		return nil
	}
	return f
}

// parameters parses arguments or the list after `throws`.
func (p *parser) parameters(tight bool) []*Field { return p.fieldsBetween("(", ")", tight) }

// fieldsBetween parses fields in brackets, which may be on one line or several.
func (p *parser) fieldsBetween(opener, closer string, tight bool) []*Field {
	open := p.at
	p.need(opener, fmt.Sprintf("write the fields in '%s' and '%s', '%s%s' for none", opener, closer, opener, closer))
	if p.failed {
		return nil
	}
	p.tokens[open].layout.opens = listGroup
	p.tokens[open].layout.tight = tight
	var fields []*Field
	auto := int64(-1)
	for !p.peek().is(closer) {
		if t := p.peek(); t.kind == tokenEnd || t.is("}") || p.atDefinition() {
			p.expected("'"+closer+"'", fmt.Sprintf("close the '%s' of line %d", opener, p.tokens[open].Line))
			return fields
		}
		start := p.at
		if f := p.field(&auto); f != nil {
			fields = append(fields, f)
		}
		if p.failed {
			p.recoverIn(start, closer)
		}
	}
	p.take().layout.closes = true
	return fields
}

// field parses one field. auto is the number that the next field without an id gets.
func (p *parser) field(auto *int64) *Field {
	f := &Field{}
	f.Position, f.Notes = p.begin()
	p.fieldID(f, auto)
	if p.acceptWord("required") {
		f.Requiredness = Required
	} else if p.acceptWord("optional") {
		f.Requiredness = Optional
	}
	f.Type = p.fieldType()
	f.Reference = p.accept("&")
	f.Name, f.NamePosition = p.memberName("the name of the field")
	if p.accept("=") {
		f.Default = p.value()
	}
	p.acceptWord("xsd_optional")
	p.acceptWord("xsd_nillable")
	p.xsdAttributes()
	f.Annotations = p.annotations()
	f.Beside = p.endElement()
	if p.failed {
		return nil
	}
	if !f.HasID {
		p.report.warnf(f.Position, fmt.Sprintf("write '%d: ...', or better a positive id that no other field has", f.ID),
			"the field %s has no id and is numbered %d, which changes when fields are added above it", f.Name, f.ID)
	}
	return f
}

// wrongID is the id of a field whose id has been reported as wrong.
const wrongID = math.MinInt32

func (p *parser) fieldID(f *Field, auto *int64) {
	if p.peek().kind != tokenInt {
		f.ID = int32(*auto)
		*auto--
		return
	}
	at := p.peek().Position
	id := p.integer("the id of the field", "")
	p.need(":", "write the id as in '1: i32 name'")
	if p.failed {
		return
	}
	f.HasID = true
	if id < -32768 || id > 32767 {
		if id != math.MaxInt64 { // already reported as an id that does not fit into 64 bits
			p.report.errorf(at, "choose an id from 1 to 32767", "the id %d does not fit into 16 bits", id)
		}
		f.ID = wrongID
		return
	}
	f.ID = int32(id)
	if id <= 0 {
		if id != *auto {
			p.report.warnf(at, "choose an id from 1 to 32767",
				"the id %d is not positive: Apache's compiler renumbers it to %d unless it runs with -allow-neg-keys", id, *auto)
		}
		*auto = id - 1
	}
}

// xsdAttributes skips `xsd_attrs { fields }`, which only Apache's XSD generator uses.
func (p *parser) xsdAttributes() {
	if !p.acceptWord("xsd_attrs") {
		return
	}
	if p.inAttributes {
		p.fail(p.last().Position, "remove the inner one", "'xsd_attrs' within 'xsd_attrs'")
		return
	}
	p.inAttributes = true
	p.fieldsBetween("{", "}", false)
	p.inAttributes = false
}
