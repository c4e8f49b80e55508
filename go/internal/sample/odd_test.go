package sample_test

import (
	"errors"
	"math"
	"math/rand"
	"strconv"
	"strings"
	"testing"

	"hone/go/internal/sample/odd/forms"
	"hone/go/internal/sample/odd/keys"
	"hone/go/internal/sample/odd/many"
	"hone/go/internal/sample/odd/named"
	"hone/go/thrift"
)

// fields returns count encoded i32 fields of a struct, each with 7 bytes.
func fields(count int) [][]byte {
	var all [][]byte
	for i := 1; i <= count; i++ {
		all = append(all, []byte{8, 0, byte(i), 0, 0, 0, byte(i)})
	}
	return all
}

func join(fields [][]byte, without int) []byte {
	var b []byte
	for i, field := range fields {
		if i != without {
			b = append(b, field...)
		}
	}
	return append(b, 0)
}

// The module that package gen makes of all of testdata/odd also has structs with exactly one and two words of required fields.
func TestManyRequiredFields(t *testing.T) {
	manyRequiredFields(t, 70, func() thrift.Reader { return new(many.Many) })
}

// manyRequiredFields reads structs with count fields, all of which are required.
func manyRequiredFields(t *testing.T, count int, into func() thrift.Reader) {
	t.Helper()
	straight := fields(count)
	mixed := append([][]byte{{12, 1, 0, 0}, {11, 0, 1, 0, 0, 0, 1, 'x'}}, fields(count)...)
	random := rand.New(rand.NewSource(1))
	random.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	for _, some := range [][][]byte{straight, mixed} {
		if err := thrift.Unmarshal(join(some, -1), into()); err != nil {
			t.Fatal(count, err)
		}
		for i := range some {
			if len(some[i]) != 7 {
				continue
			}
			err := thrift.Unmarshal(join(some, i), into())
			name := "field_" + strconv.Itoa(int(some[i][2]))
			if !errors.Is(err, thrift.Missing) || !strings.Contains(err.Error(), "not set: "+name+" (") {
				t.Fatalf("%d fields without %s: %v", count, name, err)
			}
		}
	}
	// A struct stands within another of the same type: the inner fields are in order, and the outer ones are not.
	inner := join(straight, -1)
	outer := append([]byte{12, 0, byte(count + 1)}, inner...)
	if err := thrift.Unmarshal(append(outer, join(straight, -1)...), into()); err != nil {
		t.Fatal(count, err)
	}
	if err := thrift.Unmarshal(append(outer, join(straight, 2)...), into()); !errors.Is(err, thrift.Missing) {
		t.Fatal("the inner one's fields were taken for the outer one's:", err)
	}
}

func TestKeysOfAllKinds(t *testing.T) {
	k := keys.NewK()
	k.B = &[16]byte{1}
	k.D = map[[16]byte]keys.E{{2}: 0}
	k.E = []thrift.Pair[[]int32, *keys.K]{{Key: []int32{1}, Value: keys.NewK()}}
	k.F = map[string][]byte{"a\xff": []byte("b")}
	key := keys.NewK()
	key.A = [16]byte{3}
	k.G = map[*keys.K]*keys.K{key: keys.NewK()}
	k.I, k.J = []keys.E{0}, [][]byte{[]byte("c")}
	k.K = []thrift.Pair[[]string, map[string]int8]{{Key: []string{"d"}, Value: map[string]int8{"e": 1}}}
	read := keys.NewK()
	if err := thrift.Unmarshal(thrift.Marshal(k), read); err != nil {
		t.Fatal(err)
	}
	if !read.DeepEqual(k) || !k.DeepCopy().DeepEqual(read) {
		t.Fatalf("%v became %v", k, read)
	}
	read.F["a\xff"][0]++
	if read.DeepEqual(k) {
		t.Fatal("different ones are equal")
	}
}

func TestGettersGiveDefaultsOfWhatIsNotSet(t *testing.T) {
	k := new(keys.K)
	if l, m := k.GetL(), k.GetM(); len(l) != 1 || l[0] != "x" || string(m) != "y" {
		t.Fatal(l, m)
	}
	if k.IsSetL() || k.IsSetM() {
		t.Fatal("they are set")
	}
	if k.L = []string{}; len(k.GetL()) != 0 || !k.IsSetL() {
		t.Fatal(k.GetL())
	}
}

func TestNamedValuesAreThoseThatTheyName(t *testing.T) {
	if named.THREE != 3 || !named.YES || named.NewWords().String_ != 3 {
		t.Error("values of enums as numbers:", named.THREE, named.YES, named.NewWords())
	}
	if p := named.POINT; p.X != 1 || p.Y != 7 {
		t.Error("a field by a constant:", p)
	}
	if named.BYBYTES["b"] != 1 || named.BYNUMBER[3] != 1 {
		t.Error("keys:", named.BYBYTES, named.BYNUMBER)
	}
}

func TestConstantsOfUnusualForms(t *testing.T) {
	if len(forms.K) != 3 || len(forms.L) != 1 || len(forms.Z) != 1 {
		t.Error("elements that are there twice:", forms.K, forms.L)
	}
	if forms.M["a"] != 3 || forms.N[1] != 2 || forms.N[0] != 4 || len(forms.O) != 1 || forms.O[10] != 3 || forms.Q["a"] != 2 ||
		len(forms.P) != 2 || forms.P[true] != 2 || forms.S.X != 2 || forms.TT[10] != 2 || forms.TT[7] != 4 {
		t.Error("keys that are there twice:", forms.M, forms.N, forms.O, forms.P, forms.Q, forms.S, forms.TT)
	}
	if len(forms.R) != 2 || len(forms.R[0].Key) != 1 || len(forms.R[0].Value) != 1 {
		t.Error("sets as keys:", forms.R)
	}
	for i, got := range []forms.Paint{forms.A, forms.B, forms.C, forms.D, forms.E} {
		if want := []forms.Paint{-2, 16, 16, -1, -2}[i]; got != want {
			t.Errorf("value %d: %d", i, got)
		}
	}
	if forms.F != 11 || forms.G != 99 || forms.H != 16 || forms.I != 16 || len(forms.J) != 2 {
		t.Error("values of enums as numbers:", forms.F, forms.G, forms.H, forms.I, forms.J)
	}
	if forms.NUMBERED != "éA😀" || forms.LONG != "two\nlines" || forms.OTHER != `it's "this"` {
		t.Errorf("texts: %q %q %q", forms.NUMBERED, forms.LONG, forms.OTHER)
	}
	if p := forms.W[0]["z"][1]; p.Y != 127 || forms.U["a"][1].Y != 2 || forms.V[1][1][1] != "c" {
		t.Error("containers:", forms.U, forms.V, forms.W)
	}
	some := forms.SOME
	if *some.E != 3 || some.S != forms.Y || some.C != -1 || some.Q.Y != 9 || some.GetH() != 16 || len(some.P) != 1 {
		t.Error("a struct:", some)
	}
	if !math.Signbit(forms.NEGATIVE) || !math.Signbit(forms.ALSONEGATIVE) || !math.Signbit(some.X) || !math.Signbit(some.Y) {
		t.Error("negative zeroes:", forms.NEGATIVE, forms.ALSONEGATIVE, some.X, some.Y)
	}
	read := forms.NewEverything()
	if err := thrift.Unmarshal(thrift.Marshal(some), read); err != nil || !read.DeepEqual(some) {
		t.Errorf("%v: %v became %v", err, some, read)
	}
}
