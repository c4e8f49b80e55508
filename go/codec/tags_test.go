package codec_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"hone/go/codec"
	"hone/go/thrift"
)

// manyRequired returns a pointer to a struct of n required fields.
func manyRequired(n int) any {
	var fields []reflect.StructField
	for i := range n {
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[bool](),
			Tag: reflect.StructTag(fmt.Sprintf(`thrift:"f%d,%d,required"`, i, 200+i)),
		})
	}
	return reflect.New(reflect.StructOf(fields)).Interface()
}

type color int64

func (c color) String() string { return "a color" }

type part struct {
	Name string `frugal:"1,required,string"`
}

// forFrugal is a struct with Frugal's tags, and forThrift is the same struct with thrift tags.
type forFrugal struct {
	ID     int64            `frugal:"1,default,i64"`
	Color  color            `frugal:"2,default,Color"`
	Colors []color          `frugal:"3,optional,list<things.Color>"`
	Set    []string         `frugal:"4,default,set<string>"`
	Parts  []*part          `frugal:"5,default,list<part>"`
	ByName map[string]*part `frugal:"6,default,map<string:part>"`
	Text   string           `frugal:"7,default,string,nocopy"`
	Number *int16           `frugal:"8,optional,i16"`
	Colour *color           `frugal:"9,optional,Color"`
	None   int
}

type forThrift struct {
	ID     int64            `thrift:"id,1"`
	Color  color            `thrift:"color,2,default,i32"`
	Colors []color          `thrift:"colors,3,optional,list<i32>"`
	Set    []string         `thrift:"set,4,default,set<string>"`
	Parts  []*part          `thrift:"parts,5"`
	ByName map[string]*part `thrift:"by_name,6,default,map<string:struct>" frugal:"6,default,map<string:part>"`
	Text   string           `thrift:"text,7"`
	Number *int16           `thrift:"number,8,optional"`
	Colour *color           `thrift:"colour,9,optional,i32"`
	None   int              `thrift:"-"`
}

func TestTagsOfFrugalSayTheSame(t *testing.T) {
	number, colour := int16(5), color(-3)
	first := forFrugal{
		ID: 1, Color: 2, Colors: []color{3}, Set: []string{"a"}, Parts: []*part{{"b"}, {"c"}},
		ByName: map[string]*part{"d": {"e"}}, Text: "f", Number: &number, Colour: &colour,
	}
	written := marshal(t, first)
	// These are the types and ids of an i64, an i32, a list of i32 and a set.
	if !bytes.HasPrefix(written, []byte("\x0a\x00\x01\x00\x00\x00\x00\x00\x00\x00\x01\x08\x00\x02\x00\x00\x00\x02"+
		"\x0f\x00\x03\x08\x00\x00\x00\x01\x00\x00\x00\x03\x0e\x00\x04\x0b")) {
		t.Fatalf("%x", written)
	}
	var second forThrift
	if err := codec.Unmarshal(written, &second); err != nil {
		t.Fatal(err)
	}
	again := marshal(t, &second)
	var third forFrugal
	if err := codec.Unmarshal(again, &third); err != nil || !bytes.Equal(again, written) || !reflect.DeepEqual(first, third) {
		t.Fatalf("%v: %+v became %+v", err, first, third)
	}
}

// defaulted has optional scalars that are not pointers.
type defaulted struct {
	A int32       `thrift:"a,1,optional"`
	B string      `thrift:"b,2,optional"`
	C float64     `thrift:"c,3,optional"`
	D bool        `thrift:"d,4,optional"`
	E [16]byte    `thrift:"e,5,optional"`
	F color       `thrift:"f,6,optional,i32"`
	G int8        `thrift:"g,7,optional"`
	H int16       `thrift:"h,8,optional"`
	I int64       `thrift:"i,9,optional"`
	J []defaulted `thrift:"j,10,optional"`
	K []byte      `thrift:"k,11,optional"`
	L *defaulted  `thrift:"l,12"`
}

func (d *defaulted) InitDefault() {
	*d = defaulted{A: 1, B: "b", C: 2, D: true, E: [16]byte{1}, F: 3, G: 4, H: 5, I: 6}
}

func TestOptionalValuesThatAreTheirDefaultsAreNotWritten(t *testing.T) {
	d := new(defaulted)
	d.InitDefault()
	if written := marshal(t, d); string(written) != "\x00" {
		t.Fatalf("%x", written)
	}
	d.L, d.J = new(defaulted), []defaulted{{A: 7}}
	read := new(defaulted)
	read.InitDefault()
	if err := codec.Unmarshal(marshal(t, d), read); err != nil || !thrift.DeepEqual(d, read) {
		t.Fatalf("%v: %+v became %+v", err, d, read)
	}
	// An element without fields has its defaults.
	if err := codec.Unmarshal([]byte("\x0f\x00\x0a\x0c\x00\x00\x00\x01\x00\x00"), read); err != nil || read.J[0].B != "b" || read.J[0].I != 6 {
		t.Fatalf("%v: %+v", err, read.J)
	}
}

func TestTheLastOfTwoStructsCounts(t *testing.T) {
	type inner struct {
		A int8 `thrift:"a,1"`
		B int8 `thrift:"b,2"`
	}
	type outer struct {
		In inner `thrift:"in,1"`
	}
	var read outer
	err := codec.Unmarshal([]byte("\x0c\x00\x01\x03\x00\x01\x05\x00\x0c\x00\x01\x03\x00\x02\x06\x00\x00"), &read)
	if err != nil || read.In != (inner{B: 6}) {
		t.Fatal(read, err)
	}
}

// odd are containers that generated code seldom has.
type odd struct {
	Pairs   []thrift.Pair[[]string, map[bool]float64] `thrift:"pairs,1,default,map<list<string>:map<bool:double>>"`
	Values  []part                                    `thrift:"values,2"`
	Structs map[part]part                             `thrift:"structs,300"`
	Lists   [][][]color                               `thrift:"lists,-4,default,list<set<list<i32>>>"`
	IDs     map[[16]byte]map[color][]int64            `thrift:"ids,5,default,map<uuid:map<i32:set<i64>>>"`
	Texts   map[int32]map[int64]string                `thrift:"texts,6"`
	Named   map[string]named                          `thrift:"named,7"`
	Small   []map[tiny]short                          `thrift:"small,10,default,list<map<i8:i16>>"`
	Wide    []wide                                    `thrift:"wide,11"`
	Doubles map[wide]map[float64]bool                 `thrift:"doubles,12"`
	Blobs   []named                                   `thrift:"blobs,8,default,set<binary>"`
	Inner   struct {
		A *struct {
			C bool `thrift:"c,1"`
		} `thrift:"a,1,optional"`
	} `frugal:"9,default,Inner"`
}

type (
	named []byte
	tiny  int8
	short int16
	wide  int64
)

// odds are a struct with empty containers and one with something in each container.
var odds = []odd{{}, {
	Pairs:   []thrift.Pair[[]string, map[bool]float64]{{Key: []string{"a"}, Value: map[bool]float64{true: 1}}, {Key: []string{}, Value: map[bool]float64{}}},
	Values:  []part{{"a"}, {"b"}},
	Structs: map[part]part{{"c"}: {"d"}, {"e"}: {"f"}},
	Lists:   [][][]color{{}, {{}, {-1, 2}}},
	IDs:     map[[16]byte]map[color][]int64{{1}: {2: {3}, 4: {}}},
	Texts:   map[int32]map[int64]string{1: {2: "x"}},
	Named:   map[string]named{"k": named("v")},
	Small:   []map[tiny]short{{-1: 300}, {}},
	Wide:    []wide{1 << 40},
	Doubles: map[wide]map[float64]bool{1: {2.5: true}},
	Blobs:   []named{named("w"), {}},
}}

// protocol says how structs are read and written.
type protocol struct {
	write func(any) ([]byte, error)
	read  func(thrift.Options, []byte, any) error
}

var protocols = map[string]protocol{
	"Binary": {codec.Marshal, codec.UnmarshalWith},
	"Compact": {codec.Compact{}.Marshal, func(options thrift.Options, b []byte, v any) error {
		return codec.Compact{Options: options}.Unmarshal(b, v)
	}},
}

func TestContainersOfEveryKind(t *testing.T) {
	for name, p := range protocols {
		for _, o := range odds {
			var read odd
			written, err := p.write(&o)
			if err == nil {
				err = p.read(thrift.Options{}, written, &read)
			}
			if err != nil || !thrift.DeepEqual(o, read) {
				t.Fatalf("%s: %v: %+v became %+v", name, err, o, read)
			}
			for end := range len(written) {
				if err := p.read(thrift.Options{}, written[:end:end], new(odd)); !errors.Is(err, thrift.Truncated) {
					t.Fatalf("%s: %d of %d bytes: %v", name, end, len(written), err)
				}
			}
		}
	}
}

// numbers are containers without texts.
type numbers struct {
	Lists   [][]color                    `thrift:"lists,1,default,list<list<i32>>"`
	Pairs   []thrift.Pair[[]int64, bool] `thrift:"pairs,2"`
	Maps    map[int8]map[int64]float64   `thrift:"maps,3"`
	Values  []defaulted                  `thrift:"values,4"`
	Structs []*numbers                   `thrift:"structs,5"`
	Keys    map[[16]byte]*numbers        `thrift:"keys,6"`
	Number  *color                       `thrift:"number,7,optional,i32"`
	Next    *numbers                     `thrift:"next,8,optional"`
}

func TestLimitsOfTheCallerAreKept(t *testing.T) {
	one := color(1)
	full := numbers{
		Lists: [][]color{{1, 2}, {3}}, Pairs: []thrift.Pair[[]int64, bool]{{Key: []int64{1}, Value: true}},
		Maps: map[int8]map[int64]float64{1: {2: 3}}, Values: []defaulted{{A: 1}, {G: 7}}, Structs: []*numbers{{}, {}},
		Keys: map[[16]byte]*numbers{{}: {}}, Number: &one, Next: &numbers{Next: &numbers{}},
	}
	for name, p := range protocols {
		written, err := p.write(&full)
		if err != nil {
			t.Fatal(err)
		}
		// The limit grows until the message can be read.
		slack := 0
		for ; ; slack += 8 {
			limits := thrift.Limits{Slack: slack, Depth: 3}
			err := p.read(thrift.Options{Limits: limits}, written, new(numbers))
			if err == nil {
				break
			}
			if !errors.Is(err, thrift.TooLarge) {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if slack < 500 || slack > 10_000 {
			t.Fatalf("%s: %d bytes were enough", name, slack)
		}
		shallow := thrift.Limits{Slack: 1 << 20, Depth: 2}
		if err := p.read(thrift.Options{Limits: shallow}, written, new(numbers)); !errors.Is(err, thrift.TooDeep) {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

// mixed has tags of both sorts, with spaces in them.
type mixed struct {
	First  string `frugal:"1,required,string"`
	Second string `thrift:"second, 2, required"`
}

func TestErrorsNameFieldsByWhateverTagTheyHave(t *testing.T) {
	for message, want := range map[string]string{
		"\x00":                             "required field is not set: First (at byte 0)",
		"\x0b\x00\x01\x00\x00\x00\x00\x00": "required field is not set: second (at byte 7)",
		"\x0b\x00\x01\xff\xff\xff\xff":     "*codec_test.mixed read field 1 'First' error: negative length (at byte 3)",
		"\x0b\x00\x02\xff\xff\xff\xff":     "*codec_test.mixed read field 2 'second' error: negative length (at byte 3)",
	} {
		if err := codec.Unmarshal([]byte(message), new(mixed)); err == nil || err.Error() != want {
			t.Errorf("%v, not %s", err, want)
		}
	}
}

type keyed struct {
	Pairs []thrift.Pair[*ofKey, *ofValue] `thrift:"pairs,1"`
	Map   map[ofKey]ofValue               `thrift:"map,2"`
	Texts map[string]*ofValue             `thrift:"texts,3"`
}

type ofKey struct {
	A string `thrift:"a,1,required"`
}

type ofValue struct {
	B string `thrift:"b,1,required"`
}

func TestErrorsTellKeysFromValues(t *testing.T) {
	const pairs, keys, texts = "\x0d\x00\x01\x0c\x0c\x00\x00\x00\x01", "\x0d\x00\x02\x0c\x0c\x00\x00\x00\x01", "\x0d\x00\x03\x0b\x0c\x00\x00\x00\x01"
	const whole, wrong = "\x0b\x00\x01\x00\x00\x00\x00\x00", "\x0b\x00\x01\xff\xff\xff\xff\x00\x00\x00"
	for message, want := range map[string]string{
		pairs + wrong:              "1 'pairs' error: key of element 0 error: *codec_test.ofKey read field 1 'a' error: negative length (at byte 12)",
		pairs + whole + wrong:      "1 'pairs' error: element 0 error: *codec_test.ofValue read field 1 'b' error: negative length (at byte 20)",
		pairs + "\x00\x00\x00":     "1 'pairs' error: key of element 0 error: required field is not set: a (at byte 9)",
		keys + wrong:               "2 'map' error: key of element 0 error: codec_test.ofKey read field 1 'a' error: negative length (at byte 12)",
		keys + whole + wrong:       "2 'map' error: element 0 error: codec_test.ofValue read field 1 'b' error: negative length (at byte 20)",
		texts + "\xff\xff\xff\xff": "3 'texts' error: key of element 0 error: negative length (at byte 9)",
	} {
		err := codec.Unmarshal([]byte(message+"\x00\x00"), new(keyed))
		if err == nil || err.Error() != "*codec_test.keyed read field "+want {
			t.Errorf("%v\nnot %s", err, want)
		}
	}
	err := codec.Compact{}.Unmarshal([]byte("\x1b\x01\xcc\x18\xff\xff\xff\xff\x0f"), new(keyed))
	const want = "*codec_test.keyed read field 1 'pairs' error: key of element 0 error: *codec_test.ofKey read field 1 'a' error: negative length (at byte 4)"
	if err == nil || err.Error() != want {
		t.Errorf("%v\nnot %s", err, want)
	}
}
