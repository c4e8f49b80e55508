package idl

import (
	"sort"
	"strings"
)

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// mendOr returns the suggestion if there is one, or else the other text.
func mendOr(suggestion, other string) string {
	if suggestion != "" {
		return suggestion
	}
	return other
}

// maxCandidates is the largest number of names that a misspelled name is compared with.
const maxCandidates = 2000

// DidYouMean returns a question that names up to three candidates that are spelled like the word, the nearest first; "" if there
// are none. A word without a prefix is compared without the prefixes of the candidates.
func DidYouMean(word string, candidates []string) string {
	if len(word) > 64 {
		return ""
	}
	type near struct {
		name     string
		distance int
	}
	allowed := max(1, len(word)/3)
	var found []near
	for _, c := range candidates[:min(len(candidates), maxCandidates)] {
		spelled := c
		if !strings.Contains(word, ".") {
			spelled = c[strings.LastIndexByte(c, '.')+1:]
		}
		if c == word || len(spelled) > len(word)+allowed || len(word) > len(spelled)+allowed {
			continue
		}
		d := editDistance(strings.ToLower(word), strings.ToLower(spelled))
		if d <= allowed && d < len(word) { // otherwise every letter would be like every other
			found = append(found, near{c, d})
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].distance < found[j].distance })
	var names []string
	for _, n := range found[:min(len(found), 3)] {
		if n.distance <= found[0].distance+1 {
			names = append(names, "'"+n.name+"'")
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "did you mean " + strings.Join(names, " or ") + "?"
}

// editDistance returns the number of letters to insert, delete, replace or swap with their neighbour (optimal string alignment).
func editDistance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
