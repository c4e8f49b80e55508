package thrift

import (
	"reflect"
	"strings"
)

// Tag is the content of a field's struct tag, in words that nobody has checked.
type Tag struct {
	Name, ID, Requiredness, Type string
}

// TagOf reads the tags of a field: `thrift:"name,id,requiredness,type"`, as generated structs have it, or else
// `frugal:"id,requiredness,type"`. Where a field has both tags, the type is that of the frugal tag. A field without an id is not
// part of a message.
func TagOf(f reflect.StructField) (_ Tag, isField bool) {
	words := strings.SplitN(f.Tag.Get("thrift"), ",", 4)
	frugal := strings.SplitN(f.Tag.Get("frugal"), ",", 3)
	hasThrift, hasFrugal := len(words) > 1, len(frugal) > 1
	words, frugal = append(words, "", ""), append(frugal, "")
	switch {
	case hasThrift:
		t := Tag{words[0], strings.TrimSpace(words[1]), strings.TrimSpace(words[2]), words[3]}
		if hasFrugal && frugal[2] != "" {
			t.Type = frugal[2]
		}
		return t, true
	case hasFrugal:
		return Tag{f.Name, strings.TrimSpace(frugal[0]), strings.TrimSpace(frugal[1]), frugal[2]}, true
	}
	return Tag{}, false
}
