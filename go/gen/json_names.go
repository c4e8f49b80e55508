package gen

import (
	"errors"
	"regexp"
	"strings"
	"unicode"
)

// JSONNames says how the names of fields are made for the json tag: by thriftgo's snake_style_json_tag or
// lower_camel_style_json_tag.
type JSONNames string

// These are all ways. Without one, names are the same as in the IDL.
const (
	JSONAsInIDL    JSONNames = ""
	JSONSnake      JSONNames = "snake"
	JSONLowerCamel JSONNames = "lower-camel"
)

// String returns the word that Set takes; "" for names as in the IDL.
func (n *JSONNames) String() string { return string(*n) }

// Set takes snake or lower-camel.
func (n *JSONNames) Set(text string) error {
	switch names := JSONNames(text); names {
	case JSONAsInIDL, JSONSnake, JSONLowerCamel:
		*n = names
		return nil
	}
	return errors.New("it is snake or lower-camel")
}

// A word begins at a capital with small letters behind it, and at a capital behind a small letter or a digit.
var (
	capitalisedWord = regexp.MustCompile("([^_])([A-Z][a-z]+)")
	capitalInWord   = regexp.MustCompile("([a-z0-9])([A-Z])")
)

func (n JSONNames) of(name string) string {
	if n == JSONAsInIDL {
		return name
	}
	name = capitalisedWord.ReplaceAllString(name, "${1}_${2}")
	name = strings.ToLower(capitalInWord.ReplaceAllString(name, "${1}_${2}"))
	if n == JSONSnake {
		return name
	}
	words := strings.Split(name, "_")
	for i, word := range words {
		// The first letter may follow digits.
		if first := strings.IndexFunc(word, unicode.IsLetter); i > 0 && first >= 0 {
			words[i] = word[:first] + capitalized(word[first:])
		}
	}
	return strings.Join(words, "")
}
