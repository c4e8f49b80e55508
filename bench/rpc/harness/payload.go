package harness

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
)

// EchoText is the text that calls of Echo send.
var EchoText = strings.Repeat("0123456789abcdef", 64)

// Answered counts the calls that handlers have answered.
var Answered atomic.Int64

// CheckEcho returns an error for a wrong answer of Echo.
func CheckEcho(answer Text, err error) error {
	if err != nil {
		return err
	}
	if text := answer.GetText(); text != EchoText {
		return fmt.Errorf("%d bytes are answered that are not those that were sent", len(text))
	}
	return nil
}

// CheckTotal returns an error for a wrong answer to an order.
func (p Payload) CheckTotal(answer interface{ GetTotal() float64 }, err error) error {
	if err != nil {
		return err
	}
	if total := answer.GetTotal(); total != expected[p] {
		return fmt.Errorf("the answered total is %v, not %v", total, expected[p])
	}
	return nil
}

// expected holds the totals of the sent orders.
var expected = func() map[Payload]float64 {
	totals := map[Payload]float64{}
	for payload := range shapes {
		o := newOrder(payload)
		totals[payload] = Total(o.Items, o.Discounts, o.Headers, o.Related)
	}
	return totals
}()

// priced is an item of an order in any of the stacks.
type priced interface {
	GetCount() int32
	GetPrice() float64
	GetTags() []string
	GetAttributes() map[string]string
}

// Total is the work of Price's handlers: it reads all parts of an order. It is the same code for all stacks.
func Total[I priced](items []I, discounts map[int32]float64, headers map[string]string, related []int64) float64 {
	total, bytes := 0.0, len(headers["trace"])
	for _, item := range items {
		total += item.GetPrice() * float64(item.GetCount()) * (1 - discounts[item.GetCount()])
		for _, tag := range item.GetTags() {
			bytes += len(tag)
		}
		bytes += len(item.GetAttributes()["colour"])
	}
	for _, id := range related {
		bytes += int(id & 1)
	}
	return total + float64(bytes)
}

// FillOrder fills an order of any stack with the content of a payload, by the JSON names that all stacks share.
func FillOrder(order any, payload Payload) error {
	text, err := json.Marshal(newOrder(payload))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, order)
}

type order struct {
	ID         string            `json:"id"`
	PlacedAtUs int64             `json:"placed_at_us"`
	Buyer      person            `json:"buyer"`
	Items      []*item           `json:"items"`
	Headers    map[string]string `json:"headers"`
	Discounts  map[int32]float64 `json:"discounts"`
	Related    []int64           `json:"related"`
}

type person struct {
	ID          int64             `json:"id"`
	Name        string            `json:"name"`
	Email       string            `json:"email"`
	Addresses   []address         `json:"addresses"`
	Preferences map[string]string `json:"preferences"`
}

type address struct {
	Street    string  `json:"street"`
	City      string  `json:"city"`
	Country   string  `json:"country"`
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

type item struct {
	ID         int64             `json:"id"`
	Name       string            `json:"name"`
	Count      int32             `json:"count"`
	Price      float64           `json:"price"`
	InStock    bool              `json:"in_stock"`
	Tags       []string          `json:"tags"`
	Attributes map[string]string `json:"attributes"`
}

func (i *item) GetCount() int32                  { return i.Count }
func (i *item) GetPrice() float64                { return i.Price }
func (i *item) GetTags() []string                { return i.Tags }
func (i *item) GetAttributes() map[string]string { return i.Attributes }

// shape describes the size of an order's parts.
type shape struct {
	items, tags, discounts, related int
	headers, attributes             []string
}

var shapes = map[Payload]shape{
	Price: {
		14, 4, 14, 40, []string{"trace", "span", "region", "tenant", "channel", "client", "locale", "device", "version", "experiment"},
		[]string{"colour", "size", "material", "vendor", "warehouse"},
	},
	Maps: {12, 0, 100, 0, numbered("header", 120), numbered("attribute", 20)},
	Rows: {400, 2, 14, 40, nil, nil},
}

func numbered(name string, most int) (names []string) {
	for number := range most {
		names = append(names, fmt.Sprintf("%s-%d", name, number))
	}
	return names
}

// newOrder returns the order of a payload, always the same; the order of a stream's payload is Price's.
func newOrder(payload Payload) *order {
	shape, isKnown := shapes[payload]
	if !isKnown {
		shape = shapes[Price]
	}
	random := rand.New(rand.NewPCG(1, 2))
	text := func(length int) string {
		letters := make([]byte, length)
		for i := range letters {
			letters[i] = "abcdefghijklmnopqrstuvwxyz"[random.IntN(26)]
		}
		return string(letters)
	}
	facts := func(names ...string) map[string]string {
		facts := map[string]string{}
		for _, name := range names {
			facts[name] = text(6 + random.IntN(14))
		}
		return facts
	}
	o := &order{ID: text(24), PlacedAtUs: 1_790_000_000_000_000, Discounts: map[int32]float64{}}
	o.Headers = facts(shape.headers...)
	o.Buyer = person{ID: 1 << 40, Name: text(18), Email: text(24), Preferences: facts("language", "currency", "theme", "newsletter", "units", "contact")}
	for range 3 {
		o.Buyer.Addresses = append(o.Buyer.Addresses, address{text(22), text(10), text(2), 90 * random.Float64(), 180 * random.Float64()})
	}
	for count := range int32(shape.items) {
		one := &item{ID: random.Int64(), Name: text(28), Count: count + 1, Price: float64(random.IntN(10_000)) / 100, InStock: count%3 > 0}
		for _, length := range []int{7, 9, 5, 11}[:shape.tags] {
			one.Tags = append(one.Tags, text(length))
		}
		one.Attributes = facts(shape.attributes...)
		o.Items = append(o.Items, one)
	}
	for count := range int32(shape.discounts) {
		o.Discounts[count] = float64(count) / 100
	}
	for range shape.related {
		o.Related = append(o.Related, random.Int64())
	}
	return o
}
