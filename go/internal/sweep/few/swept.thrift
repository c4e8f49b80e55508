// Some of what package sweep has: with two elements instead of all.
include "base.thrift"
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
// Has strings in every shape of container.
struct OfString {
  1: string f0,
  2: required string f1,
  3: optional string f2,
  4: list<string> f3,
  5: required set<string> f4,
  6: optional map<string, i32> f5,
  7: map<string, string> f6,
  8: map<string, string> f7,
  9: optional list<map<string, set<string>>> f8,
  10: required map<list<string>, string> f9,
  11: map<map<string, string>, list<string>> f10,
  12: list<list<string>> f11,
}
// Has structs in every shape of container, of maps as keys too.
struct OfPoint {
  1: Point f0,
  2: required Point f1,
  3: optional Point f2,
  4: list<Point> f3,
  5: required set<Point> f4,
  6: optional map<Point, i32> f5,
  7: map<string, Point> f6,
  8: map<Point, Point> f7,
  9: optional list<map<Point, set<Point>>> f8,
  10: required map<list<Point>, Point> f9,
  11: map<map<Point, Point>, list<Point>> f10,
  12: list<list<Point>> f11,
}
