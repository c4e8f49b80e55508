// Package sweep has definitions with every kind of element in every shape of container, and checks of the code that is generated from them: tests of
// package gen use it alone, and tests of other modules in this repository with the methods that other libraries call.
package sweep

import (
	"fmt"
	"strings"
)

// base is the file that the swept file includes, so that each kind of definition is also used from another package.
const base = `namespace go base
enum Colour { RED = 1, BLUE = -2 }
struct Plain { 1: i32 a, 2: optional string b }
struct Defaults { 1: i32 a = 5, 2: list<string> b = ["x"], 3: optional Colour c = Colour.BLUE }
typedef list<Plain> Plains
`

// head is the part of the swept file without the structs of containers.
const head = `include "base.thrift"
namespace go swept
enum Own { A, B = 7 }
struct Nothing {}
struct Point { 1: i32 x = 1, 2: optional i32 y }
struct Sparse { 3: required string c, 1: optional double a, 2: bool b }
union Choice { 1: string text, 2: list<Point> points, 3: map<Point, Point> by, 4: i32 number = 3 }
exception Failed { 1: required i32 code = 3, 2: list<Point> points }
struct Recursive {
  1: list<Recursive> l, 2: set<Recursive> s, 3: map<string, Recursive> m, 4: map<Recursive, Recursive> k, 5: optional Recursive r,
  6: map<list<Recursive>, Recursive> p,
}
typedef binary Bytes
typedef Point Spot
typedef base.Colour Paint
typedef map<Point, list<Own>> Deep
const map<Point, Point> BY = {{"x": 2}: {"y": 3}}
const map<list<Point>, set<Point>> PAIRS = {[{"x": 2}]: [{}]}
const list<map<string, Spot>> LISTS = [{"a": {"x": 3}}]
struct Given {
  1: list<Point> l = [{"x": 4}], 2: map<Point, Point> m = BY, 3: optional set<Point> s = [{"y": 1}], 4: Point p = {"y": 6},
  5: optional map<list<Point>, set<Point>> n = PAIRS, 6: required map<Paint, base.Plain> q = {base.Colour.RED: {"a": 1}},
}
`

// elements are the kinds of elements, in the words of the definitions.
var elements = strings.Fields(`bool i8 i32 i64 double string binary uuid Own Point Choice Failed Recursive Bytes Spot Deep base.Colour base.Defaults
	base.Plains`)

// shapes are the fields for each kind of element, which replaces $.
var shapes = []string{
	"$", "required $", "optional $", "list<$>", "required set<$>", "optional map<$, i32>", "map<string, $>", "map<$, $>",
	"optional list<map<$, set<$>>>", "required map<list<$>, $>", "map<map<$, $>, list<$>>", "list<list<$>>",
}

// Definitions returns the sources by their names, of which swept.thrift is the root, and the names of the structs to check. UUIDs can be left out,
// since old modules of Apache lack them.
func Definitions(withUUID bool) (sources map[string]string, structs []string) {
	var text, service strings.Builder
	text.WriteString(head)
	structs = []string{"Nothing", "Point", "Sparse", "Choice", "Failed", "Recursive", "Given"}
	for n, element := range elements {
		if element == "uuid" && !withUUID {
			continue
		}
		name := fmt.Sprintf("Of%d", n)
		structs = append(structs, name)
		fmt.Fprintf(&text, "// Has %s.\nstruct %s {\n", element, name)
		for i, shape := range shapes {
			fmt.Fprintf(&text, "  %d: %s f%d,\n", i+1, strings.ReplaceAll(shape, "$", element), i)
		}
		text.WriteString("}\n")
		fmt.Fprintf(&service, "  map<%[1]s, list<%[1]s>> call%[2]d(1: set<%[1]s> a, 2: %[1]s b) throws (1: Failed failed),\n  %[1]s give%[2]d(),\n",
			element, n)
	}
	fmt.Fprintf(&text, "service Sweep {\n%s}\n", service.String())
	return map[string]string{"swept.thrift": text.String(), "base.thrift": base}, structs
}
