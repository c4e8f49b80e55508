// Package payload makes the messages that are read and written.
package payload

import (
	"fmt"
	"math/rand"
	"reflect"
	"strings"

	"hone/bench/thrift/generated/hone/article"
	"hone/bench/thrift/generated/hone/many"
	"hone/bench/thrift/generated/hone/order"
	"hone/go/thrift"
)

// maker makes values as they occur in services: words, a few tags, lists of different lengths.
type maker struct{ *rand.Rand }

func (m maker) word(n int) string {
	b := make([]byte, n/2+m.Intn(n))
	for i := range b {
		b[i] = byte('a' + m.Intn(26))
	}
	return string(b)
}

func (m maker) words(n int) map[string]string {
	words := map[string]string{}
	for range n {
		words[m.word(12)] = m.word(24)
	}
	return words
}

func (m maker) money() *order.Money {
	return &order.Money{Units: m.Int63n(1e6), Nanos: m.Int31(), Currency: order.Currency(1 + m.Intn(3))}
}

func (m maker) item() *order.Item {
	item := &order.Item{
		Sku: m.Int63(), Title: m.word(24), Quantity: m.Int31n(10), Price: m.money(), Weight: m.Float64(), Gift: m.Intn(2) == 0,
	}
	for range m.Intn(4) {
		item.Tags = append(item.Tags, m.word(8))
	}
	if m.Intn(3) == 0 {
		note := m.word(40)
		item.Note = &note
	}
	return item
}

// order returns an order with the given number of items, and a few attributes.
func (m maker) order(items int) *order.Order {
	o := &order.Order{
		ID:         m.Int63(),
		Buyer:      m.word(16),
		Address:    &order.Address{Street: m.word(20), City: m.word(10), Country: m.word(8), Extra: m.words(2)},
		Attributes: m.words(2 + items/8),
		Stock:      map[int64]int32{},
		Signature:  []byte(m.word(32)),
	}
	if m.Intn(2) == 0 {
		o.Discount = m.money()
	}
	for range items {
		o.Items = append(o.Items, m.item())
		o.History = append(o.History, m.Int63(), m.Int63())
		o.Flags = append(o.Flags, m.Int31())
	}
	for range 2 + items/8 {
		o.Stock[m.Int63()] = m.Int31()
	}
	return o
}

func (m maker) batch(orders int) *order.Batch {
	b := &order.Batch{Index: map[int32][]int64{}, Totals: map[string]*order.Money{}}
	for i := range orders {
		b.Orders = append(b.Orders, m.order(18))
		b.Index[int32(i)] = []int64{1, 2, 3, 4, 5, 6}
		b.Totals[m.word(10)] = m.money()
	}
	return b
}

// example returns the article's struct, of about 4 KB.
func (m maker) example() *article.Example {
	e := &article.Example{Bytes: map[int64][]int8{}}
	for range 16 {
		var numbers []int64
		for range 16 {
			numbers = append(numbers, m.Int63())
		}
		e.Numbers = append(e.Numbers, numbers)
		b := make([]int8, 32)
		for i := range b {
			b[i] = int8(m.Intn(256))
		}
		e.Bytes[m.Int63()] = b
		pairs := map[int64]int8{}
		for range 8 {
			pairs[m.Int63()] = int8(m.Intn(256))
		}
		e.Pairs = append(e.Pairs, pairs)
	}
	return e
}

// fill sets all fields of a struct, and of the structs in it.
func (m maker) fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		m.fill(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				m.fill(v.Field(i))
			}
		}
	case reflect.String:
		v.SetString(m.word(12))
	case reflect.Bool:
		v.SetBool(m.Intn(2) == 0)
	case reflect.Float64:
		v.SetFloat(m.Float64())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 3, 3))
		for i := range 3 {
			m.fill(v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.ValueOf(m.words(2)))
	default:
		v.SetInt(int64(m.Intn(100)))
	}
}

// Message is a message that the contestants read and write.
type Message struct {
	Name string
	// Kind is the struct, with its package.
	Kind string
	Body []byte
}

// of returns the message of a struct. [Others] puts the name of the definition before its name.
func of(name string, value thrift.Writer) Message {
	body := thrift.Marshal(value)
	return Message{fmt.Sprintf("%s=%dB", name, len(body)), strings.TrimPrefix(reflect.TypeOf(value).String(), "*"), body}
}

// Messages returns the messages by which the codec was tuned.
func Messages() []Message {
	m := maker{rand.New(rand.NewSource(1))}
	whole := new(many.Whole)
	m.fill(reflect.ValueOf(whole).Elem())
	return []Message{
		of("small", m.order(2)),
		of("medium", m.order(110)),
		of("large", m.batch(104)),
		of("article", m.example()),
		of("many", whole),
	}
}

// Others returns messages of definitions that resemble those of known projects, each with data of its kind. Those of the first five served to tune
// the codec, those of the last four (held) were held out.
func Others() (all []Message) {
	m := maker{rand.New(rand.NewSource(2))}
	for _, definition := range []struct {
		name     string
		messages func(maker) []Message
	}{
		{"baseline", maker.baseline}, {"spans", maker.spans}, {"columns", maker.columns}, {"catalog", maker.catalog}, {"ranking", maker.ranking},
		{"held/cells", maker.cells}, {"held/footer", maker.footer}, {"held/notes", maker.notes}, {"held/series", maker.series},
	} {
		for _, message := range definition.messages(m) {
			message.Name = definition.name + "/" + message.Name
			all = append(all, message)
		}
	}
	return all
}
