package h2

import (
	"fmt"
	"strings"

	"hone/go/rpc/internal/grpcwire"
)

// Field is a field of a header or trailer. Names are in lower case.
type Field struct{ Name, Value string }

// Bytes returns the length of a field as peers count it.
func (f Field) Bytes() int { return len(f.Name) + len(f.Value) + grpcwire.FieldOverhead }

// Template is the part of a header that is the same for many calls. Each connection keeps its encoded form, so make a template once
// and not for each call.
type Template struct {
	fields []Field
	bytes  int
}

// NewTemplate makes a template of fields. Fields with a name that begins with a colon must come first.
func NewTemplate(fields ...Field) *Template {
	t := &Template{fields: fields}
	for _, field := range fields {
		t.bytes += field.Bytes()
	}
	return t
}

// NewRequestTemplate makes the template of a method's requests. path is "/service/method".
func NewRequestTemplate(scheme, authority, path, contentType, userAgent string, more ...Field) *Template {
	fields := []Field{
		{":method", "POST"}, {":scheme", scheme}, {":path", path}, {":authority", authority},
		{"content-type", contentType}, {"te", "trailers"}, {"user-agent", userAgent},
	}
	return NewTemplate(append(fields, more...)...)
}

// staticFields are the fields of HPACK's static table that gRPC sends, and staticNames are the names (RFC 7541, appendix A).
var (
	staticFields = map[Field]int{
		{":method", "POST"}: 3, {":scheme", "http"}: 6, {":scheme", "https"}: 7, {":status", "200"}: 8, {":status", "400"}: 12,
		{":status", "404"}: 13,
	}
	staticNames = map[string]int{
		":authority": 1, ":path": 4, ":status": 8, "accept-encoding": 16, "authorization": 23, "content-type": 31, "cookie": 32,
		"user-agent": 58,
	}
)

// firstDynamic is the index of the newest entry of the dynamic table.
const firstDynamic = 62

// encoder writes blocks of fields by HPACK (RFC 7541). Its dynamic table is a dictionary of the fields of templates: they are added
// while there is room, and never leave, so that a field of just one call never pushes them out. Package hpack's encoder has another
// policy, and could not take back its entries when a message that follows the header fails. The lock of the link guards the
// encoder.
type encoder struct {
	// numbers are the numbers of the fields in the table, from the first one that was added; order has the fields by number.
	numbers map[Field]int
	order   []Field
	used    int
	limit   int
	// committed is the number of fields that the peer knows.
	committed int
	// isResized says that the next block must begin with a change of the table's size. sent says that the present block has that
	// change.
	isResized, sent bool
	// blocks are encoded templates, each with the number of entries that the table had then.
	blocks map[*Template]block
}

type block struct {
	bytes   []byte
	entries int
}

func newEncoder() encoder {
	return encoder{numbers: map[Field]int{}, limit: tableBytes, blocks: map[*Template]block{}}
}

// begin takes back the entries that were added since the last commit.
func (e *encoder) begin() {
	if len(e.order) > e.committed {
		// A kept block may use the indices of these entries.
		clear(e.blocks)
	}
	for len(e.order) > e.committed {
		last := e.order[len(e.order)-1]
		e.order = e.order[:len(e.order)-1]
		e.used -= last.Bytes()
		delete(e.numbers, last)
	}
	e.sent = false
}

// commit records that the blocks that were encoded since begin will be sent.
func (e *encoder) commit() {
	e.committed = len(e.order)
	if e.sent {
		e.isResized, e.sent = false, false
	}
}

// resize empties the table and gives it the size that the peer has asked for.
func (e *encoder) resize(bytes uint32) {
	limit := int(min(bytes, tableBytes))
	if limit == e.limit {
		return
	}
	e.limit = limit
	e.used, e.committed, e.order = 0, 0, nil
	clear(e.numbers)
	clear(e.blocks)
	e.isResized = true
}

// appendSize appends the change of the table's size, if there is one. A block begins with that change.
func (e *encoder) appendSize(to []byte) []byte {
	if !e.isResized || e.sent {
		return to
	}
	e.sent = true
	// The table is first emptied, and then gets its new size.
	return appendInteger(appendInteger(to, 0x20, 5, 0), 0x20, 5, e.limit)
}

// appendTemplate appends the fields of a template.
func (e *encoder) appendTemplate(to []byte, t *Template) []byte {
	if known, ok := e.blocks[t]; ok && known.entries == len(e.order) {
		return append(to, known.bytes...)
	}
	before, start := len(e.order), len(to)
	for _, field := range t.fields {
		to = e.appendConstant(to, field)
	}
	// A block that has added entries will be different the next time.
	if len(e.order) == before && len(e.blocks) < keptTemplates {
		e.blocks[t] = block{append([]byte(nil), to[start:]...), before}
	}
	return to
}

// appendConstant appends a field that will be sent again.
func (e *encoder) appendConstant(to []byte, field Field) []byte {
	if index, ok := staticFields[field]; ok {
		return appendInteger(to, 0x80, 7, index)
	}
	if number, ok := e.numbers[field]; ok {
		return appendInteger(to, 0x80, 7, firstDynamic+len(e.order)-1-number)
	}
	if e.used+field.Bytes() > e.limit {
		return appendLiteral(to, 0, 4, field)
	}
	e.numbers[field] = len(e.order)
	e.order = append(e.order, field)
	e.used += field.Bytes()
	return appendLiteral(to, 0x40, 6, field)
}

// appendField appends a field that may never be sent again. A field with a secret gets the form that nobody may store.
func appendField(to []byte, name string, value string) []byte {
	first := byte(0)
	if name == "authorization" || name == "cookie" {
		first = 0x10
	}
	return appendLiteral(to, first, 4, Field{name, value})
}

func appendLiteral(to []byte, first byte, bits int, field Field) []byte {
	index := staticNames[field.Name]
	to = appendInteger(to, first, bits, index)
	if index == 0 {
		to = appendText(to, field.Name)
	}
	return appendText(to, field.Value)
}

// appendText appends a text unchanged: Huffman's code would save bytes, but cost both sides time.
func appendText(to []byte, text string) []byte {
	return append(appendInteger(to, 0, 7, len(text)), text...)
}

// appendInteger appends an integer behind the first bits of a byte (RFC 7541, section 5.1).
func appendInteger(to []byte, first byte, bits, number int) []byte {
	most := 1<<bits - 1
	if number < most {
		return append(to, first|byte(number))
	}
	to = append(to, first|byte(most))
	for number -= most; number >= 0x80; number >>= 7 {
		to = append(to, byte(number)|0x80)
	}
	return append(to, byte(number))
}

// checkFields says what is wrong with fields that a user wants to send: names and values that HTTP/2 does not allow. For these a
// peer would end the stream or the connection.
func checkFields(fields []Field) error {
	for _, field := range fields {
		if err := checkField(field); err != nil {
			return err
		}
	}
	return nil
}

func checkField(field Field) error {
	if field.Name == "" || strings.ContainsFunc(field.Name, isBadInName) {
		return fmt.Errorf("a field may not be called %.*q: use lower-case letters, digits, -, _ and .", mostNameBytes, field.Name)
	}
	if strings.ContainsAny(field.Value, "\x00\r\n") {
		return fmt.Errorf("the value of field %.*q has a line's end or a 0 in it: end its name with -bin and write it in base64", mostNameBytes, field.Name)
	}
	return nil
}

func isBadInName(c rune) bool {
	return c <= ' ' || c >= 0x7f || c >= 'A' && c <= 'Z' || c == ':'
}
