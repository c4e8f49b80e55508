package generic

import (
	"errors"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"

	"hone/go/thrift"
)

// wrong has texts that are no arguments of a function, or no result of it if the function's name begins with "=".
var wrong = []struct{ function, json string }{
	{"scalars", ``}, {"scalars", `{`}, {"scalars", `{"scalars"}`}, {"scalars", `{"scalars":}`}, {"scalars", `{"scalars":nul}`},
	{"scalars", "{\n  \"scalars\": {\n    \"yes\": true,,\n"}, {"scalars", `{} {}`}, {"scalars", `[1]`}, {"scalars", `null`},
	{"scalars", "{\"scalars\":{\"name\":\"caf\xe9\"}}"}, {"scalars", `{"scalars":{"name":"a","name":"b"}}`},
	{"scalars", `{"scalar":{}}`}, {"scalars", "{\"scalars\":\n\t{\"nmae\":\"x\"}}"}, {"scalars", `{"scalars":{"zebra":1}}`}, {"scalars", `{"scalars":7}`},
	{"scalars", `{"scalars":{"yes":1}}`}, {"scalars", `{"scalars":{"yes":"true"}}`}, {"scalars", `{"scalars":{"small":128}}`},
	{"scalars", `{"scalars":{"small":"-129"}}`}, {"scalars", `{"scalars":{"port":1.5}}`}, {"scalars", `{"scalars":{"port":1e400}}`},
	{"scalars", `{"scalars":{"count":"0x10"}}`}, {"scalars", `{"scalars":{"count":""}}`}, {"scalars", `{"scalars":{"count":{}}}`},
	{"scalars", `{"scalars":{"price":9223372036854775808}}`}, {"scalars", `{"scalars":{"ratio":"nan"}}`}, {"scalars", `{"scalars":{"ratio":1e400}}`},
	{"scalars", `{"scalars":{"name":5}}`}, {"scalars", `{"scalars":{"raw":"a!"}}`}, {"scalars", `{"scalars":{"raw":[1]}}`},
	{"scalars", `{"scalars":{"id":"00112233"}}`}, {"scalars", `{"scalars":{"paint":"DRK"}}`}, {"scalars", `{"scalars":{"paint":"PURPLE"}}`},
	{"scalars", `{"scalars":{"paint":3000000000}}`}, {"scalars", `{"scalars":{"paint":true}}`},
	{"keys", `{"keys":{"by_bool":{"yes":1}}}`}, {"keys", `{"keys":{"by_i8":{"200":1}}}`}, {"keys", `{"keys":{"by_i8":{"1":1,"01":2}}}`},
	{"keys", `{"keys":{"by_paint":{"LIGHT":["DIM","DARC"]}}}`}, {"keys", `{"keys":{"by_point":{"x":1}}}`}, {"keys", `{"keys":{"by_point":[[{"x":1}]]}}`},
	{"keys", `{"keys":{"by_point":[[{"x":1},2],[{"x":1},3]]}}`}, {"keys", `{"keys":{"by_point":[[{"z":1},2]]}}`}, {"keys", `{"keys":{"by_point":[[{},"two"]]}}`},
	{"keys", `{"keys":{"by_text":"text"}}`}, {"keys", `{"keys":{"by_text":{"a b":"text"}}}`}, {"keys", `{"keys":{"by_text":{"a":null}}}`},
	{"defaults", `{"defaults":{"numbers":[1,null]}}`}, {"defaults", `{"defaults":{"numbers":5}}`}, {"defaults", `{"defaults":{"inner":[{"inner":[{"word":[]}]}]}}`},
	{"tree", `{}`}, {"tree", `{"node":{}}`}, {"tree", `{"node":{"name":"a","children":[{"name":"b"},{}]}}`}, {"tree", `{"node":{"name":"a"},"tree":{}}`},
	{"tree", "{\"node\":{\"name\":\"a\"},\n\"tree\":{\"leaf\":null,\"number\":1,\"branches\":[]}}"},
	{"tree", strings.Repeat(`{"tree":{"branches":[`, 1) + strings.Repeat(`{"branches":[`, 70) + strings.Repeat(`]}`, 71) + `}`},
	{"tell", strings.Repeat(`[`, 5000)}, {"tell", `{"word":"` + strings.Repeat("a", 100) + `","wrod":1}`},
	{"=sum", `{}`}, {"=sum", `{"result":null}`}, {"=sum", `{"result":"five"}`}, {"=sum", `{"exception":{}}`}, {"=sum", `{"success":5}`},
	{"=nothing", `{"result":1}`}, {"=tree", `{"exception":{"failure":{"code":1}},"result":{"name":"a"}}`}, {"=tree", `{"exception":{"failed":{}}}`},
	{"=scalars", `{"exception":{"refused":{}}}`}, {"=scalars", `{"exception":{"failure":{},"refused":{"why":"a"}}}`}, {"=scalars", `5`},
}

func TestWhatIsWrongWithJSONIsToldWithPathPlaceAndMend(t *testing.T) {
	s := everything(t)
	var told []string
	for _, one := range wrong {
		name, isResult := strings.CutPrefix(one.function, "=")
		f := functionOf(t, s, name)
		m := f.Args()
		if isResult {
			m = f.Result()
		}
		err := m.UnmarshalJSON([]byte(one.json))
		var typed *Error
		if !errors.As(err, &typed) || typed.Line == 0 {
			t.Errorf("%s: %v", one.json, err)
			continue
		}
		told = append(told, shortened(one.json)+"\n    "+err.Error()+"\n")
	}
	golden(t, "errors", strings.Join(told, ""))
}

func TestAFailureLeavesAMessageAsItWas(t *testing.T) {
	m := functionOf(t, everything(t), "tell").Args()
	if err := m.UnmarshalJSON([]byte(`{"word":"first"}`)); err != nil {
		t.Fatal(err)
	}
	if m.UnmarshalJSON([]byte(`{"word":2}`)) == nil || m.SetMap(map[string]any{"word": 2}) == nil {
		t.Error("a number is a text")
	}
	if text, err := m.MarshalJSON(); err != nil || string(text) != `{"word":"first"}` {
		t.Errorf("%s %v", text, err)
	}
}

func TestNumbersOfAllGoTypesAreTakenIfTheyFit(t *testing.T) {
	m := functionOf(t, everything(t), "sum").Args()
	for _, number := range []any{5, int8(5), int16(5), int32(5), int64(5), uint(5), uint8(5), uint16(5), uint32(5), uint64(5), float32(5), 5.0, "5"} {
		if err := m.SetMap(map[string]any{"numbers": []any{number}}); err != nil {
			t.Errorf("%T: %v", number, err)
		}
		if value, err := m.Map(); err != nil || value["numbers"].([]any)[0] != int64(5) {
			t.Errorf("%T: %v %v", number, value, err)
		}
	}
	for _, number := range []any{uint64(math.MaxUint64), 5.5, 1e300, math.NaN(), complex(1, 1), struct{}{}, []int64{1}} {
		err := m.SetMap(map[string]any{"numbers": []any{number}})
		var typed *Error
		if !errors.As(err, &typed) || typed.Path != "args.numbers[0]" || typed.Line != 0 {
			t.Errorf("%v: %v", number, err)
		}
	}
}

func TestWhatIsWrongWithAMessageIsToldByNames(t *testing.T) {
	s := everything(t)
	for _, test := range []struct {
		function, message, want string
	}{
		{"tree", "\x00", "args.node: required field is not set (at byte 0)"},
		{"tree", "\x0c\x00\x01\x0f\x00\x03\x0c\x00\x00\x00\x01\x00\x00", "args.node.children[0].name: required field is not set (at byte 11)"},
		{"scalars", "\x0c\x00\x01\x0b\x00\x07\x00\x00\x00\x05abc", "args.scalars.name: the message ends too early (at byte 6)"},
		{"keys", "\x0c\x00\x01\x0d\x00\x05\x0b\x0a\x00\x00\x00\x01\x00\x00\x00\x01k\x00\x00", `args.keys.by_text: the message ends too early (at byte 8)`},
		{"keys", "\x0c\x00\x01\x0d\x00\x08\x08\x0f\x00\x00\x00\x01\x00\x00\x00\x01\x08\xff\xff\xff\xff", `args.keys.by_paint["LIGHT"]: negative length (at byte 17)`},
		{"many", "\x0c\x00\x01\x0f\x00\x05\x08\x00\x00\x00\x01\x00\x00\x00\x00", "args.many.table: elements of another type (at byte 6)"},
		{"tell", "\x0b\x00\x01\x00\x00\x00\x00\x00\x00", "args: bytes follow the end of the message (at byte 8)"},
	} {
		m := functionOf(t, s, test.function).Args()
		err := thrift.Unmarshal([]byte(test.message), m)
		if got := m.Explain(err); got == nil || got.Error() != test.want || !errors.As(got, new(*thrift.ProtocolError)) {
			t.Errorf("%s: %v, not %s", test.function, got, test.want)
		}
	}
	other := errors.New("other")
	if functionOf(t, s, "tell").Args().Explain(other) != other {
		t.Error("another error is explained")
	}
}

func TestTextThatIsNotUTF8HasNoJSONAndIsWholeInGo(t *testing.T) {
	m := functionOf(t, everything(t), "keys").Args()
	want := map[string]any{"keys": map[string]any{"by_i64": map[string]any{"5": "caf\xe9"}}}
	if err := m.SetMap(want); err != nil {
		t.Fatal(err)
	}
	_, err := m.MarshalJSON()
	if err == nil || !strings.HasPrefix(err.Error(), `args.keys.by_i64["5"]: "caf\xe9" is not UTF-8`) {
		t.Error(err)
	}
	value, err := m.Map()
	if err != nil || value["keys"].(map[string]any)["by_i64"].(map[string]any)["5"] != "caf\xe9" {
		t.Error(value, err)
	}
}

func TestUnknownNamesAreToldWithTheNearestOnes(t *testing.T) {
	program := load(t, "testdata/everything.thrift")
	for name, want := range map[string]string{
		"Everythin": "the IDL has no service 'Everythin'; did you mean 'Everything'?",
		"x":         "the IDL has no service 'x'; there is Everything, base.Above",
	} {
		if _, err := NewService(program, name, Options{}); err == nil || err.Error() != want {
			t.Error(err)
		}
	}
	s, err := NewService(program, "base.Above", Options{})
	if err != nil || len(s.Functions) != 2 {
		t.Fatal(s, err)
	}
	if _, err := s.Function("aliv"); err == nil || err.Error() != "the service Above has no function 'aliv'; did you mean 'alive'?" {
		t.Error(err)
	}
}

// allocated returns the number of bytes that are allocated while do runs.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestNoMoreIsMadeOfWhatArrivedThanTheLimitsAllow(t *testing.T) {
	limits := thrift.Limits{Expansion: 10, Slack: 1000, Depth: 64}
	s := serviceIn(t, "testdata/everything.thrift", "Everything", Options{Limits: limits})
	f := functionOf(t, s, "defaults")
	// Each element takes three bytes as JSON, and a hundred in the message.
	text := `{"defaults":{"inner":[` + strings.TrimSuffix(strings.Repeat("{},", 10_000), ",") + `]}}`
	if err := f.Args().UnmarshalJSON([]byte(text)); err == nil || !strings.Contains(err.Error(), "longer than the limit of 301") {
		t.Error(err)
	}
	// Each element takes one byte in the message, and has all its defaults in JSON.
	message := append([]byte("\x0c\x00\x01\x08\x00\x01\x00\x00\x00\x01\x0f\x00\x0e\x0c\x00\x00\x27\x10"), make([]byte, 10_002)...)
	m := functionOf(t, s, "defaults").Args()
	if err := thrift.Unmarshal(message, m); err == nil || !strings.Contains(m.Explain(err).Error(), "args.defaults.inner[0].needed") {
		t.Error(m.Explain(err))
	}
	deep := functionOf(t, s, "tree").Args()
	for _, depth := range []int{10, 63, 65, 100_000} {
		text := `{"node":{"name":"a"},"tree":` + strings.Repeat(`{"branches":[`, depth) + strings.Repeat(`]}`, depth) + `}`
		if err := deep.UnmarshalJSON([]byte(text)); (err == nil) != (depth < 64) {
			t.Errorf("%d deep: %v", depth, err)
		}
	}
}

func TestAMessageThatClaimsMuchAllocatesLittle(t *testing.T) {
	f := functionOf(t, everything(t), "many")
	// The message is a list of lists, and each of these claims to have as many elements as bytes follow.
	message := []byte("\x0c\x00\x01\x0f\x00\x05\x0f\x00\x00\x40\x00")
	message = append(message, strings.Repeat("\x04\x00\x00\x08\x00", 0x4000)...)
	m := f.Args()
	bytes := allocated(func() {
		if err := thrift.Unmarshal(message, m); err == nil {
			t.Error("the message is right")
		}
	})
	if most := uint64(16 * len(message)); bytes > most {
		t.Errorf("%d bytes are allocated, more than %d", bytes, most)
	}
}

func TestAServiceIsUsedBySeveralAtOnce(t *testing.T) {
	s := everything(t)
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for _, f := range s.Functions {
				m := f.Args()
				if err := m.UnmarshalJSON(f.Example()); err != nil {
					t.Error(err)
				}
				if _, err := m.Map(); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	all.Wait()
}

func FuzzMessages(f *testing.F) {
	s := everything(f)
	for i, function := range s.Functions {
		m := function.Args()
		if err := m.UnmarshalJSON(function.Example()); err != nil {
			f.Fatal(err)
		}
		f.Add(byte(i), m.binary)
		f.Add(byte(i), []byte("\x0c\x00\x01\x0f\x00\x03\x0c\x7f\xff\xff\xff"))
	}
	f.Fuzz(func(t *testing.T, which byte, message []byte) {
		function := s.Functions[int(which)%len(s.Functions)]
		for _, m := range []*Message{function.Args(), {function: function, of: function.result}} {
			if err := thrift.Unmarshal(message, m); err != nil {
				if m.Explain(err).Error() == "" {
					t.Error("an error says nothing")
				}
				continue
			}
			checkRead(t, m)
		}
	})
}

// checkRead asserts the rules that hold for every message that can be read.
func checkRead(t *testing.T, m *Message) {
	t.Helper()
	value, err := m.Map()
	if err == nil {
		again := &Message{function: m.function, of: m.of}
		if err := again.SetMap(value); err == nil {
			if twice, err := again.Map(); err != nil || len(twice) < len(value) {
				t.Errorf("%v: %v", value, err)
			}
		}
	}
	text, err := m.MarshalJSON()
	if err != nil {
		return
	}
	again := &Message{function: m.function, of: m.of}
	if err := again.UnmarshalJSON(text); err != nil {
		// A message may have a key twice, and a union none of its fields or several.
		if said := err.Error(); !strings.Contains(said, "twice") && !strings.Contains(said, "has one field") && !strings.Contains(said, "the limit") &&
			!strings.Contains(said, "too deep") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzJSON(f *testing.F) {
	s := everything(f)
	for i, function := range s.Functions {
		f.Add(byte(i), function.Example())
	}
	for _, one := range wrong {
		f.Add(byte(len(one.json)), []byte(one.json))
	}
	f.Fuzz(func(t *testing.T, which byte, text []byte) {
		m := s.Functions[int(which)%len(s.Functions)].Args()
		err := m.UnmarshalJSON(text)
		var typed *Error
		switch {
		case err == nil:
			checkRead(t, m)
		case !errors.As(err, &typed), typed.Line < 1, typed.Offset > len(text):
			t.Errorf("%q: %v", text, err)
		}
	})
}
