package generic

import (
	"bytes"
	"errors"
	"flag"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"hone/go/codec"
	"hone/go/idl"
	"hone/go/internal/sample/talk"
	"hone/go/thrift"
)

// update is the flag of `go test ./generic -update`, which writes the golden files.
var update = flag.Bool("update", false, "write the golden files anew")

// load loads a program that must have no errors.
func load(t testing.TB, path string) *idl.Program {
	t.Helper()
	program, problems := idl.Load(path, os.ReadFile, nil)
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	return program
}

// serviceIn returns a service of a program.
func serviceIn(t testing.TB, path, name string, options Options) *Service {
	t.Helper()
	s, err := NewService(load(t, path), name, options)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func everything(t testing.TB) *Service {
	return serviceIn(t, "testdata/everything.thrift", "Everything", Options{})
}

// functionOf returns a function of a service.
func functionOf(t testing.TB, s *Service, name string) *Function {
	t.Helper()
	f, err := s.Function(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestMessagesOfAStreamAreItsStructs(t *testing.T) {
	s := serviceIn(t, "../idl/testdata/talk.thrift", "Talk", Options{})
	for name, streams := range map[string][2]bool{"chat": {true, true}, "listen": {true, false}, "repeat": {false, true}, "echo": {false, false}} {
		f := functionOf(t, s, name)
		if streams != [2]bool{f.TakesStream, f.GivesStream} {
			t.Errorf("%s: %v %v", name, f.TakesStream, f.GivesStream)
		}
	}
	said, count := functionOf(t, s, "listen").Args(), functionOf(t, s, "listen").Result()
	if err := errors.Join(said.UnmarshalJSON([]byte(`{"text": "four"}`)), count.UnmarshalJSON([]byte(`{"messages": 1}`))); err != nil {
		t.Fatal(err)
	}
	read := new(talk.Words)
	if err := thrift.Unmarshal(thrift.Marshal(said), read); err != nil || read.Text != "four" || read.Times != 1 {
		t.Error(read, err)
	}
	if said.Exception() != "" || count.Exception() != "" {
		t.Error("messages of a stream are taken for exceptions")
	}
}

// structsOf returns empty messages of all structs of a program, and of the arguments and results of its functions.
func structsOf(t testing.TB, path string) []*Message {
	t.Helper()
	program := load(t, path)
	var all []*Message
	describing := newDescriptions(program)
	for _, file := range program.Files {
		for _, definition := range file.Definitions {
			switch d := definition.(type) {
			case *idl.Struct:
				all = append(all, &Message{function: &Function{}, of: describing.structure(d)})
			case *idl.Service:
				for _, f := range d.Functions {
					function := describing.function(f, Options{})
					all = append(all, function.Args())
					if !f.Oneway {
						all = append(all, function.Result())
					}
				}
			}
		}
	}
	describing.defaults()
	return all
}

// programs returns the paths of IDL files of all kinds.
func programs(t testing.TB) []string {
	t.Helper()
	all := []string{"testdata/everything.thrift"}
	for _, pattern := range []string{"../idl/testdata/*.thrift", "../gen/testdata/odd/*.thrift"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatal(pattern, err)
		}
		all = append(all, paths...)
	}
	return all
}

// maker makes random values of any type.
type maker struct {
	*rand.Rand
	// isText is true if every value must have a form in JSON.
	isText bool
}

func (m maker) message(s *structure) map[string]any {
	if !s.isResult {
		one, _ := m.structOf(s, 4)
		return one
	}
	success := s.byID(0)
	if n := len(s.fields); n > 0 {
		if f := &s.fields[m.Intn(n)]; f != success {
			if one, ok := m.value(f.value, 4); ok {
				return map[string]any{exceptionName: map[string]any{f.name: one}}
			}
		}
	}
	if success == nil {
		return map[string]any{}
	}
	one, _ := m.value(success.value, 4)
	return map[string]any{resultName: one}
}

// structOf returns false if values would be too deep inside each other.
func (m maker) structOf(s *structure, depth int) (map[string]any, bool) {
	fields := map[string]any{}
	order := m.Perm(len(s.fields))
	for _, i := range order {
		f := &s.fields[i]
		if s.isUnion && len(fields) == 1 {
			break
		}
		if f.need != idl.Required && !s.isUnion && m.Intn(4) == 0 {
			continue
		}
		one, ok := m.value(f.value, depth-1)
		if !ok && f.need == idl.Required {
			return nil, false
		}
		if ok {
			fields[f.name] = one
		}
	}
	return fields, !s.isUnion || len(fields) == 1
}

func (m maker) value(v *value, depth int) (any, bool) {
	switch {
	case v.structure != nil:
		if depth < 0 {
			return nil, false
		}
		return m.structOf(v.structure, depth)
	case v.enum != nil:
		number := m.number() >> 32
		if n := len(v.enum.Values); n > 0 && m.Intn(4) > 0 {
			number = v.enum.Values[m.Intn(n)].Number
		}
		if named := v.enum.ByNumber(number); named != nil {
			return named.Name, true
		}
		return number, true
	case v.kind == idl.List || v.kind == idl.Set:
		return m.list(v.element, depth), true
	case v.kind == idl.Map:
		return m.mapping(v, depth), true
	}
	return m.scalar(v), true
}

func (m maker) list(v *value, depth int) []any {
	elements := []any{}
	for range m.Intn(3) {
		if one, ok := m.value(v, depth-1); ok {
			elements = append(elements, one)
		}
	}
	return elements
}

// mapping returns a map of at most one entry, because several entries have no fixed order.
func (m maker) mapping(v *value, depth int) any {
	key, hasKey := m.value(v.key, depth-1)
	one, hasValue := m.value(v.element, depth-1)
	isThere := hasKey && hasValue && m.Intn(3) > 0
	if !v.key.isText() {
		if isThere {
			return []any{[]any{key, one}}
		}
		return []any{}
	}
	object := map[string]any{}
	if isThere {
		w := &writer{limit: math.MaxInt32}
		if err := w.scalar(v.key, key, false); err != nil {
			panic(err.problem)
		}
		text := ""
		m := &Message{function: &Function{}, binary: w.b[:w.off:w.off]}
		_, err := m.read(nothing{}, func(r *reader, off int) (end int) {
			r.to = &goValue{open: []container{{object: map[string]any{}}}}
			text, end = r.key(v.key, off)
			return end
		})
		if err != nil {
			panic(err)
		}
		object[text] = one
	}
	return object
}

func (m maker) number() int64 {
	if m.Intn(4) == 0 {
		return []int64{0, -1, math.MinInt64, math.MaxInt64}[m.Intn(4)]
	}
	return int64(m.Uint64()) >> m.Intn(64)
}

func (m maker) scalar(v *value) any {
	switch v.kind {
	case idl.Bool:
		return m.Intn(2) == 0
	case idl.I8:
		return m.number() >> 56
	case idl.I16:
		return m.number() >> 48
	case idl.I32:
		return m.number() >> 32
	case idl.I64:
		return m.number()
	case idl.Double:
		return []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), m.NormFloat64(), 1e300, 5e-324, 1e21, 1e-7}[m.Intn(9)]
	case idl.UUID:
		var id [16]byte
		m.Read(id[:])
		return uuidText(id)
	}
	raw := make([]byte, m.Intn(30))
	m.Read(raw)
	if v.kind == idl.Binary {
		return raw
	}
	if m.isText {
		return strings.ToValidUTF8(string(raw), "\u2028é😀\"\\\n\x00</script>")
	}
	return string(raw)
}

// eachRandom calls do with messages of all programs and random values for them.
func eachRandom(t *testing.T, isText bool, do func(t *testing.T, m *Message, value map[string]any)) {
	for _, path := range programs(t) {
		program, problems := idl.Load(path, os.ReadFile, nil)
		if problems.HasErrors() || len(program.Files) == 0 {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			random := maker{rand.New(rand.NewSource(1)), isText}
			for _, m := range structsOf(t, path) {
				for range 30 {
					if value := random.message(m.of); value != nil && !reflect.DeepEqual(value, map[string]any{resultName: nil}) {
						do(t, m, value)
					}
				}
			}
		})
	}
}

func TestAnyValueComesBackFromItsMessage(t *testing.T) {
	eachRandom(t, false, func(t *testing.T, m *Message, value map[string]any) {
		if err := m.SetMap(value); err != nil {
			if value == nil || strings.Contains(err.Error(), "and 0 are set") {
				return // the union has no finite value
			}
			t.Fatalf("%s: %v\n%v", m.of.title, err, value)
		}
		first := m.binary
		again, err := m.Map()
		if err != nil {
			t.Fatalf("%s: %v\n%v", m.of.title, err, value)
		}
		missing(t, m.of.title, value, again)
		if err := m.SetMap(again); err != nil || !bytes.Equal(m.binary, first) {
			t.Fatalf("%s: %v\n%v\n%v\n%q\n%q", m.of.title, err, value, again, first, m.binary)
		}
	})
}

// missing fails the test if got lacks anything that want has. got may have defaults besides.
func missing(t *testing.T, path string, want, got any) {
	t.Helper()
	if object, ok := want.(map[string]any); ok {
		found, _ := got.(map[string]any)
		for name, one := range object {
			missing(t, path+"."+name, one, found[name])
		}
		return
	}
	if array, ok := want.([]any); ok {
		found, _ := got.([]any)
		if len(found) != len(array) {
			t.Fatalf("%s: %v, not %v", path, got, want)
		}
		for i := range array {
			missing(t, path, array[i], found[i])
		}
		return
	}
	if !reflect.DeepEqual(want, got) {
		t.Fatalf("%s: %v, not %v", path, got, want)
	}
}

func TestAnyMessageComesBackFromItsJSONInBothProtocols(t *testing.T) {
	eachRandom(t, true, func(t *testing.T, m *Message, value map[string]any) {
		if err := m.SetMap(value); err != nil {
			return // the value has a union without a finite value
		}
		text, err := m.MarshalJSON()
		if err != nil {
			t.Fatalf("%s: %v\n%v", m.of.title, err, value)
		}
		again := &Message{function: m.function, of: m.of}
		if err := again.UnmarshalJSON(text); err != nil || !bytes.Equal(again.binary, m.binary) {
			t.Fatalf("%s: %v\n%s\n%q\n%q", m.of.title, err, text, m.binary, again.binary)
		}
		for _, protocol := range []thrift.Protocol{thrift.Binary{}, codec.Compact{}} {
			message := protocol.AppendMessage(nil, thrift.Header{Method: "f", Type: thrift.Call}, m)
			_, off, err := protocol.ReadHeader(message)
			read := &Message{function: m.function, of: m.of}
			if err == nil {
				err = protocol.ReadBody(message[off:], read)
			}
			if err != nil {
				t.Fatalf("%T: %s: %v\n%s", protocol, m.of.title, read.Explain(err), text)
			}
			// The Compact protocol does not say the types of an empty map, so the JSON is compared, not the bytes.
			if got, err := read.MarshalJSON(); err != nil || !bytes.Equal(got, text) {
				t.Fatalf("%T: %s: %v\n%s\n%s", protocol, m.of.title, err, text, got)
			}
		}
	})
}

func TestExamplesAreWhatFunctionsTake(t *testing.T) {
	for _, path := range programs(t) {
		program, problems := idl.Load(path, os.ReadFile, nil)
		if problems.HasErrors() {
			continue
		}
		for _, name := range ServiceNames(program) {
			for _, f := range serviceIn(t, path, name, Options{}).Functions {
				example := f.Example()
				if err := f.Args().UnmarshalJSON(example); err != nil {
					t.Errorf("%s: %s.%s: %v\n%s", path, name, f.Name, err, example)
				}
			}
		}
	}
}

func TestAFunctionIsDescribedAsTheIDLDeclaresIt(t *testing.T) {
	s := everything(t)
	var told []string
	for _, f := range s.Functions {
		told = append(told, f.String()+"\n"+string(f.Example())+"\n")
	}
	golden(t, "functions", strings.Join(told, "\n"))
	if f := functionOf(t, s, "scalars"); f.Doc != "Gives back what it gets." {
		t.Errorf("%q", f.Doc)
	}
	if f := functionOf(t, s, "tell"); !f.IsOneway || f.Result() != nil {
		t.Error("tell gives something")
	}
}

// golden compares a text with a golden file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil || string(want) != got {
		t.Errorf("%s: %v\n%s", path, err, got)
	}
}
