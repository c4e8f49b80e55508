package gen

import (
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"
)

// initialisms are words that Go writes in capitals (https://go.dev/wiki/CodeReviewComments#initialisms), as golint listed them.
var initialisms = wordSet(`ACL API ASCII CPU CSS DNS EOF GUID HTML HTTP HTTPS ID IP JSON LHS QPS RAM RHS RPC SLA SMTP SQL SSH
	TCP TLS TTL UDP UI UID UUID URI URL UTF8 VM XML XMPP XSRF XSS`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// exported is a name of the IDL as Go exports it: as thriftgo makes it, but for names that begin with an underscore, which thriftgo
// does not export. They lose it here.
func (n Naming) exported(name string) string {
	return exportable(n.spared(n.Identify(name)), func() string { return n.spared(n.Identify(strings.TrimLeft(name, "_"))) })
}

// isExported is whether Go exports a name as thriftgo makes it.
func (n Naming) isExported(name string) bool { return startsHigh(n.Identify(name)) }

// message is the name of the struct of what a function takes (args), or what it gives (result).
func (n Naming) message(service, function, what string) string {
	name := n.Identify(function + "_" + what)
	return exportable(n.Identify(service+name), func() string { return n.Identify(strings.TrimLeft(service+name, "_")) })
}

// spared is a name that is like none of those which are made of others, where that is wanted.
func (n Naming) spared(name string) string {
	isLike := strings.HasPrefix(name, "New") || strings.HasSuffix(name, "Args") || strings.HasSuffix(name, "Result")
	if n.CompatibleNames && isLike {
		return name + "_"
	}
	return name
}

// exportable is a name, or else another one, or at last one with an X before it: what begins with a digit cannot be exported otherwise.
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

// exported is a name of something else than a definition: a file, or a kind of types. It is the same whatever the naming.
func exported(name string) string { return Naming{}.exported(strings.Join(wordsOf(name), "_")) }

// wordsOf parts a name at underscores, dots and hyphens.
func wordsOf(name string) []string {
	if name == "" {
		return nil
	}
	return strings.Split(strings.NewReplacer(".", "_", "-", "_").Replace(name), "_")
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// local is a name of the IDL as a parameter, which is no word of Go and none that the generated code uses itself.
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

// predeclared are names that Go itself declares (https://go.dev/ref/spec#Predeclared_identifiers), and the one that nothing else can have.
var predeclared = wordSet(`any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8
	uint16 uint32 uint64 uintptr true false iota nil append cap clear close complex copy delete imag len make max min new panic print
	println real recover init`)

// variables are names in the scope of other generated functions, which packages cannot have.
var variables = wordSet(`d b off key seen at n i list some pairs value size count other copied name id kind in out element failed keys values field depth`)

// scope gives names that nothing else in it has.
type scope map[string]bool

// take gives the name, or one like it.
func (s scope) take(name string) string {
	return s.takeUnless(name, func(string) bool { return false })
}

// takeUnless gives the name, or one like it for which this does not hold.
func (s scope) takeUnless(name string, isTaken func(string) bool) string {
	for s[name] || isTaken(name) {
		name += "_"
	}
	s[name] = true
	return name
}

// takeFile gives a name that differs from all others not only in case: there are systems on which such files are one.
func (s scope) takeFile(name string) string {
	for s[strings.ToLower(name)] {
		name += "_"
	}
	s[strings.ToLower(name)] = true
	return name
}
