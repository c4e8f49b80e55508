package idl

import (
	"strings"
)

// Format writes a source in the canonical layout:
//
//   - two blanks per level, one statement a line, the closing brace on a line
//     of its own; an empty body is `{}`;
//   - every field, enum value and function ends with a comma; a typedef and a
//     const have none;
//   - arguments, annotations and constants stay on one line if the source
//     has the first element on the line of the bracket; otherwise, and if a
//     comment ends a line inside, they are written one a line, each with a comma;
//   - one blank line at most, and one around each definition with a body;
//   - ids, numbers, texts and comments stay as written (the stars of a block
//     comment are aligned, blanks at the ends of lines are removed).
//
// Tokens and comments keep their order and none is lost, apart from the separators. A source that does not parse is not formatted:
// the problems say why, and the result is nil.
func Format(source []byte) ([]byte, Problems) {
	_, tokens, problems := parseTokens("", source)
	if problems.HasErrors() {
		return nil, problems
	}
	f := &formatter{tokens: withoutSeparators(tokens), fresh: true}
	f.measureGroups()
	for i := range f.tokens {
		f.item(i)
	}
	if len(f.out) > 0 {
		f.out = append(f.out, '\n')
	}
	return f.out, problems
}

// formatter writes the tokens by the marks that the parser has left on them.
type formatter struct {
	tokens []token
	// broken marks opening brackets whose elements are written one a line.
	broken []bool
	out    []byte
	// open holds the opening brackets around the present token.
	open   []int
	indent int
	// line is the last line of the source that has been written.
	line int
	// fresh is true where no blank line is kept: at the start and after a brace.
	fresh bool
	// ended is true after a definition with a body, until the next line.
	ended bool
	// mustBreak is true after a comment that ends its line.
	mustBreak bool
	// written is the last token written; comment is the comment after it.
	written *token
	comment *Comment
	// begun is true where a line has begun since the last token.
	begun bool
}

// withoutSeparators drops the separators; their comments go to the next token.
func withoutSeparators(tokens []token) []token {
	var kept []token
	var comments []Comment
	for _, t := range tokens {
		if t.layout.separator {
			comments = append(comments, t.comments...)
			continue
		}
		if len(comments) > 0 {
			t.comments = append(comments, t.comments...)
			comments = nil
		}
		kept = append(kept, t)
	}
	return kept
}

// measureGroups decides for every bracket whether its elements are written one a line. A group that holds a broken group is broken
// too.
func (f *formatter) measureGroups() {
	f.broken = make([]bool, len(f.tokens))
	var open []int
	for i := range f.tokens {
		t := &f.tokens[i]
		for _, c := range t.comments {
			if len(open) > 0 && (c.isLine() || c.EndLine > c.Line) {
				f.broken[open[len(open)-1]] = true
			}
		}
		if t.layout.opens != noGroup {
			open = append(open, i)
			next := &f.tokens[i+1]
			f.broken[i] = t.layout.opens == blockGroup || next.Line > t.Line && !next.layout.closes
		}
		if t.layout.closes {
			last := open[len(open)-1]
			open = open[:len(open)-1]
			if f.broken[last] && len(open) > 0 {
				f.broken[open[len(open)-1]] = true
			}
		}
	}
}

// inBroken is true at the top and in groups whose elements are written one a line.
func (f *formatter) inBroken() bool {
	return len(f.open) == 0 || f.broken[f.open[len(f.open)-1]]
}

// item writes the comments before a token, and the token.
func (f *formatter) item(i int) {
	t := &f.tokens[i]
	if t.kind == tokenEnd {
		t.layout.starts = true
	}
	ownLine := f.inBroken() && (t.layout.starts || t.layout.closes)
	f.comment, f.begun = nil, false
	for n := range t.comments {
		f.placeComment(&t.comments[n], t, ownLine)
	}
	if t.kind == tokenEnd {
		return
	}
	if t.layout.closes {
		if f.inBroken() {
			f.indent--
		}
		f.open = f.open[:len(f.open)-1]
	}
	f.placeToken(t, ownLine)
	f.line, f.written, f.mustBreak = t.endLine, t, false
	f.fresh = t.layout.opens == blockGroup
	f.ended = f.ended || t.layout.ended
	if t.layout.opens != noGroup {
		f.open = append(f.open, i)
		if f.broken[i] {
			f.indent++
		}
	}
	if t.layout.ends && (f.inBroken() || !f.tokens[i+1].layout.closes) {
		f.out = append(f.out, ',')
	}
}

func (f *formatter) placeComment(c *Comment, t *token, ownLine bool) {
	// A comment between two statements on one line belongs to the later one.
	ofNext := ownLine && t.layout.starts && t.kind != tokenEnd && f.comment == nil && f.written != nil &&
		f.written.layout.opens == noGroup && !c.isLine() && c.EndLine == t.Line
	switch {
	case len(f.out) == 0:
		f.begun = true
	case f.mustBreak, ownLine && (ofNext || c.Line > f.line):
		f.newLine(c.Line, t, ownLine)
	case !c.isLine() && f.comment == nil && f.written.layout.opens == listGroup:
	default:
		f.out = append(f.out, ' ')
	}
	f.writeComment(c)
	f.comment, f.line, f.mustBreak, f.fresh = c, c.EndLine, c.isLine(), false
}

// newLine begins a line for something on the given line of the source, before or at token t.
func (f *formatter) newLine(line int, t *token, ownLine bool) {
	f.out = append(f.out, '\n')
	kept := line > f.line+1 && !f.fresh
	wanted := f.ended || t.layout.definition && !f.begun
	if ownLine && (kept || wanted && t.kind != tokenEnd) {
		f.out = append(f.out, '\n')
	}
	f.ended, f.begun = false, true
	for range f.indent {
		f.out = append(f.out, "  "...)
	}
	if !ownLine {
		f.out = append(f.out, "    "...)
	}
}

func (f *formatter) placeToken(t *token, ownLine bool) {
	switch {
	case len(f.out) == 0:
	case ownLine && t.layout.closes:
		if f.comment != nil || f.written.layout.opens == noGroup {
			f.fresh, f.line = false, t.Line // no blank line before a closing bracket
			f.newLine(t.Line, t, true)
		}
	case ownLine && f.comment != nil && !f.comment.isLine() && f.comment.EndLine == t.Line:
		f.out = append(f.out, ' ')
	case ownLine, f.mustBreak:
		f.newLine(t.Line, t, ownLine)
	case f.blankBefore(t):
		f.out = append(f.out, ' ')
	}
	f.out = append(f.out, t.text...)
}

// blankBefore reports whether a blank goes before a token within its line.
func (f *formatter) blankBefore(t *token) bool {
	if t.kind == tokenSymbol && (strings.Contains(",:)]>", t.text) || t.layout.closes || t.layout.tight) {
		return false
	}
	if f.comment != nil {
		return true
	}
	w := f.written
	return !(w.kind == tokenSymbol && (strings.Contains("([<&", w.text) || w.layout.opens == listGroup))
}

// writeComment writes a comment. If all lines of a block begin with a star, they are aligned below its first star.
func (f *formatter) writeComment(c *Comment) {
	lines := strings.Split(c.Text, "\n")
	starred := true
	for _, line := range lines[1:] {
		starred = starred && strings.HasPrefix(strings.TrimLeft(line, " \t"), "*")
	}
	for i, line := range lines {
		if i > 0 {
			f.out = append(f.out, '\n')
			if starred {
				f.out = append(f.out, strings.Repeat("  ", f.indent)+" "...)
				line = strings.TrimLeft(line, " \t")
			}
		}
		f.out = append(f.out, strings.TrimRight(line, " \t\r")...)
	}
}
