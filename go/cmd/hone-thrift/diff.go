package main

import (
	"fmt"
	"strings"
)

// contextLines is the number of equal lines shown around a difference.
const contextLines = 3

// maxDiffCells is the largest number of cells in the table of the comparison. If the table would need more, all lines between the equal ends are
// shown as replaced.
const maxDiffCells = 4 << 20

// unifiedDiff shows all changes as one hunk, from the first difference to the last. It finds them by the longest common subsequence of lines.
func unifiedDiff(path, before, after string) string {
	a, b := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	a, b = dropEmptyEnd(a), dropEmptyEnd(b)
	head := 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	above, below := min(head, contextLines), min(tail, contextLines)
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s.orig\n+++ %s\n", path, path)
	start := head - above
	fmt.Fprintf(&out, "@@ -%s +%s @@\n", hunkRange(start, len(a)-tail+below), hunkRange(start, len(b)-tail+below))
	writeLines(&out, " ", a[start:head])
	writeMiddle(&out, a[head:len(a)-tail], b[head:len(b)-tail])
	writeLines(&out, " ", a[len(a)-tail:len(a)-tail+below])
	return out.String()
}

// hunkRange returns "line,count" for the lines from start up to end, counted from 0.
func hunkRange(start, end int) string {
	if start == end {
		return fmt.Sprintf("%d,0", start)
	}
	return fmt.Sprintf("%d,%d", start+1, end-start)
}

func dropEmptyEnd(lines []string) []string {
	if len(lines) > 0 && lines[len(lines)-1] == "" {
		return lines[:len(lines)-1]
	}
	return lines
}

func writeLines(out *strings.Builder, mark string, lines []string) {
	for _, line := range lines {
		out.WriteString(mark + line)
		if !strings.HasSuffix(line, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

func writeMiddle(out *strings.Builder, a, b []string) {
	if (len(a)+1)*(len(b)+1) > maxDiffCells {
		writeLines(out, "-", a)
		writeLines(out, "+", b)
		return
	}
	// common[i][j] is the length of the longest common subsequence of a[i:] and b[j:].
	common := make([][]int32, len(a)+1)
	for i := range common {
		common[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			writeLines(out, " ", a[i:i+1])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			writeLines(out, "-", a[i:i+1])
			i++
		default:
			writeLines(out, "+", b[j:j+1])
			j++
		}
	}
}
