package raw

import (
	"reflect"
	"testing"
)

type number int64

type place struct {
	Before bool
	Number number
	Name   *string
	List   []*place
	Values []number
	hidden []byte
}

// field refers to a field by the field's name.
func field(t *testing.T, in Ref, name string) Ref {
	t.Helper()
	f, ok := reflect.TypeFor[place]().FieldByName(name)
	if !ok {
		t.Fatal(name)
	}
	return in.Field(f.Offset, f.Index[0])
}

func TestWhatIsSetByReferenceStandsInTheStruct(t *testing.T) {
	p := place{hidden: []byte("kept")}
	r := Of(reflect.ValueOf(&p))
	*At[int64](field(t, r, "Number")) = 7
	name := New(reflect.TypeFor[string]())
	*At[string](name) = "a"
	field(t, r, "Name").Point(name)
	if p.Number != 7 || p.Name == nil || *p.Name != "a" || p.Before {
		t.Fatalf("%+v", p)
	}
	if got := *At[string](field(t, r, "Name").Elem()); got != "a" {
		t.Fatalf("%q", got)
	}
	if got := string(field(t, r, "hidden").Bytes()); got != "kept" {
		t.Fatalf("%q", got)
	}
	if value := field(t, r, "Number").Value(reflect.TypeFor[number]()); value.Int() != 7 || !value.CanSet() {
		t.Fatal(value)
	}
}

func TestNothingIsNil(t *testing.T) {
	var none *place
	if !Of(reflect.ValueOf(none)).IsNil() || !(Ref{}).IsNil() || !field(t, New(reflect.TypeFor[place]()), "Name").Elem().IsNil() {
		t.Fatal("something was found where nothing is")
	}
	if Of(reflect.ValueOf(&place{})).IsNil() {
		t.Fatal("nothing was found where something is")
	}
}

func TestSlicesAndBlocksHoldTheirElementsApart(t *testing.T) {
	const n = 5
	p := new(place)
	list, values := field(t, Of(reflect.ValueOf(p)), "List"), field(t, Of(reflect.ValueOf(p)), "Values")
	pointers, numbers := SlicesOf(reflect.TypeFor[[]*place]()), SlicesOf(reflect.TypeFor[[]number]())
	if !list.HoldsNil() || !values.HoldsNil() || !field(t, Of(reflect.ValueOf(p)), "Name").HoldsNil() {
		t.Fatal("something is there before it was made")
	}
	pointers.Make(list, n)
	numbers.Make(values, n)
	block := NewBlock(reflect.TypeFor[[]place](), n)
	for i := range n {
		if block.Left() != n-i {
			t.Fatalf("%d left", block.Left())
		}
		one := block.Next()
		*At[int64](field(t, one, "Number")) = int64(i)
		pointers.Element(list, i).Point(one)
		*At[int64](numbers.Element(values, i)) = int64(-i)
	}
	if pointers.Len(list) != n || len(p.List) != n || len(p.Values) != n {
		t.Fatalf("%+v", p)
	}
	for i := range n {
		if p.List[i].Number != number(i) || p.Values[i] != number(-i) {
			t.Fatalf("element %d is %+v and %d", i, p.List[i], p.Values[i])
		}
	}
	pointers.Make(list, 0)
	if p.List == nil || len(p.List) != 0 || list.HoldsNil() {
		t.Fatal("an empty slice is not there")
	}
	if none := new(Block); none.Left() != 0 {
		t.Fatal("a block of nothing has something")
	}
}
