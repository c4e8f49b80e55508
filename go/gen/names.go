package gen

import (
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"
)

// initialisms are words that Go writes in capitals (https://go.dev/wiki/CodeReviewComments#initialisms), by golint's list.
var initialisms = wordSet(`ACL API ASCII CPU CSS DNS EOF GUID HTML HTTP HTTPS ID IP JSON LHS QPS RAM RHS RPC SLA SMTP SQL SSH
	TCP TLS TTL UDP UI UID UUID URI URL UTF8 VM XML XMPP XSRF XSS`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// exported returns a name of the IDL in the form that Go exports. It is thriftgo's form, except for names that begin with an
// underscore: thriftgo does not export these, but exported takes off the underscore.
func (n Naming) exported(name string) string {
	return exportable(n.spared(n.Identify(name)), func() string { return n.spared(n.Identify(strings.TrimLeft(name, "_"))) })
}

// isExported reports whether Go exports a name in thriftgo's form.
func (n Naming) isExported(name string) bool { return startsHigh(n.Identify(name)) }

// message returns the name of the struct of a function's arguments (args) or of its result (result).
func (n Naming) message(service, function, what string) string {
	name := n.Identify(function + "_" + what)
	return exportable(n.Identify(service+name), func() string { return n.Identify(strings.TrimLeft(service+name, "_")) })
}

// spared returns a name that is like none of the names that are made of other names, where the naming asks for that.
func (n Naming) spared(name string) string {
	isLike := strings.HasPrefix(name, "New") || strings.HasSuffix(name, "Args") || strings.HasSuffix(name, "Result")
	if n.CompatibleNames && isLike {
		return name + "_"
	}
	return name
}

// exportable returns a name if Go exports it, or else the other name, or at last a name with an X before it: a name that begins
// with a digit cannot be exported otherwise.
func exportable(name string, other func() string) string {
	if startsHigh(name) {
		return name
	}
	if name = other(); startsHigh(name) {
		return name
	}
	return "X" + strings.TrimLeft(name, "_")
}

func startsHigh(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(first)
}

// exported returns a name for something else than a definition: a file, or a sort of types. It does not depend on the naming.
func exported(name string) string { return Naming{}.exported(strings.Join(wordsOf(name), "_")) }

// wordsOf splits a name at underscores, dots and hyphens.
func wordsOf(name string) []string {
	if name == "" {
		return nil
	}
	return strings.Split(strings.NewReplacer(".", "_", "-", "_").Replace(name), "_")
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// local returns the form of an IDL name for a parameter. It is neither a word of Go nor a name that the generated code uses itself.
func local(name string) string {
	words := wordsOf(strings.Trim(name, "_"))
	if len(words) == 0 {
		return "arg"
	}
	first := words[0]
	if initialisms[strings.ToUpper(first)] {
		first = strings.ToLower(first)
	} else {
		letter, size := utf8.DecodeRuneInString(first)
		first = string(unicode.ToLower(letter)) + first[size:]
	}
	result := first
	if len(words) > 1 {
		for _, word := range words[1:] {
			result += Naming{}.word(word)
		}
	}
	if isDigit(result[0]) {
		result = "x" + result
	}
	if token.IsKeyword(result) || usedByCode[result] || predeclared[result] {
		return result + "_"
	}
	return result
}

// usedByCode are names in the scope of generated functions: parameters, variables and imports.
var usedByCode = wordSet(`p ctx err r result args a e handler caller errors thrift context fmt apache`)

// predeclared are names that Go itself declares (https://go.dev/ref/spec#Predeclared_identifiers), and init, which nothing but the
// init functions can have.
var predeclared = wordSet(`any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8
	uint16 uint32 uint64 uintptr true false iota nil append cap clear close complex copy delete imag len make max min new panic print
	println real recover init`)

// variables are names in the scope of other generated functions. Packages cannot have these names.
var variables = wordSet(`d b off key seen at n i list some pairs value size count other copied name id kind in out element failed keys values field depth`)

// scope gives out names. Nothing else in the scope has the same name.
type scope map[string]bool

// take returns the name, or a similar one if it is taken.
func (s scope) take(name string) string {
	return s.takeUnless(name, func(string) bool { return false })
}

// takeUnless returns the name, or a similar one for which isTaken is false.
func (s scope) takeUnless(name string, isTaken func(string) bool) string {
	for s[name] || isTaken(name) {
		name += "_"
	}
	s[name] = true
	return name
}

// takeFile returns a name that differs from all others in more than case: some systems take files whose names differ only in case
// for the same file.
func (s scope) takeFile(name string) string {
	for s[strings.ToLower(name)] {
		name += "_"
	}
	s[strings.ToLower(name)] = true
	return name
}
