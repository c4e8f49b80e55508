package idl

// TypeKind is the sort of a type.
type TypeKind uint8

// The kinds. `byte` is I8.
const (
	Bool TypeKind = iota
	I8
	I16
	I32
	I64
	Double
	String
	Binary
	UUID
	List
	Set
	Map
	// Named is a type that a definition makes: a typedef, enum or struct.
	Named
)

var kindNames = [...]string{"bool", "i8", "i16", "i32", "i64", "double", "string", "binary", "uuid", "list", "set", "map", "named"}

func (k TypeKind) String() string { return kindNames[k] }

// baseTypes maps the words of the language to kinds.
var baseTypes = map[string]TypeKind{
	"bool": Bool, "byte": I8, "i8": I8, "i16": I16, "i32": I32, "i64": I64, "double": Double,
	"string": String, "binary": Binary, "uuid": UUID,
}

// Type is the use of a type.
type Type struct {
	Position
	Kind TypeKind
	// Name is the word as written: "byte", "list", "Item", "base.Item".
	Name string
	// Key is the key of a map. Value is the element of a list or a set, and
	// the value of a map.
	Key, Value *Type
	// CppType is the text after `cpp_type`, "" for none.
	CppType     string
	Annotations []*Annotation
	// Target is the definition that a named type names (*Typedef, *Enum or *Struct), set by Load.
	Target Definition
}

// Real looks through typedefs: it returns the type behind all of them, which is no typedef. It returns nil if a name is unknown or
// typedefs form a circle.
func (t *Type) Real() *Type {
	for range MaxTypedefs {
		if t == nil || t.Kind != Named {
			return t
		}
		typedef, ok := t.Target.(*Typedef)
		if !ok {
			if t.Target == nil {
				return nil
			}
			return t
		}
		t = typedef.Type
	}
	return nil
}

// Enum returns the enum behind all typedefs of the type, or nil.
func (t *Type) Enum() *Enum {
	if real := t.Real(); real != nil {
		enum, _ := real.Target.(*Enum)
		return enum
	}
	return nil
}

// Struct returns the struct, union or exception behind all typedefs of the type, or nil.
func (t *Type) Struct() *Struct {
	if real := t.Real(); real != nil {
		s, _ := real.Target.(*Struct)
		return s
	}
	return nil
}

// String writes the type as in a source, without annotations.
func (t *Type) String() string {
	if t == nil {
		return "void"
	}
	switch t.Kind {
	case List, Set:
		return t.Kind.String() + "<" + t.Value.String() + ">"
	case Map:
		return "map<" + t.Key.String() + ", " + t.Value.String() + ">"
	case Named:
		return t.Name
	}
	return t.Kind.String()
}

// ValueKind is the sort of a constant value.
type ValueKind uint8

// The kinds of Value. `true` and `false` are ValueInt 1 and 0, as in Apache's
// compiler; Text tells them apart from numbers.
const (
	ValueInt ValueKind = iota
	ValueDouble
	ValueLiteral
	ValueIdentifier
	ValueList
	ValueMap
)

// Value is a constant value as written.
type Value struct {
	Position
	Notes
	Kind   ValueKind
	Int    int64
	Double float64
	// Text is the text of a literal without quotes and with its escapes resolved; for other kinds it is the word as written.
	Text string
	// List holds the elements of a ValueList.
	List []*Value
	// Map holds the pairs of a ValueMap in the order of the source. For a struct the keys are literals with the names of fields.
	Map []ValuePair
	// EnumValue or Const is the definition that an identifier names, set by Load.
	EnumValue *EnumValue
	Const     *Const
	// Tail holds the comments before the closing bracket.
	Tail []Comment
}

// ValuePair is `key: value`.
type ValuePair struct {
	Key, Value *Value
}

// Real follows identifiers to the value that they mean. An identifier remains only if it names an enum's value. Real returns nil if
// a name is unknown.
func (v *Value) Real() *Value {
	for range MaxTypedefs {
		if v == nil || v.Kind != ValueIdentifier || v.EnumValue != nil {
			return v
		}
		if v.Const == nil {
			return nil
		}
		v = v.Const.Value
	}
	return nil
}
