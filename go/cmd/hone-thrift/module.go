package main

import (
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// importPathOf returns the import path of a directory, by the nearest go.mod in it or above it; "" if there is none.
func importPathOf(directory string) string {
	at, err := filepath.Abs(directory)
	if err != nil {
		return ""
	}
	below := ""
	for {
		if text, err := os.ReadFile(filepath.Join(at, "go.mod")); err == nil {
			if module := moduleOf(string(text)); module != "" {
				return path.Join(module, below)
			}
			return ""
		}
		parent := filepath.Dir(at)
		if parent == at {
			return ""
		}
		at, below = parent, path.Join(filepath.Base(at), below)
	}
}

// moduleOf returns the module path that a go.mod declares.
func moduleOf(text string) string {
	for _, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		if len(words) != 2 || words[0] != "module" {
			continue
		}
		if unquoted, err := strconv.Unquote(words[1]); err == nil {
			return unquoted
		}
		return words[1]
	}
	return ""
}
