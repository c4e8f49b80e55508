// Package idl reads Apache Thrift's interface description language: it parses
// files, loads a file with everything that it includes, resolves and checks
// names, formats sources, and compares two versions.
//
// The package takes bytes and returns values. Files are read by the function
// that the caller of [Load] gives.
package idl

import (
	"path"
	"strings"
)

// Position is a place in a source. Line and Column count from 1. A column is one character (not one byte), and a tab counts as one.
// The zero value means that the place is not known.
type Position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// Pos returns the position itself, so that every node that embeds a Position has this method.
func (p Position) Pos() Position { return p }

// File is one parsed source.
type File struct {
	// Path is the path that the caller of Parse or the include gave.
	Path        string
	Includes    []*Include
	CppIncludes []*CppInclude
	Namespaces  []*Namespace
	// Definitions are in the order of the source.
	Definitions []Definition
	// Tail holds the comments after the last definition.
	Tail []Comment

	names    map[string]Definition
	includes map[string][]*Include
}

// Lookup returns the definition of this file with that name, or nil. It works
// on files of a Program.
func (f *File) Lookup(name string) Definition { return f.names[name] }

// Namespace returns the namespace for a scope ("go"), else that of the scope
// "*", else "".
func (f *File) Namespace(scope string) string {
	fallback := ""
	for _, n := range f.Namespaces {
		if n.Scope == scope {
			return n.Name
		}
		if n.Scope == "*" {
			fallback = n.Name
		}
	}
	return fallback
}

// BaseName returns the last part of a path, without the ending after its last dot.
func BaseName(file string) string {
	base := path.Base(strings.ReplaceAll(file, "\\", "/"))
	return strings.TrimSuffix(base, path.Ext(base))
}

// Include is one `include "path"`.
type Include struct {
	Position
	Notes
	// Path is the text between the quotes.
	Path string
	// Name is the prefix under which the file's names are known: the [BaseName]
	// of the path.
	Name string
	// File is the included file, set by Load.
	File *File
}

// CppInclude is one `cpp_include "path"`.
type CppInclude struct {
	Position
	Notes
	Path string
}

// Namespace is one `namespace scope name`. Scope is "*" for all languages.
type Namespace struct {
	Position
	Notes
	Scope       string
	Name        string
	Annotations []*Annotation
}

// Definition is one of *Typedef, *Const, *Enum, *Struct and *Service.
type Definition interface {
	Pos() Position
	// DefinedName is the name that the definition adds to its file.
	DefinedName() string
	// What names the sort of definition for messages: "struct", "enum", ...
	What() string
	// In is the file of the definition, set by Load.
	In() *File
	setFile(*File)
}

// header has the fields that all definitions share. Its position is that of the keyword.
type header struct {
	Position
	Notes
	Name         string
	NamePosition Position
	Annotations  []*Annotation
	// Tail holds the comments before the closing brace.
	Tail []Comment
	file *File
}

func (h *header) DefinedName() string { return h.Name }
func (h *header) In() *File           { return h.file }
func (h *header) setFile(f *File)     { h.file = f }

// Typedef gives a type another name.
type Typedef struct {
	header
	Type *Type
}

// Const is a named constant.
type Const struct {
	header
	Type  *Type
	Value *Value
}

// Enum is an enumeration.
type Enum struct {
	header
	Values []*EnumValue

	byName   map[string]*EnumValue
	byNumber map[int64]*EnumValue
}

// ByName returns the value with that name, or nil. It works on files of a Program.
func (e *Enum) ByName(name string) *EnumValue { return e.byName[name] }

// ByNumber returns the first value with that number, or nil. It works on files
// of a Program.
func (e *Enum) ByNumber(number int64) *EnumValue { return e.byNumber[number] }

// EnumValue is one name of an enumeration. Without a number in the source
// Explicit is false and Number is one more than that of its predecessor (0 for
// the first).
type EnumValue struct {
	Position
	Notes
	Name        string
	Number      int64
	Explicit    bool
	Annotations []*Annotation
	Enum        *Enum
}

// StructKind tells structs, unions and exceptions apart.
type StructKind uint8

// The kinds of Struct.
const (
	KindStruct StructKind = iota
	KindUnion
	KindException
)

func (k StructKind) String() string {
	return [...]string{"struct", "union", "exception"}[k]
}

// Struct is a struct, a union or an exception.
type Struct struct {
	header
	Kind   StructKind
	Fields []*Field
}

// Requiredness says whether a field must be present.
type Requiredness uint8

// These are the requirednesses. RequiredDefault is a field that is marked neither required nor optional.
const (
	RequiredDefault Requiredness = iota
	Required
	Optional
)

func (r Requiredness) String() string {
	return [...]string{"default", "required", "optional"}[r]
}

// Field is a field of a struct, an argument of a function, or one of the
// exceptions that a function throws. Its position is that of its first token.
type Field struct {
	Position
	Notes
	// ID is the id as written. A field without an id (HasID is false) is numbered downwards from -1, as Apache's compiler does.
	ID           int32
	HasID        bool
	Requiredness Requiredness
	Type         *Type
	// Reference is true for `Type &name`.
	Reference    bool
	Name         string
	NamePosition Position
	// Default is nil where there is none.
	Default     *Value
	Annotations []*Annotation
}

// Service is a set of functions.
type Service struct {
	header
	// Extends is the name as written, "" for none. Base is the service of that name, set by Load.
	Extends         string
	ExtendsPosition Position
	Base            *Service
	Functions       []*Function
}

// Function is one function of a service. Its position is that of its first token.
type Function struct {
	Position
	Notes
	Oneway bool
	// Result is nil for void.
	Result       *Type
	Name         string
	NamePosition Position
	Arguments    []*Field
	Throws       []*Field
	Annotations  []*Annotation
}

// Annotation is `name = "value"` or a bare `name` (HasValue is false).
type Annotation struct {
	Position
	Notes
	Name     string
	Value    string
	HasValue bool
}

func (*Typedef) What() string  { return "typedef" }
func (*Const) What() string    { return "const" }
func (*Enum) What() string     { return "enum" }
func (s *Struct) What() string { return s.Kind.String() }
func (*Service) What() string  { return "service" }

// FindAnnotation returns the value of the first annotation with that name.
func FindAnnotation(annotations []*Annotation, name string) (value string, found bool) {
	for _, a := range annotations {
		if a.Name == name {
			return a.Value, true
		}
	}
	return "", false
}
