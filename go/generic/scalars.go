package generic

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"hone/go/idl"
)

// shown returns a value as an error shows it, shortened.
func shown(from any) string {
	switch from := from.(type) {
	case nil:
		return "null"
	case map[string]any:
		return "an object"
	case []any:
		return "an array"
	case []byte:
		return "bytes"
	case string:
		return strconv.Quote(shortened(from))
	case json.Number:
		return shortened(string(from))
	case bool:
		return strconv.FormatBool(from)
	case float64:
		return strconv.FormatFloat(from, 'g', -1, 64)
	}
	if number, ok := wholeOf(from); ok {
		return strconv.FormatInt(number, 10)
	}
	return "a value of a type that messages do not have"
}

// mostShown is the number of bytes of a text that an error shows.
const mostShown = 40

func shortened(text string) string {
	if len(text) <= mostShown {
		return text
	}
	return strings.ToValidUTF8(text[:mostShown], "") + "..."
}

// misfit refuses a value that does not fit its type.
func misfit(from any, want, mend string) *fault {
	return faultf(mend, "%s is no %s", shown(from), want)
}

// wholeOf returns a number of one of Go's integer types.
func wholeOf(from any) (int64, bool) {
	switch from := from.(type) {
	case int64:
		return from, true
	case int:
		return int64(from), true
	case int32:
		return int64(from), true
	case int16:
		return int64(from), true
	case int8:
		return int64(from), true
	case uint8:
		return int64(from), true
	case uint16:
		return int64(from), true
	case uint32:
		return int64(from), true
	case uint:
		return int64(from), uint64(from) <= math.MaxInt64
	case uint64:
		return int64(from), from <= math.MaxInt64
	}
	return 0, false
}

// bounds are the least and the largest number of each type.
var bounds = map[idl.TypeKind][2]int64{
	idl.I8: {math.MinInt8, math.MaxInt8}, idl.I16: {math.MinInt16, math.MaxInt16},
	idl.I32: {math.MinInt32, math.MaxInt32}, idl.I64: {math.MinInt64, math.MaxInt64},
}

// integer returns a whole number of the given type.
func integer(kind idl.TypeKind, from any) (int64, *fault) {
	number, isWhole := wholeOf(from)
	var text string
	switch from := from.(type) {
	case json.Number:
		text = string(from)
	case string:
		text = from
	case float64:
		text = strconv.FormatFloat(from, 'f', -1, 64)
	case float32:
		text = strconv.FormatFloat(float64(from), 'f', -1, 32)
	}
	isNumber := isWhole
	if text != "" {
		number, isWhole, isNumber = wholeOfText(text)
	}
	limits := bounds[kind]
	switch {
	case isWhole && limits[0] <= number && number <= limits[1]:
		return number, nil
	case isWhole, isNumber && isHuge(text), isUnsigned(from):
		return 0, faultf("", "%s does not fit into %s (%d to %d)", shown(from), kind, limits[0], limits[1])
	}
	return 0, misfit(from, kind.String(), "write a whole number")
}

// isUnsigned reports whether a number is of one of the types of Go that go beyond int64.
func isUnsigned(from any) bool {
	switch from.(type) {
	case uint, uint64:
		return true
	}
	return false
}

// exact is the number up to which a double can hold every whole number.
const exact = 1 << 53

// wholeOfText reads a whole number: in digits, or with a fraction of zeros or an exponent if a double holds it exactly.
func wholeOfText(text string) (number int64, isWhole, isNumber bool) {
	number, err := strconv.ParseInt(text, 10, 64)
	if err == nil {
		return number, true, true
	}
	if !isNumberText(text) {
		return 0, false, false
	}
	double, err := strconv.ParseFloat(text, 64)
	if err == nil && double == math.Trunc(double) && !isHuge(text) {
		return int64(double), true, true
	}
	return 0, false, true
}

// isHuge reports whether a number is too large for a double to hold every whole number.
func isHuge(text string) bool {
	double, _ := strconv.ParseFloat(text, 64)
	return math.Abs(double) > exact
}

// isNumberText reports whether a text is a number of JSON. Package strconv also reads other forms.
func isNumberText(text string) bool {
	return text != "" && strings.Trim(text, "0123456789+-.eE") == "" && json.Valid([]byte(text))
}

// double returns a number of type double.
func double(from any) (float64, *fault) {
	text := ""
	switch from := from.(type) {
	case float64:
		return from, nil
	case float32:
		return float64(from), nil
	case json.Number:
		text = string(from)
	case string:
		text = from
	}
	switch text {
	case "NaN":
		return math.NaN(), nil
	case "Infinity":
		return math.Inf(1), nil
	case "-Infinity":
		return math.Inf(-1), nil
	}
	if number, ok := wholeOf(from); ok {
		return float64(number), nil
	}
	if !isNumberText(text) {
		return 0, misfit(from, "double", `write a number, "NaN", "Infinity" or "-Infinity"`)
	}
	number, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, faultf("", "%s does not fit into double", shown(from))
	}
	return number, nil
}

// boolean returns a truth value. A key has it as a text.
func boolean(from any, isKey bool) (bool, *fault) {
	if is, ok := from.(bool); ok {
		return is, nil
	}
	if isKey && (from == "true" || from == "false") {
		return from == "true", nil
	}
	return false, misfit(from, "bool", "write true or false")
}

// enumNumber returns the number of an enum's value. A number without a name is allowed.
func enumNumber(e *idl.Enum, from any) (int64, *fault) {
	name, isName := from.(string)
	if !isName {
		return integer(idl.I32, from)
	}
	if known := e.ByName(name); known != nil {
		return known.Number, nil
	}
	if _, _, isNumber := wholeOfText(name); isNumber {
		return integer(idl.I32, from)
	}
	names := make([]string, len(e.Values))
	for i, one := range e.Values {
		names[i] = one.Name
	}
	return 0, faultf(mendOr(idl.DidYouMean(name, names), "write one of its names, or a number"), "the enum %s has no value %s", e.Name, shown(name))
}

// bytesOf returns the bytes of a text in base64, or bytes unchanged.
func bytesOf(from any) ([]byte, *fault) {
	if bytes, ok := from.([]byte); ok {
		return bytes, nil
	}
	text, ok := from.(string)
	if !ok {
		return nil, misfit(from, "binary", "write a text in base64")
	}
	text = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	bytes, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil, misfit(from, "base64", "write the bytes in base64")
	}
	return bytes, nil
}

// uuidText returns a UUID as text.
func uuidText(id [16]byte) string {
	digits := hex.EncodeToString(id[:])
	return digits[:8] + "-" + digits[8:12] + "-" + digits[12:16] + "-" + digits[16:20] + "-" + digits[20:]
}
