package idl

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenWord
	tokenInt
	tokenDouble
	tokenLiteral
	tokenSymbol
)

// token is one token of a source. Its comments are those before the token.
type token struct {
	Position
	kind tokenKind
	// text is the text as written, for a literal with its quotes.
	text     string
	endLine  int
	comments []Comment
	layout   layout
}

func (t *token) is(symbol string) bool { return t.kind == tokenSymbol && t.text == symbol }
func (t *token) isWord(word string) bool {
	return t.kind == tokenWord && t.text == word
}

// describe names a token in messages, shortened.
func (t *token) describe() string {
	if t.kind == tokenEnd {
		return "the end of the file"
	}
	text := t.text
	if len(text) > 40 {
		cut := 40
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "..."
	}
	if t.kind == tokenLiteral {
		return text
	}
	return "'" + text + "'"
}

// scanner turns a source into tokens. It looks at each byte a bounded number of times.
type scanner struct {
	source   string
	at       int
	place    Position
	comments []Comment
	tokens   []token
	report   *reporter
}

// scan returns the tokens of a source; the last one is always tokenEnd.
func scan(source []byte, report *reporter) []token {
	s := scanner{source: string(source), place: Position{1, 1}, report: report}
	s.source = strings.TrimPrefix(s.source, "\ufeff")
	if isOtherEncoding(s.source) {
		report.errorf(s.place, "save the file as UTF-8", "the file is UTF-16, or no text")
		s.source = ""
	}
	for s.next() {
	}
	s.tokens = append(s.tokens, token{Position: s.place, kind: tokenEnd, endLine: s.place.Line, comments: s.comments})
	return s.tokens
}

// isOtherEncoding reports whether a source begins with the mark of UTF-16, or with zero bytes.
func isOtherEncoding(source string) bool {
	return strings.HasPrefix(source, "\xff\xfe") || strings.HasPrefix(source, "\xfe\xff") || strings.Contains(source[:min(len(source), 2)], "\x00")
}

// advance moves over n bytes and counts lines and characters.
func (s *scanner) advance(n int) string {
	text := s.source[s.at : s.at+n]
	for i := 0; i < len(text); {
		if text[i] == '\n' {
			s.place = Position{s.place.Line + 1, 1}
			i++
			continue
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		s.place.Column++
		i += size
	}
	s.at += n
	return text
}

func (s *scanner) rest() string { return s.source[s.at:] }

// next reads one token or comment. It returns false at the end.
func (s *scanner) next() bool {
	rest := s.rest()
	blank := len(rest) - len(strings.TrimLeft(rest, " \t\r\n"))
	s.advance(blank)
	rest = rest[blank:]
	if rest == "" {
		return false
	}
	c := rest[0]
	switch {
	case strings.HasPrefix(rest, "//"), c == '#':
		s.comment(lineLength(rest))
	case strings.HasPrefix(rest, "/*"):
		s.block(rest)
	case c == '"' || c == '\'':
		s.literal(rest)
	case isLetter(c):
		s.token(tokenWord, wordLength(rest))
	case strings.IndexByte(":;,{}()=<>[]*&", c) >= 0:
		s.token(tokenSymbol, 1)
	default:
		s.numberOrStray(rest)
	}
	return true
}

func (s *scanner) token(kind tokenKind, n int) {
	at := s.place
	text := s.advance(n)
	s.tokens = append(s.tokens, token{Position: at, kind: kind, text: text, endLine: s.place.Line, comments: s.comments})
	s.comments = nil
}

func (s *scanner) comment(n int) {
	at := s.place
	text := strings.TrimRight(s.advance(n), "\r")
	s.comments = append(s.comments, Comment{at, text, s.place.Line})
}

func (s *scanner) block(rest string) {
	if end := strings.Index(rest[2:], "*/"); end >= 0 {
		s.comment(end + 4)
		return
	}
	s.report.errorf(s.place, "close it with '*/'", "the comment is not closed")
	s.advance(len(rest))
}

func (s *scanner) literal(rest string) {
	quote := rest[0]
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case quote:
			s.token(tokenLiteral, i+1)
			return
		case '\n':
			s.longLiteral(rest, i)
			return
		case '\\':
			i++
		}
	}
	s.openLiteral(len(rest))
}

// longLiteral takes a literal of several lines, as thriftgo does. The next quote must come before something that may follow a
// literal. Otherwise the literal's end is missing.
func (s *scanner) longLiteral(rest string, line int) {
	quote := rest[0]
	for i := line; i < len(rest); i++ {
		switch rest[i] {
		case quote:
			after := strings.TrimLeft(rest[i+1:], " \t\r")
			if after != "" && strings.IndexByte(",;)]}:\n/#", after[0]) < 0 {
				s.openLiteral(line)
				return
			}
			s.report.warnf(s.place, "write a new line as \\n", "the literal has several lines, which Apache's compiler refuses")
			s.token(tokenLiteral, i+1)
			return
		case '\\':
			i++
		}
	}
	s.openLiteral(line)
}

// openLiteral reports a literal without its end. It keeps the rest of the line as a token, so that the field around the literal
// still parses.
func (s *scanner) openLiteral(n int) {
	s.report.errorf(s.place, fmt.Sprintf("close it with %c on the same line, and write a new line as \\n", s.rest()[0]),
		"the literal is not closed")
	s.token(tokenLiteral, n)
}

func (s *scanner) numberOrStray(rest string) {
	kind, n := numberLength(rest)
	if n > 0 {
		s.token(kind, n)
		return
	}
	r, size := utf8.DecodeRuneInString(rest)
	if r == utf8.RuneError && size == 1 {
		s.report.errorf(s.place, "remove it, or save the file as UTF-8", "the byte 0x%02x is not UTF-8", rest[0])
	} else {
		s.report.errorf(s.place, "remove it", "the character %q has no meaning here", r)
	}
	s.advance(size)
}

func lineLength(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}

func isLetter(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// wordLength measures a word. A dot belongs to the word if a letter or digit follows.
func wordLength(s string) int {
	i := 1
	for i < len(s) {
		switch {
		case isLetter(s[i]) || isDigit(s[i]):
			i++
		case s[i] == '.' && i+1 < len(s) && (isLetter(s[i+1]) || isDigit(s[i+1])):
			i += 2
		default:
			return i
		}
	}
	return i
}

func digits(s string, i int, belongs func(byte) bool) int {
	for i < len(s) && belongs(s[i]) {
		i++
	}
	return i
}

// numberLength measures a number: 12, -12, 0x1f, 1.5, .5, 1e9. It returns 0 if there is no number.
func numberLength(s string) (tokenKind, int) {
	start := 0
	if s[0] == '+' || s[0] == '-' {
		start = 1
	}
	if strings.HasPrefix(s[start:], "0x") {
		if end := digits(s, start+2, isHex); end > start+2 {
			return tokenInt, end
		}
	}
	kind, end := tokenInt, digits(s, start, isDigit)
	if end+1 < len(s) && s[end] == '.' && isDigit(s[end+1]) {
		kind, end = tokenDouble, digits(s, end+1, isDigit)
	}
	if end == start {
		return kind, 0
	}
	if end < len(s) && s[end]|0x20 == 'e' {
		exponent := end + 1
		if exponent < len(s) && (s[exponent] == '+' || s[exponent] == '-') {
			exponent++
		}
		if last := digits(s, exponent, isDigit); last > exponent {
			return tokenDouble, last
		}
	}
	return kind, end
}
