// Package payload makes the messages that are measured. Tuned returns messages by which the code was tuned, Held messages that were held out.
package payload

import (
	"fmt"
	"math/rand"

	"hone/go/compat/proto/ours/shapes"
	"hone/go/proto"
)

// Message is a message with its name.
type Message struct {
	Name string
	Of   proto.Message
}

// Tuned returns the messages by which the code was tuned.
func Tuned() []Message {
	return []Message{{"echo", Echo()}, {"order", Order()}, {"series", Series()}, {"spans", Spans()}}
}

// Held returns the messages that were held out, of other definitions.
func Held() []Message {
	return []Message{{"held/profile", Profile()}, {"held/metrics", Metrics()}, {"held/logs", Logs()}}
}

// source generates the same random numbers each time.
type source struct{ *rand.Rand }

func newSource(seed int64) source { return source{rand.New(rand.NewSource(seed))} }

var syllables = []string{"ka", "ro", "lin", "ter", "mo", "sa", "ne", "vi", "du", "pel", "an", "or", "ist", "ba", "ge"}

// word returns a word of n syllables.
func (s source) word(n int) string {
	word := ""
	for range n {
		word += syllables[s.Intn(len(syllables))]
	}
	return word
}

// words returns words of at least the given number of bytes in all.
func (s source) words(bytes int) string {
	text := s.word(2)
	for len(text) < bytes {
		text += " " + s.word(1+s.Intn(4))
	}
	return text
}

func (s source) bytes(n int) []byte {
	b := make([]byte, n)
	s.Read(b)
	return b
}

func (s source) hex(n int) string { return fmt.Sprintf("%x", s.bytes(n)) }

func pointer[T any](v T) *T { return &v }

// Echo returns a text of 1 KB.
func Echo() *shapes.Echo {
	s := newSource(1)
	return &shapes.Echo{To: "echo." + s.word(3), Hop: 3, Text: s.words(1000)[:1000]}
}

// Order returns an order of about 5 KB with 26 items.
func Order() *shapes.Order {
	s := newSource(2)
	money := func() *shapes.Money {
		return &shapes.Money{Currency: "EUR", Units: int64(s.Intn(500)), Nanos: int32(s.Intn(100)) * 10_000_000}
	}
	address := func() *shapes.Address {
		return &shapes.Address{
			Name: s.word(3) + " " + s.word(4), Lines: []string{s.word(5) + " 12", s.word(3)}, City: s.word(4), Postcode: fmt.Sprint(10000 + s.Intn(80000)),
			Country: "DE", Latitude: pointer(s.Float64() * 90), Longitude: pointer(s.Float64() * 180),
		}
	}
	order := &shapes.Order{
		Id: s.Uint64(), PlacedMs: 1_790_000_000_000 + s.Int63n(1_000_000_000),
		Customer: &shapes.Customer{Id: uint64(s.Intn(1 << 30)), Mail: s.word(3) + "@" + s.word(3) + ".example", Home: address(), Others: []*shapes.Address{address(), address()},
			Points: map[string]int64{"spring": 120, "summer": 4000, s.word(3): 7}},
		Payment: shapes.Payment_PAYMENT_CARD, Total: money(), Discounts: map[string]*shapes.Money{s.word(4): money(), s.word(3): money()},
		Signature: s.bytes(64), Delivery: &shapes.Order_ToAddress{ToAddress: address()}, Note: pointer(s.words(60)),
	}
	for range 12 {
		order.Related = append(order.Related, s.Int63n(1<<40))
	}
	for range 26 {
		item := &shapes.Item{Sku: s.hex(6), Title: s.words(40), Count: uint32(1 + s.Intn(9)), Price: money(), Gift: s.Intn(4) == 0,
			Attributes: map[string]string{"colour": s.word(2), "size": "XL", s.word(3): s.word(5)}}
		for range 3 {
			item.Tags = append(item.Tags, s.word(3))
		}
		order.Items = append(order.Items, item)
	}
	return order
}

// Series returns about 9 KB of numbers.
func Series() *shapes.Series {
	s := newSource(3)
	series := &shapes.Series{Id: 77}
	at := int64(1_790_000_000_000)
	for i := range 400 {
		at += 900 + s.Int63n(200)
		series.TimesMs = append(series.TimesMs, at)
		series.Values = append(series.Values, s.NormFloat64())
		series.Deltas = append(series.Deltas, int32(s.NormFloat64()*300))
		series.Buckets = append(series.Buckets, uint32(s.ExpFloat64()*40))
		if i%4 == 0 {
			series.Weights = append(series.Weights, s.Float32())
			series.Flags = append(series.Flags, s.Intn(3) == 0)
		}
	}
	for range 60 {
		series.Points = append(series.Points, &shapes.Point{TimeNs: at * 1_000_000, Value: s.NormFloat64(), Quality: int32(s.Intn(200)), Delta: int64(s.NormFloat64() * 1e5)})
	}
	return series
}

// Profile returns a profile of about 700 bytes in proto2.
func Profile() *shapes.Profile {
	s := newSource(4)
	profile := &shapes.Profile{
		Id: pointer(s.Int63n(1 << 40)), Login: pointer(s.word(4)), GivenName: pointer(s.word(2)), FamilyName: pointer(s.word(4)), Age: pointer(int32(47)),
		Verified: pointer(true), State: shapes.Profile_LOCKED.Enum(), Rating: pointer(4.25), Roles: []string{"reader", "writer", s.word(4)}, Picture: s.bytes(200),
		Settings: &shapes.Settings{Language: pointer("fr"), Zone: pointer("Europe/Paris"), Page: pointer(uint32(50)), Dark: pointer(true),
			Switches: map[string]bool{"beta": true, "mail": false, "hints": true}},
	}
	for range 10 {
		profile.Groups = append(profile.Groups, int32(s.Intn(100_000)))
		profile.Attempts = append(profile.Attempts, &shapes.Attempt{
			AtMs: pointer(1_790_000_000_000 + uint64(s.Intn(1<<30))), From: pointer("10.0.0." + fmt.Sprint(s.Intn(250))), Ok: pointer(s.Intn(5) > 0),
		})
	}
	return profile
}
