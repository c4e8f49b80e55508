package codec_test

import (
	"errors"
	"strings"
	"testing"

	"hone/go/codec"
	"hone/go/thrift"
)

type level int64

func (l level) String() string { return "level" }

type octet byte

type linkless struct{}

type linked struct {
	Next *linked  `thrift:"next,1"`
	Bad  chan int `thrift:"bad,2"`
}

func TestTypesThatCannotBeAreRefusedWithTheFieldAndTheMend(t *testing.T) {
	for _, test := range []struct {
		of    any
		words []string
	}{
		{nil, []string{"pointer to a struct"}},
		{7, []string{"int", "pointer to a struct"}},
		{[]string{}, []string{"[]string", "pointer to a struct"}},
		{new(linked), []string{"linked.Bad", "chan int", "use the type"}},
		{struct {
			A linked `thrift:"a,1"`
		}{}, []string{"linked.Bad"}},
		{struct {
			A int `thrift:"a,1"`
		}{}, []string{".A: ", "no type for int", "int64"}},
		{struct {
			A uint32 `thrift:"a,1"`
		}{}, []string{".A: ", "uint32"}},
		{struct {
			A []octet `thrift:"a,1,default,binary"`
		}{}, []string{".A: ", "octet", "[]byte"}},
		{struct {
			A [16]octet `thrift:"a,1,default,uuid"`
		}{}, []string{".A: ", "octet", "[16]byte"}},
		{struct {
			A float32 `thrift:"a,1"`
		}{}, []string{".A: ", "float64"}},
		{struct {
			A any `thrift:"a,1"`
		}{}, []string{".A: ", "interface"}},
		{struct {
			a int64 `thrift:"a,1"`
		}{}, []string{".a: ", "capital"}},
		{struct {
			A int64 `thrift:"a"`
		}{}, []string{".A: ", "no id"}},
		{struct {
			A int64 `thrift:"a,x"`
		}{}, []string{".A: ", `"x" is no id`}},
		{struct {
			A int64 `thrift:"a,32768"`
		}{}, []string{".A: ", `"32768" is no id`}},
		{struct {
			A int64 `thrift:"a,1,must"`
		}{}, []string{".A: ", `"must"`, "required"}},
		{struct {
			A, B int64 `thrift:"a,1"`
		}{}, []string{".B: ", "two fields have the id 1"}},
		{struct {
			A, B int64 `thrift:"a,-1"`
		}{}, []string{".B: ", "two fields have the id -1"}},
		{struct {
			A *int64 `thrift:"a,1"`
		}{}, []string{".A: ", "optional"}},
		{struct {
			A **int64 `thrift:"a,1,optional"`
		}{}, []string{".A: ", "*int64"}},
		{struct {
			A *[]int64 `thrift:"a,1,optional"`
		}{}, []string{".A: ", "use []int64"}},
		{struct {
			A []*int64 `thrift:"a,1"`
		}{}, []string{".A: ", "use int64"}},
		{struct {
			A level `thrift:"a,1"`
		}{}, []string{".A: ", "enum or a number", "i32"}},
		{struct {
			A []level `thrift:"a,1,default,list"`
		}{}, []string{".A: ", "enum or a number"}},
		{struct {
			A int64 `thrift:"a,1,default,string"`
		}{}, []string{".A: ", "the tag says string", "int64"}},
		{struct {
			A []int64 `thrift:"a,1,default,map<i64:i64>"`
		}{}, []string{".A: ", "the tag says map"}},
		{struct {
			A []int64 `thrift:"a,1,default,list<i8>"`
		}{}, []string{".A: ", "the tag says i8"}},
		{struct {
			A []int64 `thrift:"a,1,default,list<i64"`
		}{}, []string{".A: ", "is no type"}},
		{struct {
			A []int64 `thrift:"a,1,default,list<>"`
		}{}, []string{".A: ", "is no type"}},
		{struct {
			A []int64 `frugal:"1,default,list<i64>>"`
		}{}, []string{".A: ", "is no type"}},
		{struct {
			A map[int]string `thrift:"a,1"`
		}{}, []string{".A: ", "int"}},
		{struct {
			A map[string]uint `thrift:"a,1"`
		}{}, []string{".A: ", "uint"}},
		{struct {
			A map[string]bool `thrift:"a,1,default,list<string>"`
		}{}, []string{".A: ", "say map"}},
		{struct {
			A []thrift.Pair[string, uint] `thrift:"a,1"`
		}{}, []string{".A: ", "uint"}},
		{struct {
			A *linked `thrift:"a,1,default,i32"`
		}{}, []string{".A: ", "the tag says i32"}},
		{struct {
			A linkless `thrift:"a,1,default,i32"`
		}{}, []string{".A: ", "the tag says i32"}},
		{struct {
			A []byte `thrift:"a,1,default,list<i8>"`
		}{}, []string{".A: ", "say binary"}},
	} {
		var fault *codec.TypeError
		for range 2 {
			_, err := codec.Marshal(test.of)
			_, sizeErr := codec.Size(test.of)
			to, appendErr := codec.Append([]byte("as it was"), test.of)
			also, compactErr := codec.Compact{}.Append([]byte("as it was"), test.of)
			if string(to) != "as it was" || string(also) != "as it was" {
				t.Errorf("%T: something was written", test.of)
			}
			if !errors.As(sizeErr, &fault) || !errors.As(appendErr, &fault) || !errors.As(compactErr, &fault) {
				t.Errorf("%T: %v, %v, %v", test.of, sizeErr, appendErr, compactErr)
			}
			if !errors.As(err, &fault) || !errors.As(codec.Check(test.of), &fault) {
				t.Fatalf("%T: %v", test.of, err)
			}
			for _, word := range test.words {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("%v: nothing of %q", err, word)
				}
			}
		}
	}
}

func TestAMessageNeedsAPlace(t *testing.T) {
	var fault *codec.TypeError
	for _, into := range []any{nil, every{}, (*every)(nil), new(int)} {
		if err := codec.Unmarshal([]byte{0}, into); !errors.As(err, &fault) {
			t.Errorf("%T: %v", into, err)
		}
		if err := (codec.Compact{}).Unmarshal([]byte{0}, into); !errors.As(err, &fault) {
			t.Errorf("%T: %v", into, err)
		}
	}
}

func TestAStructCanHave64RequiredFieldsAndNoMore(t *testing.T) {
	if err := codec.Check(manyRequired(64)); err != nil {
		t.Fatal(err)
	}
	most := manyRequired(64)
	if err := codec.Unmarshal([]byte{0}, most); err == nil || !errors.Is(err, thrift.Missing) {
		t.Fatal(err)
	}
	written := marshal(t, most)
	if err := codec.Unmarshal(written, most); err != nil {
		t.Fatal(err)
	}
	var fault *codec.TypeError
	if err := codec.Check(manyRequired(65)); !errors.As(err, &fault) || !strings.Contains(err.Error(), "64 required") {
		t.Fatal(err)
	}
}
