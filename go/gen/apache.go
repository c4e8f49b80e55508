package gen

import (
	"fmt"
	"slices"
	"strings"

	"hone/go/idl"
)

// apacheTypes are the names that Apache's module has for the types of values, and for its methods that read and write them.
var apacheTypes = map[idl.TypeKind]struct{ kind, method string }{
	idl.Bool: {"BOOL", "Bool"}, idl.I8: {"BYTE", "Byte"}, idl.I16: {"I16", "I16"}, idl.I32: {"I32", "I32"}, idl.I64: {"I64", "I64"},
	idl.Double: {"DOUBLE", "Double"}, idl.String: {"STRING", "String"}, idl.Binary: {"STRING", "Binary"}, idl.UUID: {"UUID", "UUID"},
	idl.List: {"LIST", "List"}, idl.Set: {"SET", "Set"}, idl.Map: {"MAP", "Map"},
}

// apache writes the methods that Apache's module calls to read and write a struct by any protocol of its own. wireName is the name
// that the struct has for protocols.
func (g *generator) apache(s *structure, wireName string) {
	if g.options.Apache == NoApache {
		return
	}
	g.imports.useAs(g.options.apacheModule(), "apache")
	g.apacheRead(s)
	g.apacheWrite(s, wireName)
	if s.of != nil && s.of.Kind == idl.KindException && g.options.Apache != Apache013 {
		g.out("// TExceptionType makes the struct one of Apache's exceptions.")
		g.out("func (p *%s) TExceptionType() apache.TExceptionType { return apache.TExceptionTypeCompiled }\n", s.name)
	}
}

// apacheContext returns the context parameter, which only newer modules have.
func (g *generator) apacheContext() string {
	if g.options.Apache == Apache013 {
		return ""
	}
	return "ctx " + g.std("context") + ".Context, "
}

// apacheCall makes a call of one of Apache's methods, with the context that newer modules need.
func (g *generator) apacheCall(method string, arguments ...string) string {
	if g.options.Apache != Apache013 {
		arguments = append([]string{"ctx"}, arguments...)
	}
	return method + "(" + strings.Join(arguments, ", ") + ")"
}

func (g *generator) apacheKind(t *idl.Type) string {
	switch real := t.Real(); {
	case real.Enum() != nil:
		return "apache.I32"
	case real.Struct() != nil:
		return "apache.STRUCT"
	default:
		return "apache." + apacheTypes[real.Kind].kind
	}
}

// apacheRead writes a loop over the fields of a message. Its errors are Apache's, with the field and the struct before them.
func (g *generator) apacheRead(s *structure) {
	g.out("// Read reads the struct by one of Apache's protocols. Fields that the IDL does not have are skipped.")
	g.out("func (p *%s) Read(%sin apache.TProtocol) error {", s.name, g.apacheContext())
	if s.recursive {
		g.out("return %s\n}\n", g.apacheCall("p.readApache", "in", depthLimit))
		g.out("func (p *%s) readApache(%sin apache.TProtocol, depth int) error {", s.name, g.apacheContext())
		g.out("if depth <= 0 {\nreturn apache.NewTProtocolExceptionWithType(apache.DEPTH_LIMIT, thrift.TooDeep)\n}")
	}
	g.out("if _, err := %s; err != nil {\nreturn apache.PrependError(%s.Sprintf(\"%%T read error: \", p), err)\n}",
		g.apacheCall("in.ReadStructBegin"), g.std("fmt"))
	var required []field
	for _, f := range s.fields {
		if f.Requiredness == idl.Required {
			required = append(required, f)
		}
	}
	if len(required) > 0 {
		g.out("var seen [%d]bool", len(required))
	}
	g.out("for {\n_, kind, id, err := %s", g.apacheCall("in.ReadFieldBegin"))
	g.out("if err == nil && kind == apache.STOP {\nbreak\n}")
	g.out("switch {\ncase err != nil:")
	bit := 0
	for _, f := range s.fields {
		g.out("case id == %d && kind == %s:", f.ID, g.apacheKind(f.Type))
		g.apacheReadField(s, f)
		if f.Requiredness == idl.Required {
			g.out("seen[%d] = true", bit)
			bit++
		}
	}
	g.out("default:\nerr = %s\n}", g.apacheCall(g.apacheSkipName(), "in", "kind", depthWithin(s)))
	g.out("if err == nil {\nerr = %s\n}", g.apacheCall("in.ReadFieldEnd"))
	g.out("if err != nil {\nreturn apache.PrependError(%s.Sprintf(\"%%T read field %%d error: \", p, id), err)\n}\n}", g.std("fmt"))
	g.out("if err := %s; err != nil {\nreturn apache.PrependError(%s.Sprintf(\"%%T read struct end error: \", p), err)\n}",
		g.apacheCall("in.ReadStructEnd"), g.std("fmt"))
	for i, f := range required {
		g.out("if !seen[%d] {\nreturn apache.NewTProtocolExceptionWithType(apache.INVALID_DATA, %s.Errorf(\"%%w: %s\", thrift.Missing))\n}",
			i, g.std("fmt"), f.Name)
	}
	g.out("return nil\n}\n")
}

// depthLimit is the number of values of types that contain themselves that may lie in each other, for code that has no other limit.
const depthLimit = "thrift.DefaultLimits.Depth"

// depthWithin returns the number of such values that may lie in each other inside a struct's fields.
func depthWithin(s *structure) string {
	if s.recursive {
		return "depth-1"
	}
	return depthLimit
}

func (g *generator) apacheReadField(s *structure, f field) {
	depth := depthWithin(s)
	if inner := f.Type.Struct(); inner != nil {
		g.out("p.%s = %s()", f.name, g.inPackageOf(inner, g.packs[inner.In()].makers[inner]))
		g.out("err = %s", g.apacheReadStruct(inner, "p."+f.name, depth))
		return
	}
	g.out("value, failed := %s", g.apacheValue(f.Type, depth))
	value := g.apacheConverted(f.Type, "value")
	if f.isPointer {
		value = fmt.Sprintf("thrift.PointerTo(%s)", value)
	}
	g.out("p.%s, err = %s, failed", f.name, value)
}

// apacheReadStruct makes a call that reads a struct. depth is the number of structs that contain themselves that may still lie in
// each other.
func (g *generator) apacheReadStruct(s *idl.Struct, into, depth string) string {
	if g.isDeep(s) {
		return g.apacheCall(into+".readApache", "in", depth)
	}
	return g.apacheCall(into+".Read", "in")
}

// isDeep reports whether a struct counts on from the depth of the struct that it lies in. Circles of structs lie within one file,
// since includes never form circles; structs of other files count from the start.
func (g *generator) isDeep(s *idl.Struct) bool { return g.recursive[s] && s.In() == g.file }

// holdsDeep reports whether a container holds such structs.
func (g *generator) holdsDeep(t *idl.Type) bool { return slices.ContainsFunc(t.Structs(), g.isDeep) }

// apacheValue makes a call that reads a value that is not a struct.
func (g *generator) apacheValue(t *idl.Type, depth string) string {
	real := t.Real()
	switch real.Kind {
	case idl.List, idl.Set, idl.Map:
		if g.holdsDeep(real) {
			return g.apacheCall("apacheRead"+g.apacheContainer(real), "in", depth)
		}
		return g.apacheCall("apacheRead"+g.apacheContainer(real), "in")
	case idl.UUID:
		g.apacheUUID()
	}
	if real.Enum() != nil {
		return g.apacheCall("in.ReadI32")
	}
	return g.apacheCall("in.Read" + apacheTypes[real.Kind].method)
}

// apacheConverted converts the result of Apache's methods into a value of the type.
func (g *generator) apacheConverted(t *idl.Type, value string) string {
	switch real := t.Real(); {
	case real.Enum() != nil:
		return g.nameOf(real.Target) + "(" + value + ")"
	case real.Kind == idl.UUID:
		return "[16]byte(" + value + ")"
	}
	return value
}

// apacheUUID records a problem with old modules, which have no UUIDs.
func (g *generator) apacheUUID() {
	if g.options.Apache == Apache013 && g.problem == nil {
		g.problem = fmt.Errorf("%s: Apache's module of version 0.13 has no uuid: leave -apache 0.13 away, or write binary", g.file.Path)
	}
}

func (g *generator) apacheWrite(s *structure, wireName string) {
	g.out("// Write writes the struct by one of Apache's protocols.")
	g.out("func (p *%s) Write(%sout apache.TProtocol) error {", s.name, g.apacheContext())
	g.out("err := %s", g.apacheCall("out.WriteStructBegin", fmt.Sprintf("%q", wireName)))
	g.out("field := \"\"\nif p != nil {")
	for _, f := range s.byID() {
		condition := g.whenWritten(f)
		if condition != "" {
			condition = " && " + condition
		}
		g.out("if err == nil%s {\nfield = %q", condition, f.Name)
		g.out("err = %s", g.apacheCall("out.WriteFieldBegin", fmt.Sprintf("%q", f.Name), g.apacheKind(f.Type), fmt.Sprint(f.ID)))
		g.out("if err == nil {\nerr = %s\n}", g.apachePut(f.Type, g.valueOf(f)))
		g.out("if err == nil {\nerr = %s\n}\n}", g.apacheCall("out.WriteFieldEnd"))
	}
	g.out("}\nif err == nil {\nerr = %s\n}", g.apacheCall("out.WriteFieldStop"))
	g.out("if err == nil {\nerr = %s\n}", g.apacheCall("out.WriteStructEnd"))
	g.out("if err != nil {\nreturn apache.PrependError(%s.Sprintf(\"%%T write field '%%s' error: \", p, field), err)\n}\nreturn nil\n}\n", g.std("fmt"))
}

// apachePut makes a call that writes a value.
func (g *generator) apachePut(t *idl.Type, value string) string {
	switch real := t.Real(); {
	case real.Enum() != nil:
		return g.apacheCall("out.WriteI32", "int32("+value+")")
	case real.Struct() != nil:
		return g.apacheCall(strings.TrimPrefix(value, "*")+".Write", "out")
	case real.Kind == idl.List, real.Kind == idl.Set, real.Kind == idl.Map:
		return g.apacheCall("apacheWrite"+g.apacheContainer(real), "out", value)
	default:
		return g.apacheCall("out.Write"+apacheTypes[real.Kind].method, value)
	}
}
