package idl

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Parse reads one source. path is used only in problems and in the File. The File holds everything that the parser could
// understand, also if there are problems. Names are not resolved (see [Load]).
func Parse(path string, source []byte) (*File, Problems) {
	file, _, problems := parseTokens(path, source)
	return file, problems
}

func parseTokens(path string, source []byte) (*File, []token, Problems) {
	report := &reporter{path: path}
	file := &File{Path: path}
	if len(source) > MaxSourceBytes {
		report.errorf(Position{}, "split it", "the file has %d bytes, more than the %d that are read", len(source), MaxSourceBytes)
		return file, nil, report.problems
	}
	p := &parser{tokens: scan(source, report), report: report, file: file}
	p.program()
	return file, p.tokens, report.inOrder()
}

// parser is a parser by recursive descent. After a problem `failed` is set: then the parser consumes nothing and reports nothing
// more until a loop over statements goes on with the next statement.
type parser struct {
	tokens []token
	at     int
	failed bool
	depth  int
	// inAttributes is true within xsd_attrs.
	inAttributes bool
	report       *reporter
	file         *File
}

func (p *parser) peek() *token { return &p.tokens[p.at] }

// after returns the token n places ahead, or the last one.
func (p *parser) after(n int) *token {
	return &p.tokens[min(p.at+n, len(p.tokens)-1)]
}

func (p *parser) take() *token {
	t := p.peek()
	if t.kind != tokenEnd {
		p.at++
	}
	return t
}

// last returns the token before the present one.
func (p *parser) last() *token { return &p.tokens[max(p.at-1, 0)] }

func (p *parser) fail(at Position, mend, format string, args ...any) {
	if !p.failed {
		p.report.errorf(at, mend, format, args...)
		p.failed = true
	}
}

// expected reports that the parser found something else than it expected.
func (p *parser) expected(what, mend string) {
	p.fail(p.peek().Position, mend, "expected %s, found %s", what, p.peek().describe())
}

func (p *parser) accept(symbol string) bool {
	if p.failed || !p.peek().is(symbol) {
		return false
	}
	p.at++
	return true
}

func (p *parser) acceptWord(word string) bool {
	if p.failed || !p.peek().isWord(word) {
		return false
	}
	p.at++
	return true
}

func (p *parser) need(symbol, mend string) {
	if !p.failed && !p.accept(symbol) {
		p.expected("'"+symbol+"'", mend)
	}
}

// firstOnLine is true if no token comes before this one on its line.
func (p *parser) firstOnLine(i int) bool {
	return i == 0 || p.tokens[i-1].endLine < p.tokens[i].Line
}

// atDefinition is true where a definition or a header line clearly begins.
func (p *parser) atDefinition() bool {
	t := p.peek()
	return t.kind == tokenWord && (definitionWords[t.text] || headerWords[t.text]) && p.after(1).kind != tokenSymbol &&
		(p.firstOnLine(p.at) || p.last().is("}"))
}

// name takes an identifier that names something new.
func (p *parser) name(what string) (string, Position) {
	t := p.peek()
	if p.failed {
		return "", t.Position
	}
	if t.kind != tokenWord {
		p.expected(what, "write a name: letters, digits and '_', not a digit first")
		return "", t.Position
	}
	if keywords[t.text] {
		p.fail(t.Position, "choose another name", "'%s' is a word of the language and cannot be a name", t.text)
		return t.text, t.Position
	}
	p.checkName(t)
	p.at++
	return t.text, t.Position
}

// memberName takes the name of a field, a function or an enum value. It can be any word, as in thriftgo: its place tells that it is
// a name. Where a definition begins, the name is missing.
func (p *parser) memberName(what string) (string, Position) {
	t := p.peek()
	if p.failed || !keywords[t.text] || t.kind != tokenWord || p.atDefinition() {
		return p.name(what)
	}
	p.checkName(t)
	p.at++
	return t.text, t.Position
}

func (p *parser) checkName(t *token) {
	switch {
	case keywords[t.text], reservedWords[t.text]:
		p.report.warnf(t.Position, fmt.Sprintf("choose another one, such as '%s_', where that reads this file too", t.text),
			"'%s' is a name that Apache's compiler refuses", t.text)
	case strings.Contains(t.text, "."):
		p.report.errorf(t.Position, "remove the dot", "the name '%s' has a dot", t.text)
	case t.text == "uuid":
		p.report.warnf(t.Position, "choose another name", "'uuid' is a type in Apache's newer compilers, which refuse it as a name")
	}
}

// reference takes an identifier that names something that exists.
func (p *parser) reference(what, mend string) (string, Position) {
	t := p.peek()
	if p.failed {
		return "", t.Position
	}
	if t.kind != tokenWord || keywords[t.text] {
		p.expected(what, mend)
		return "", t.Position
	}
	p.at++
	return t.text, t.Position
}

// literal takes a quoted text.
func (p *parser) literal(what, mend string) string {
	if p.failed {
		return ""
	}
	if p.peek().kind != tokenLiteral {
		p.expected(what, mend)
		return ""
	}
	return p.unquote(p.take(), Error)
}

var escapes = map[byte]byte{'r': '\r', 'n': '\n', 't': '\t', '"': '"', '\'': '\'', '\\': '\\'}

// unquote returns the meaning of a literal. It reports each escape that it does not know once, and leaves it as written.
func (p *parser) unquote(t *token, unknown Severity) string {
	text := t.text[1:]
	if len(text) > 0 && text[len(text)-1] == t.text[0] {
		text = text[:len(text)-1]
	}
	if !strings.Contains(text, "\\") {
		return text
	}
	var b strings.Builder
	told := map[string]bool{}
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		meant, known := escapes[text[i]]
		character, length := numbered(text[i:])
		letter := text[i : i+max(length, len(firstRune(text[i:])))]
		switch {
		case known:
			b.WriteByte(meant)
			continue
		case length > 0:
			b.WriteString(character)
			i += length - 1
		default:
			b.WriteString(text[i-1 : i+1])
		}
		switch {
		case told[letter]:
		case length > 0:
			p.report.warnf(t.Position, "write the character itself", "the literal has the escape \\%s, which Apache's compiler refuses", letter)
		default:
			p.report.tellf(unknown, t.Position, `known are \r \n \t \" \' \\; write a backslash as \\`, "the literal has the unknown escape \\%s", letter)
		}
		told[letter] = true
	}
	return b.String()
}

// numbered returns the meaning of an escape that gives a character by its number, as thriftgo's escapes do, and its length without
// the backslash: a byte \x41, or a character \u0041 or \U00000041. It returns "" and 0 for other escapes.
func numbered(text string) (meant string, length int) {
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[text[0]]
	if digits == 0 || len(text) < 1+digits {
		return "", 0
	}
	number, err := strconv.ParseUint(text[1:1+digits], 16, 32)
	switch {
	case err != nil, text[0] != 'x' && !utf8.ValidRune(rune(number)):
		return "", 0
	case text[0] == 'x':
		return string([]byte{byte(number)}), 1 + digits
	}
	return string(rune(number)), 1 + digits
}

func firstRune(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}

// separator takes an optional `,` or `;`.
func (p *parser) separator() {
	if p.failed {
		return
	}
	if t := p.peek(); t.is(",") || t.is(";") {
		t.layout.separator = true
		p.at++
	}
}

// endElement marks the end of an element, takes its separator and returns the
// comments beside it.
func (p *parser) endElement() []Comment {
	if p.failed {
		return nil
	}
	p.last().layout.ends = true
	p.separator()
	return p.beside()
}

// ofPrevious reports whether comment c, between tokens i-1 and i, belongs to token i-1: it is on that token's line, with nothing
// after it.
func (p *parser) ofPrevious(c Comment, i int) bool {
	return i > 0 && c.Line == p.tokens[i-1].endLine &&
		(p.tokens[i].Line > c.EndLine || p.tokens[i].kind == tokenEnd)
}

func (p *parser) beside() []Comment {
	comments := p.peek().comments
	n := 0
	for n < len(comments) && p.ofPrevious(comments[n], p.at) {
		n++
	}
	return comments[:n:n]
}

func (p *parser) above() []Comment {
	comments := p.peek().comments
	for len(comments) > 0 && p.ofPrevious(comments[0], p.at) {
		comments = comments[1:]
	}
	return comments
}

// begin marks the present token as the start of a statement and returns its notes.
func (p *parser) begin() (Position, Notes) {
	t := p.peek()
	t.layout.starts = true
	return t.Position, Notes{Above: p.above(), line: t.Line}
}

func (p *parser) program() {
	for p.peek().kind != tokenEnd {
		start := p.at
		p.statement()
		if p.failed {
			p.recoverDefinition(start)
		}
	}
	p.peek().layout.starts = true
	p.file.Tail = p.above()
}

// recoverDefinition moves to the next definition.
func (p *parser) recoverDefinition(start int) {
	p.failed, p.depth = false, 0
	p.at = max(p.at, start+1)
	for p.peek().kind != tokenEnd && !p.atDefinition() {
		p.at++
	}
}

func (p *parser) statement() {
	t := p.peek()
	switch {
	case t.isWord("include"), t.isWord("cpp_include"), t.isWord("namespace"):
		if len(p.file.Definitions) > 0 {
			p.report.errorf(t.Position, "move it above the first definition", "'%s' after a definition", t.text)
		}
		p.headerLine()
	case t.kind == tokenWord && definitionWords[t.text], t.isWord("senum"):
		p.definition()
	case t.kind == tokenWord && legacyNamespaces[t.text] != "":
		p.fail(t.Position, fmt.Sprintf("write 'namespace %s ...'", legacyNamespaces[t.text]), "'%s' is no longer supported", t.text)
	case t.is(";"), t.is(","):
		p.report.errorf(t.Position, "remove it", "%s has no place after a definition's closing brace or a header line", t.describe())
		p.at++
	case t.is("}"):
		p.fail(t.Position, "remove it", "'}' closes nothing")
	case t.kind == tokenWord:
		words := append(sortedKeys(definitionWords), sortedKeys(headerWords)...)
		p.expected("a definition", mendOr(DidYouMean(t.text, words), "begin it with one of typedef, const, enum, struct, union, exception, service"))
	default:
		p.expected("a definition", "begin it with one of typedef, const, enum, struct, union, exception, service")
	}
}

func (p *parser) headerLine() {
	at, notes := p.begin()
	switch word := p.take().text; word {
	case "include":
		name := p.literal("a path in quotes", "write include \"file.thrift\"")
		notes.Beside = p.beside()
		if !p.failed {
			p.file.Includes = append(p.file.Includes, &Include{Position: at, Notes: notes, Path: name, Name: BaseName(name)})
		}
	case "cpp_include":
		name := p.literal("a path in quotes", "write cpp_include \"<header>\"")
		notes.Beside = p.beside()
		if !p.failed {
			p.file.CppIncludes = append(p.file.CppIncludes, &CppInclude{Position: at, Notes: notes, Path: name})
		}
	default:
		p.namespace(at, notes)
	}
}

func (p *parser) namespace(at Position, notes Notes) {
	n := &Namespace{Position: at, Notes: notes, Scope: "*"}
	if !p.accept("*") {
		n.Scope, _ = p.reference("the scope of the namespace", "name a language, as in 'namespace go a.b', or '*'")
	}
	n.Name, _ = p.reference("the name of the namespace", "write it as in 'namespace go a.b'")
	n.Annotations = p.annotations()
	n.Beside = p.beside()
	if !p.failed {
		p.file.Namespaces = append(p.file.Namespaces, n)
	}
}
