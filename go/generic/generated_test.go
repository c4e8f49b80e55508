package generic

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"reflect"
	"strings"
	"testing"

	"hone/go/codec"
	"hone/go/idl"
	"hone/go/internal/sample"
	"hone/go/internal/sample/shop/api"
	"hone/go/internal/sample/shop/base"
	"hone/go/thrift"
)

// sampleOf returns an empty message of the struct of a generated type.
func sampleOf(t *testing.T, generated sample.Message) *Message {
	t.Helper()
	name := strings.TrimPrefix(fmt.Sprintf("%T", generated), "*")
	of := map[string]string{"api": "shop", "base": "base", "recursive": "recursive", "gowords": "gowords"}
	pack, name, _ := strings.Cut(name, ".")
	program := load(t, "../idl/testdata/"+of[pack]+".thrift")
	definition, ok := program.Root.Lookup(name).(*idl.Struct)
	if !ok {
		definition = program.Root.Lookup(strings.ToLower(name)).(*idl.Struct)
	}
	describing := newDescriptions(program)
	m := &Message{function: &Function{}, of: describing.structure(definition)}
	describing.defaults()
	return m
}

func TestMessagesAreThoseOfGeneratedCode(t *testing.T) {
	empty, compared := map[reflect.Type]*Message{}, map[reflect.Type]int{}
	sample.EachRandom(100, 1, func(filled sample.Message) {
		of := reflect.TypeOf(filled)
		if empty[of] == nil {
			empty[of] = sampleOf(t, filled)
		}
		m, want := empty[of], thrift.Marshal(filled)
		if err := thrift.Unmarshal(want, m); err != nil {
			t.Fatalf("%T: %v", filled, m.Explain(err))
		}
		value, err := m.Map()
		if err != nil {
			t.Fatalf("%T: %v", filled, err)
		}
		if err := m.SetMap(value); err != nil {
			if !strings.Contains(err.Error(), "has one field") {
				t.Fatalf("%T: %v", filled, err)
			}
			return // generated code writes unions with no field or several
		}
		compared[of]++
		if got := thrift.Marshal(m); !bytes.Equal(got, want) {
			t.Fatalf("%T: %v\n%q\n%q", filled, value, got, want)
		}
		if got, want := marshalCompact(t, m), marshalCompact(t, filled); !bytes.Equal(got, want) {
			t.Fatalf("%T in Compact:\n%q\n%q", filled, got, want)
		}
	})
	for of, n := range compared {
		if n < 5 {
			t.Errorf("%v: %d messages were compared", of, n)
		}
	}
	if len(compared) != len(sample.Messages) {
		t.Error(compared)
	}
}

func marshalCompact(t *testing.T, from thrift.Writer) []byte {
	t.Helper()
	b, err := codec.Compact{}.Marshal(from)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestWhatIsAbsentIsWhatGeneratedCodeWritesOfIt(t *testing.T) {
	for _, test := range []struct {
		from any
		json string
	}{
		{&api.Item{ID: 7, Name: "none", Labels: []string{"new", "old"}, State: api.State_NEW, Severity: base.Severity_HIGH, Price: 9.99}, `{"id":7}`},
		{&api.Item{ID: 7, Name: "none", Labels: []string{"new", "old"}, State: api.State_NEW, Severity: base.Severity_HIGH, Price: 9.99},
			`{"id":"7","severity":"HIGH","price":9.99,"state":1,"deep":null}`},
		{&api.Order{}, `{}`},
		{&base.Context{Caller: "me"}, `{"caller":"me"}`},
	} {
		m := sampleOf(t, test.from.(sample.Message))
		if err := m.UnmarshalJSON([]byte(test.json)); err != nil {
			t.Fatalf("%s: %v", test.json, err)
		}
		if got, want := thrift.Marshal(m), thrift.Marshal(test.from.(thrift.Writer)); !bytes.Equal(got, want) {
			t.Errorf("%s:\n%q\n%q", test.json, got, want)
		}
	}
}

// shop answers calls of the sample's service with generated code.
type shop struct{ api.Shop }

func (shop) Find(_ context.Context, id api.ItemID, of *base.Context) (*api.Item, error) {
	if id < 0 {
		return nil, &base.NotFound{Key: "no such item"}
	}
	item := api.NewItem()
	item.ID, item.Name = id, of.GetCaller()
	return item, nil
}

func (shop) Nothing(context.Context) error { return nil }

// genericShop answers calls of the same service with JSON.
func genericShop(t *testing.T) *thrift.Processor {
	p := thrift.NewProcessor()
	answers := map[string]string{
		"find":    `{"exception": {"missing": {"key": "no such item"}}}`,
		"order":   `{"result": "9007199254740993"}`,
		"nothing": `{}`,
		"all":     `{"result": {"pens": [{"id": 1, "name": "pen"}]}}`,
	}
	for _, f := range serviceIn(t, "../idl/testdata/shop.thrift", "Shop", Options{}).Functions {
		p.Handle(f.Name, thrift.Handler{
			Args:     func() thrift.Reader { return f.Args() },
			IsOneway: f.IsOneway,
			Serve: func(_ context.Context, args thrift.Reader) (thrift.Writer, error) {
				if text, err := args.(*Message).MarshalJSON(); f.Name == "find" && (err != nil || string(text) != `{"id":-1,"context":{"caller":"me"}}`) {
					return nil, fmt.Errorf("%s %v", text, err)
				}
				result := f.Result()
				if result == nil {
					return nil, nil
				}
				return result, result.UnmarshalJSON([]byte(answers[f.Name]))
			},
		})
	}
	return p
}

// serve answers calls over a pipe, and returns the client of that pipe.
func serve(t *testing.T, p *thrift.Processor, wire thrift.Wire) *thrift.Client {
	here, there := net.Pipe()
	done := make(chan error)
	go func() { done <- p.ServeConn(context.Background(), there, wire) }()
	client := thrift.NewClient(here, wire)
	t.Cleanup(func() {
		client.Close()
		<-done
	})
	return client
}

// overWires are the wire formats that the messages are tried with.
var overWires = map[string]thrift.Wire{"binary": {}, "framed": {Framed: true}, "compact": {Framed: true, Protocol: codec.Compact{}}}

func TestAGenericClientCallsAServerOfGeneratedCode(t *testing.T) {
	find := functionOf(t, serviceIn(t, "../idl/testdata/shop.thrift", "Shop", Options{}), "find")
	for name, wire := range overWires {
		client := serve(t, api.NewShopProcessor(shop{}), wire)
		for _, test := range []struct{ args, result, exception string }{
			{`{"id": 7, "context": {"caller": "me"}}`, `"id":7,"name":"me"`, ""},
			{`{"id": -1}`, `{"exception":{"missing":{"key":"no such item"}}}`, "missing"},
		} {
			args, result := find.Args(), find.Result()
			err := args.UnmarshalJSON([]byte(test.args))
			if err == nil {
				err = client.Call(context.Background(), find.Name, args, result)
			}
			text, errOfResult := result.MarshalJSON()
			if err != nil || errOfResult != nil || !strings.Contains(string(text), test.result) || result.Exception() != test.exception {
				t.Errorf("%s: %s: %s %v %v", name, test.args, text, err, errOfResult)
			}
		}
	}
}

func TestAGenericServerAnswersAClientOfGeneratedCode(t *testing.T) {
	for name, wire := range overWires {
		client := api.NewShopClient(serve(t, genericShop(t), wire))
		ctx := context.Background()
		var missing *base.NotFound
		if _, err := client.Find(ctx, -1, &base.Context{Caller: "me"}); !errors.As(err, &missing) || missing.Key != "no such item" {
			t.Errorf("%s: %v", name, err)
		}
		if number, err := client.Order(ctx, &api.Order{}, 1); err != nil || number != 9007199254740993 {
			t.Errorf("%s: %d %v", name, number, err)
		}
		if err := client.Nothing(ctx); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if all, err := client.All(ctx); err != nil || all["pens"][0].Name != "pen" || all["pens"][0].Labels[1] != "old" {
			t.Errorf("%s: %v %v", name, all, err)
		}
		var exception *thrift.ApplicationException
		if _, err := client.Find(ctx, 5, nil); !errors.As(err, &exception) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAResultThatHoldsNothingIsAnError(t *testing.T) {
	s := everything(t)
	for name, isRight := range map[string]bool{"sum": false, "nothing": true} {
		result := functionOf(t, s, name).Result()
		err := thrift.Unmarshal([]byte{0}, result)
		if err != nil {
			t.Fatal(err)
		}
		text, err := result.MarshalJSON()
		var exception *thrift.ApplicationException
		if isRight != (err == nil && string(text) == "{}") || !isRight && (!errors.As(err, &exception) || exception.Type != thrift.MissingResultOfCall) {
			t.Errorf("%s: %s %v", name, text, err)
		}
	}
}

func TestAnExceptionHidesAResult(t *testing.T) {
	f := functionOf(t, everything(t), "strange")
	result := f.Result()
	message := []byte{8, 0, 0, 0, 0, 0, 5, 12, 0, 1, 8, 0, 1, 0, 0, 0, 3, 0, 0}
	if err := thrift.Unmarshal(message, result); err != nil {
		t.Fatal(err)
	}
	if text, err := result.MarshalJSON(); err != nil || string(text) != `{"exception":{"result":{"code":3}}}` {
		t.Errorf("%s %v", text, err)
	}
}

func TestNumbersOfTypeI64AreTextsWhereJavaScriptReadsThem(t *testing.T) {
	s := serviceIn(t, "testdata/everything.thrift", "Everything", Options{TextForI64: true})
	m := functionOf(t, s, "scalars").Args()
	if err := m.UnmarshalJSON([]byte(`{"scalars":{"price":9007199254740993,"count":5}}`)); err != nil {
		t.Fatal(err)
	}
	text, err := m.MarshalJSON()
	if err != nil || !strings.Contains(string(text), `"price":"9007199254740993"`) || !strings.Contains(string(text), `"count":5,`) {
		t.Errorf("%s %v", text, err)
	}
}
