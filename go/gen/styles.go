package gen

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Naming says how names of the IDL become names of Go, by those options of thriftgo that decide it. The zero value is thriftgo's
// default.
type Naming struct {
	// Style is thriftgo's option naming_style.
	Style Style
	// IgnoreInitialisms treats words such as id and URL like other words: user_id becomes UserId.
	IgnoreInitialisms bool
	// CompatibleNames adds an underscore to names that begin with New, or end with Args or Result.
	CompatibleNames bool
}

// Style is one of thriftgo's naming styles.
type Style string

// These are all styles. They differ in what they do with underscores, and with words that begin with a capital.
const (
	// ThriftgoStyle drops underscores: user_Id becomes UserId, v1_2 V12.
	ThriftgoStyle Style = ""
	// GolintStyle finds words as golint did: userId becomes UserID, v1_2 V1_2.
	GolintStyle Style = "golint"
	// ApacheStyle is the style of Apache's compiler: user_Id becomes User_Id, and names that end with Args or Result get an
	// underscore.
	ApacheStyle Style = "apache"
)

// KitexNaming is the naming that Kitex's tool uses by default.
var KitexNaming = Naming{Style: GolintStyle, IgnoreInitialisms: true, CompatibleNames: true}

// namings are the words of the command's option that choose a style or a whole naming.
var namings = map[string]Naming{
	"thriftgo": {}, "golint": {Style: GolintStyle}, "apache": {Style: ApacheStyle}, "kitex": KitexNaming,
}

// String returns the text that Set takes.
func (n *Naming) String() string {
	if *n == KitexNaming {
		return "kitex"
	}
	text := string(n.Style)
	if n.Style == ThriftgoStyle {
		text = "thriftgo"
	}
	if n.IgnoreInitialisms {
		text += ",ignore_initialisms"
	}
	if n.CompatibleNames {
		text += ",compatible_names"
	}
	return text
}

// Set takes a style or the word kitex, and then thriftgo's words for the other options:
// "golint,ignore_initialisms,compatible_names".
func (n *Naming) Set(text string) error {
	style, rest, _ := strings.Cut(text, ",")
	naming, isKnown := namings[style]
	if !isKnown {
		return fmt.Errorf("%q is no style of names: it is thriftgo, golint, apache or kitex", style)
	}
	for rest != "" {
		var word string
		switch word, rest, _ = strings.Cut(rest, ","); word {
		case "ignore_initialisms":
			naming.IgnoreInitialisms = true
		case "compatible_names":
			naming.CompatibleNames = true
		default:
			return fmt.Errorf("%q says nothing about names: behind the style stand ignore_initialisms and compatible_names", word)
		}
	}
	*n = naming
	return nil
}

// Identify returns a name in thriftgo's style. Go may not export it: the name of one that begins with an underscore is not
// exported.
func (n Naming) Identify(name string) string {
	switch n.Style {
	case GolintStyle:
		return n.golint(name)
	case ApacheStyle:
		return n.apache(name)
	}
	var text strings.Builder
	for _, word := range strings.Split(name, "_") {
		text.WriteString(n.word(word))
	}
	return text.String()
}

// word returns one word of a name. An empty word lies between two underscores: one of them stays. A word that begins with a capital
// stays as it is.
func (n Naming) word(word string) string {
	switch {
	case word == "":
		return "_"
	case !startsLow(word):
		return word
	}
	return n.initialism(capitalized(word))
}

// initialism returns a word in capitals if Go writes that word so.
func (n Naming) initialism(word string) string {
	if upper := strings.ToUpper(word); !n.IgnoreInitialisms && initialisms[upper] {
		return upper
	}
	return word
}

// apache keeps underscores before words that begin with anything but a small letter. The first word is capitalised in any case.
func (n Naming) apache(name string) string {
	var text strings.Builder
	for i, word := range strings.Split(name, "_") {
		switch {
		case word == "":
			text.WriteString("_")
		case i == 0:
			text.WriteString(n.initialism(capitalized(word)))
		case startsLow(word):
			text.WriteString(n.word(word))
		default:
			text.WriteString("_" + word)
		}
	}
	if strings.HasSuffix(text.String(), "Args") || strings.HasSuffix(text.String(), "Result") {
		text.WriteString("_")
	}
	return text.String()
}

// golint keeps underscores before capitals and digits; with initialisms, it then looks for words once more.
func (n Naming) golint(name string) string {
	var text strings.Builder
	for i, word := range strings.Split(name, "_") {
		switch {
		case word == "":
			if name != "" {
				text.WriteString("_")
			}
		case i > 0 && (isDigit(word[0]) || 'A' <= word[0] && word[0] <= 'Z'):
			text.WriteString("_" + word)
		default:
			text.WriteString(capitalized(word))
		}
	}
	if n.IgnoreInitialisms || text.String() == "_" {
		return text.String()
	}
	return n.linted(text.String())
}

// linted returns the words of a name in golint's form. A word ends at an underscore, and where a capital or a digit follows a small
// letter. Underscores are dropped, except one at the beginning, and one between digits.
func (n Naming) linted(name string) string {
	result := ""
	for at := 0; at < len(name); {
		start := at
		for at < len(name) && name[at] == '_' {
			at++
		}
		end := wordEnd(name, at)
		word := name[at:end]
		if word == "" {
			break
		}
		if hasGap := at > start; hasGap && (result == "" || endsWithDigit(result) && startsWithDigit(word)) {
			result += "_"
		}
		if result != "" {
			word = capitalizedIfLow(word)
		}
		result += n.initialism(word)
		at = end
	}
	return result
}

// wordEnd returns the end of the word that begins at a place: capitals and digits, then small letters.
func wordEnd(name string, at int) int {
	wasLow := false
	for i, r := range name[at:] {
		isLow := unicode.IsLower(r)
		if r == '_' || wasLow && !isLow {
			return at + i
		}
		wasLow = isLow
	}
	return len(name)
}

func startsLow(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return unicode.IsLower(first)
}

func startsWithDigit(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return unicode.IsDigit(first)
}

func endsWithDigit(word string) bool {
	last, _ := utf8.DecodeLastRuneInString(word)
	return unicode.IsDigit(last)
}

// capitalized returns a word with a capital as its first letter.
func capitalized(word string) string {
	first, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(first)) + word[size:]
}

// capitalizedIfLow capitalises a word of small letters only.
func capitalizedIfLow(word string) string {
	if strings.ToLower(word) == word {
		return capitalized(word)
	}
	return word
}
