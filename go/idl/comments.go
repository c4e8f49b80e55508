package idl

import "strings"

// Comment is one comment as written, with its marks (`//`, `#`, `/* */`).
type Comment struct {
	Position
	Text string
	// EndLine is the line of its last character.
	EndLine int
}

// Notes are the comments of a node.
type Notes struct {
	// Above are the comments on lines of their own before the node.
	Above []Comment
	// Beside are the comments after the node on its last line.
	Beside []Comment
	// line is the first line of the node.
	line int
}

// Doc returns the text of the comments directly above the node (with no blank line between), without marks. Otherwise it returns
// the text of the comment beside the node, or "".
func (n Notes) Doc() string {
	first := len(n.Above)
	next := n.line
	for first > 0 && n.Above[first-1].EndLine >= next-1 {
		first--
		next = n.Above[first].Line
	}
	comments := n.Above[first:]
	if len(comments) == 0 {
		comments = n.Beside
	}
	var lines []string
	for _, c := range comments {
		lines = append(lines, c.lines()...)
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// lines returns the comment's text without marks and without the stars at the start of the lines of a block.
func (c Comment) lines() []string {
	text := c.Text
	switch {
	case strings.HasPrefix(text, "//"):
		return []string{strings.TrimPrefix(strings.TrimRight(strings.TrimLeft(text, "/"), " \t\r"), " ")}
	case strings.HasPrefix(text, "#"):
		return []string{strings.TrimPrefix(strings.TrimRight(strings.TrimLeft(text, "#"), " \t\r"), " ")}
	}
	text = strings.TrimSuffix(strings.TrimPrefix(text, "/*"), "*/")
	lines := strings.Split(strings.TrimLeft(text, "*"), "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if i > 0 {
			line = strings.TrimPrefix(strings.TrimPrefix(line, "*"), " ")
		}
		lines[i] = line
	}
	return lines
}

// isLine is true for a comment that ends with its line.
func (c Comment) isLine() bool { return !strings.HasPrefix(c.Text, "/*") }
