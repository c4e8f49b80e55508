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

// exported is a name of the IDL as Go exports it: user_id becomes UserID, userId becomes UserId. These are the names that thriftgo
// gives by its default style, so that code which uses them need not be changed; but for names that begin with an
// underscore, which would not be exported: they lose it here.
func exported(name string) string {
	var text strings.Builder
	for _, word := range wordsOf(strings.TrimLeft(name, "_")) {
		text.WriteString(exportedWord(word))
	}
	// What begins with a digit, or is empty, cannot be exported otherwise.
	result := text.String()
	if first, _ := utf8.DecodeRuneInString(result); !unicode.IsUpper(first) {
		return "X" + result
	}
	return result
}

// exportedWord is one word of a name. An empty one is what lies between two underscores: one of them stays. One that begins with a
// capital is left as it is.
func exportedWord(word string) string {
	if word == "" {
		return "_"
	}
	first, size := utf8.DecodeRuneInString(word)
	if !unicode.IsLower(first) {
		return word
	}
	if upper := strings.ToUpper(word); initialisms[upper] {
		return upper
	}
	return string(unicode.ToUpper(first)) + word[size:]
}

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
			result += exportedWord(word)
		}
	}
	if isDigit(result[0]) {
		result = "x" + result
	}
	if token.IsKeyword(result) || usedByCode[result] {
		return result + "_"
	}
	return result
}

// usedByCode are names in the scope of generated functions: parameters, variables, imports, and what Go itself declares.
var usedByCode = wordSet(`p ctx err r result args a e handler caller errors thrift context fmt apache string int error bool nil true false make new
	len cap append copy int8 int16 int32 int64 uint32 float64 byte any panic`)

// variables are names in the scope of other generated functions, which packages cannot have.
var variables = wordSet(`d b off key seen at n i list some pairs value size count other copied name id kind in out element failed keys values field depth`)

// scope gives names that nothing else in it has.
type scope map[string]bool

// take gives the name, or one like it.
func (s scope) take(name string) string {
	for s[name] {
		name += "_"
	}
	s[name] = true
	return name
}
