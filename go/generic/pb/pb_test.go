package pb

import (
	"errors"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"hone/go/generic"
)

// filesOf returns the definitions in a file of testdata. A test of package definitions of module hone/go/call makes that file.
func filesOf(t testing.TB, name string) *protoregistry.Files {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name + ".binpb")
	if err != nil {
		t.Fatal(err)
	}
	set := &descriptorpb.FileDescriptorSet{}
	if err := proto.Unmarshal(raw, set); err != nil {
		t.Fatal(err)
	}
	files, err := protodesc.NewFiles(set)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func functionOf(t testing.TB, file, service, name string, options Options) *Function {
	t.Helper()
	s, err := NewService(filesOf(t, file), service, options)
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.Function(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestExamplesAreWhatFunctionsTake(t *testing.T) {
	for file, service := range map[string]string{"shop": "shop.v1.Shop", "old": "Health"} {
		s, err := NewService(filesOf(t, file), service, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range s.Functions {
			m := f.Args()
			if err := m.UnmarshalJSON(f.Example()); err != nil || len(f.Example()) < 10 {
				t.Errorf("%v: %v\n%s", f, err, f.Example())
			}
		}
	}
}

// texts has JSON of messages, and the values of Go of some of them.
var texts = []struct {
	function, json string
	value          map[string]any
}{
	{"Talk", `{"yes":true,"i32":-5,"i64":"9007199254740993","u32":4294967295,"u64":"18446744073709551615",` +
		`"ratio":1.5,"share":"NaN","fullName":"é","raw":"AP8=","state":"NEW","maybe":0}`, nil},
	{"Talk", `{"i64":"5","u64":"6","share":"-Infinity","fullName":"x","raw":"AP8=","state":7}`,
		map[string]any{"i64": int64(5), "u64": uint64(6), "raw": []byte{0, 255}, "state": int64(7), "fullName": "x", "share": math.Inf(-1)}},
	{"Find", `{"itemId":"1","states":["NEW","SENT"],"parts":[{"name":"a"}],"byName":{"k":{"cash":"5"}},"byNumber":{"3":"c"},` +
		`"byBool":{"true":{"x":1}},"card":""}`,
		map[string]any{
			"itemId": int64(1), "states": []any{"NEW", "SENT"}, "parts": []any{map[string]any{"name": "a"}}, "card": "",
			"byName": map[string]any{"k": map[string]any{"cash": int64(5)}}, "byNumber": map[string]any{"3": "c"},
			"byBool": map[string]any{"true": map[string]any{"x": int64(1)}},
		}},
	{"Keep", `{"at":"2026-01-02T03:04:05Z","took":"1.500s","anyJson":{"a":[1,null]},"boxed":"7","mask":"a.b",` +
		`"anything":{"@type":"type.googleapis.com/shop.v1.Point","x":5},"value":null}`,
		map[string]any{
			"at": "2026-01-02T03:04:05Z", "took": "1.500s", "anyJson": map[string]any{"a": []any{1.0, nil}}, "boxed": "7", "mask": "a.b",
			"anything": map[string]any{"@type": "type.googleapis.com/shop.v1.Point", "x": 5.0}, "value": nil,
		}},
}

func TestMessagesComeBackFromJSONBytesAndMaps(t *testing.T) {
	for _, test := range texts {
		f := functionOf(t, "shop", "Shop", test.function, Options{})
		m := f.Args()
		if err := m.UnmarshalJSON([]byte(test.json)); err != nil {
			t.Errorf("%s: %v", test.json, err)
			continue
		}
		bytes, err := proto.Marshal(m)
		read := f.Args()
		if err == nil {
			err = proto.Unmarshal(bytes, read)
		}
		if err != nil || !proto.Equal(read, m) {
			t.Errorf("%s: %v", test.json, err)
		}
		if text, err := read.MarshalJSON(); err != nil || string(text) != test.json {
			t.Errorf("%s: %s %v", test.json, text, err)
		}
		value, err := read.Map()
		if err != nil || test.value != nil && !reflect.DeepEqual(value, test.value) {
			t.Errorf("%s: %v %v", test.json, value, err)
		}
		again := f.Args()
		if err := again.SetMap(value); err != nil || !proto.Equal(again, m) {
			t.Errorf("%s: %v", test.json, err)
		}
	}
}

func TestNamesAreThoseOfTheDefinitionWhereOptionsSaySo(t *testing.T) {
	f := functionOf(t, "shop", "Shop", "Find", Options{NamesOfIDL: true})
	m := f.Args()
	if err := m.UnmarshalJSON([]byte(`{"itemId":"1","by_name":{}}`)); err != nil {
		t.Fatal(err)
	}
	if text, err := m.MarshalJSON(); err != nil || string(text) != `{"item_id":"1"}` {
		t.Errorf("%s %v", text, err)
	}
	if value, err := m.Map(); err != nil || value["item_id"] != int64(1) {
		t.Errorf("%v %v", value, err)
	}
}

func TestWhatIsWrongWithJSONIsToldWithPathPlaceAndMend(t *testing.T) {
	for text, want := range map[string]string{
		`{"nmae":"x"}`: `args.nmae: unknown field "nmae"; did you mean 'name'? (line 1, column 2, byte 1)`,
		"{\"parts\":[{},\n {\"scalars\":{\"fulName\":1}}]}": `args.parts[1].scalars.fulName: unknown field "fulName"; did you mean 'fullName'? (line 2, column 14, byte 27)`,
		`{"byName":{"é":{"zebra":1}}}`:                      `args.byName.é.zebra: unknown field "zebra"; take it away (line 1, column 17, byte 17)`,
		`{"parts":[{"itemId":"x"}]}`:                        `args.parts[0].itemId: invalid value for int64 field itemId: "x" (line 1, column 21, byte 20)`,
		`{"itemId":99999999999999999999}`:                   `args.itemId: invalid value for int64 field itemId: 99999999999999999999 (line 1, column 11, byte 10)`,
		`{"card":"a","cash":1}`:                             `args.cash: error parsing "cash", oneof shop.v1.Item.payment is already set (line 1, column 13, byte 12)`,
		`{"states":["NEWW"]}`:                               `args.states[0]: invalid value for enum field states: "NEWW" (line 1, column 12, byte 11)`,
		strings.Repeat(`{"parts":[`, 200):                   `args: exceeded max recursion depth`,
		`{`:                                                 `args: unexpected EOF`,
		`[]`:                                                `args: syntax error unexpected token [`,
		"\xff":                                              `args: syntax error`,
		`{"name":"a","name":"b"}`:                           `args.name: duplicate field "name"`,
	} {
		err := functionOf(t, "shop", "Shop", "Find", Options{}).Args().UnmarshalJSON([]byte(text))
		var typed *generic.Error
		if !errors.As(err, &typed) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s:\n%v\n%s", text, err, want)
		}
	}
	err := functionOf(t, "old", "Health", "Check", Options{}).Args().UnmarshalJSON([]byte(`{"word":"x"}`))
	if err == nil || !strings.Contains(err.Error(), "required field shop.old.Old.id not set") {
		t.Error(err)
	}
}

func TestWhatIsWrongWithAMapIsToldWithItsPath(t *testing.T) {
	m := functionOf(t, "shop", "Shop", "Find", Options{}).Args()
	err := m.SetMap(map[string]any{"parts": []any{map[string]any{"naem": 5}}})
	if err == nil || err.Error() != `args.parts[0].naem: unknown field "naem"; did you mean 'name'?` {
		t.Error(err)
	}
	if err := m.SetMap(map[string]any{"parts": make(chan int)}); err == nil {
		t.Error("a channel is a value")
	}
}

func TestUnknownNamesAreToldWithTheNearestOnes(t *testing.T) {
	files := filesOf(t, "shop")
	_, err := NewService(files, "shop.v1.Shpo", Options{})
	if err == nil || err.Error() != "the IDL has no service 'shop.v1.Shpo'; did you mean 'shop.v1.Shop'?" {
		t.Error(err)
	}
	s, err := NewService(files, "Shop", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Function("Fidn"); err == nil || err.Error() != "the service shop.v1.Shop has no function 'Fidn'; did you mean 'Find'?" {
		t.Error(err)
	}
	f, err := s.Function("Fill")
	if err != nil || !f.TakesStream || f.GivesStream || f.Path != "/shop.v1.Shop/Fill" || f.String() != "rpc Fill(stream shop.v1.Item) returns (shop.v1.Point)" {
		t.Error(f, err)
	}
}

func TestAKeyOfAnotherTypeInAMapIsAnError(t *testing.T) {
	m := functionOf(t, "shop", "Shop", "Find", Options{}).Args()
	if err := proto.Unmarshal([]byte("*\x05\n\x01k\x08\x02"), m); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Error(err)
	}
}

func FuzzJSON(f *testing.F) {
	function := functionOf(f, "shop", "Shop", "Find", Options{})
	f.Add(function.Example())
	for _, one := range texts {
		f.Add([]byte(one.json))
	}
	f.Add([]byte("{\"parts\":[{},\n {\"scalars\":{\"fulName\":1}}]}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, m := range []*Message{function.Args(), functionOf(t, "shop", "Shop", "Keep", Options{}).Args()} {
			if err := m.UnmarshalJSON(text); err != nil {
				continue
			}
			value, err := m.Map()
			if err == nil {
				err = m.SetMap(value)
			}
			if err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	})
}

func FuzzMessages(f *testing.F) {
	function := functionOf(f, "shop", "Shop", "Find", Options{})
	for _, one := range texts {
		m := function.Args()
		if err := m.UnmarshalJSON([]byte(one.json)); err == nil {
			bytes, _ := proto.Marshal(m)
			f.Add(bytes)
		}
	}
	f.Fuzz(func(t *testing.T, message []byte) {
		m := function.Args()
		if proto.Unmarshal(message, m) != nil {
			return
		}
		text, err := m.MarshalJSON()
		if err != nil {
			return
		}
		if err := function.Args().UnmarshalJSON(text); err != nil && !strings.Contains(err.Error(), "depth") {
			t.Errorf("%s: %v", text, err)
		}
	})
}
