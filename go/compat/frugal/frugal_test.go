package frugal

import (
	"bytes"
	"math/rand"
	"reflect"
	"testing"
	"testing/quick"

	peer "github.com/cloudwego/frugal"

	"hone/go/codec"
)

// Color is an enum in thriftgo's form.
type Color int64

func (c Color) String() string { return "a color" }

// Leaf and Tree are structs made for Frugal, which writes fields in the order of their ids.
type Leaf struct {
	Name  string `frugal:"1,default,string"`
	Color Color  `frugal:"2,default,Color"`
}

type Tree struct {
	Flag    bool               `frugal:"1,default,bool"`
	Byte    int8               `frugal:"2,default,i8"`
	Short   int16              `frugal:"3,default,i16"`
	Int     int32              `frugal:"4,default,i32"`
	Long    int64              `frugal:"5,default,i64"`
	Double  float64            `frugal:"6,default,double"`
	Text    string             `frugal:"7,required,string"`
	Bytes   []byte             `frugal:"8,default,binary"`
	Color   Color              `frugal:"9,default,Color"`
	Colors  []Color            `frugal:"10,default,list<Color>"`
	Words   []string           `frugal:"11,default,set<string>"`
	Lists   [][]int64          `frugal:"12,default,list<list<i64>>"`
	Counts  map[string]int32   `frugal:"13,default,map<string:i32>"`
	Leaves  []*Leaf            `frugal:"14,default,list<Leaf>"`
	ByColor map[Color]*Leaf    `frugal:"15,default,map<Color:Leaf>"`
	Number  *int64             `frugal:"16,optional,i64"`
	Note    *string            `frugal:"17,optional,string"`
	Colour  *Color             `frugal:"18,optional,Color"`
	Maps    []map[int64][]int8 `frugal:"19,default,list<map<i64:list<i8>>>"`
	Empty   []int32            `frugal:"20,optional,list<i32>"`
	Leaf    *Leaf              `frugal:"300,optional,Leaf"`
}

// narrow keeps enums to the 32 bits that they have on the wire.
func narrow(v reflect.Value) {
	switch v.Kind() {
	case reflect.Int64:
		if v.Type() == reflect.TypeFor[Color]() {
			v.SetInt(int64(int32(v.Int())))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			narrow(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			narrow(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			narrow(v.Field(i))
		}
	}
}

// atMostOne leaves one entry in each map, since several have no order, and sets pointers in containers to non-nil values.
func (t *Tree) atMostOne() {
	for key := range t.Counts {
		t.Counts = map[string]int32{key: t.Counts[key]}
		break
	}
	t.ByColor = map[Color]*Leaf{Color(t.Int): {Name: t.Text}}
	for i := range t.Leaves {
		if t.Leaves[i] == nil {
			t.Leaves[i] = new(Leaf)
		}
	}
	for i := range t.Maps {
		t.Maps[i] = map[int64][]int8{t.Long: {t.Byte}}
	}
}

func TestStructsMadeForFrugalAreTheSameHere(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for range 200 {
		value, ok := quick.Value(reflect.TypeFor[*Tree](), random)
		if !ok {
			t.Fatal("no random value")
		}
		tree := value.Interface().(*Tree)
		if tree == nil {
			continue
		}
		tree.atMostOne()
		narrow(value)
		theirs := make([]byte, peer.EncodedSize(tree))
		n, err := peer.EncodeObject(theirs, nil, tree)
		if err != nil {
			t.Fatal(err)
		}
		ours, err := codec.Marshal(tree)
		if err != nil || !bytes.Equal(ours, theirs[:n]) {
			t.Fatalf("%v:\n%.300x\n%.300x", err, ours, theirs[:n])
		}
		var here, there Tree
		if err := codec.Unmarshal(ours, &here); err != nil {
			t.Fatal(err)
		}
		if _, err := peer.DecodeObject(ours, &there); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(here, there) {
			t.Fatalf("%+v\n%+v", here, there)
		}
	}
}
