#!/usr/bin/env thrift
/***/ /** Forms that Apache's compiler or thriftgo takes, and few files have. **/
include "forms_base.thrift"
cpp_include "<map>"
cpp_include 'forms.h'
namespace go odd.forms
namespace cpp odd.forms (why = "none")
namespace c_glib Forms
namespace py.twisted odd_forms
namespace smalltalk.category Odd.Forms
namespace * forms

typedef forms_base.Shade Paint (a = "b", c);
typedef i32 (unit = "m") Metres (kind = "length"),
typedef Metres Height
typedef list<i32 (x = "y")> (z) Heights
typedef set cpp_type "std::set" <string> Words
typedef map cpp_type "std::map" <Height, list<Words>> Table
typedef list<double> cpp_type "std::vector" Doubles
typedef uuid Ident

senum Names { "one", 'two'; } (old)
const map<Names, slist> NAMES = {"one": "a", "three": "b"}
const list<Names> SOME_NAMES = ["two"]

enum Empty {}
enum Numbers { ZERO, TEN = 10; ELEVEN, SIXTEEN = 0x10 (label = 'sixteen'), MINUS = -1, AGAIN = 10 } (all)

// Values of enums by typedefs, by includes, by other names and by numbers.
const Paint A = Paint.DARK
const forms_base.Tint B = forms_base.Tint.LIGHT
const Paint C = forms_base.LIGHT
const Paint D = Numbers.MIDDLE
const Paint E = forms_base.DEFAULT
const Numbers F = 11
const Numbers G = 99
const i64 H = Numbers.SIXTEEN
const i32 I = Paint.LIGHT
const map<Paint, list<Numbers>> J = {Paint.LIGHT: [Numbers.TEN, 0], forms_base.Shade.DARK: []}

// What is there twice.
const set<i32> K = [1, 2, 1, 2, 3,]
const set<string> L = ["a", 'a']
const map<string, i32> M = {"a": 1, "b": 2, "a": 3}
const map<double, i32> N = {1: 1, 1.0: 2, -0.0: 3; 0: 4}
const map<Numbers, i32> O = {Numbers.TEN: 1, Numbers.AGAIN: 2, 10: 3}
const map<bool, i32> P = {true: 1, 1: 2, false: 3}
const map<binary, i32> Q = {"a": 1, 'a': 2}
const map<set<Numbers>, set<bool>> R = {[10, Numbers.TEN]: [true, 1], []: {}}
const forms_base.Point S = {"x": 1, "x": 2}
const map<i64, i32> TT = {Numbers.TEN: 1, 10: 2, forms_base.LIMIT: 3, 7: 4}

// Constants of typedefs of containers of structs, in each other.
const forms_base.Shapes U = {"a": [{"x": 1}, {}], 'b': []}
const Table V = {1: [["a"], ['b', "c"]], 2: []}
const list<map<string, forms_base.Points>> W = [{"z": [S, {"y": S_Y}]}]
const i32 S_Y = 0x7f
const Doubles X = [1, 2.5, -1e3, .5, +1.25E-2, forms_base.LIMIT]
const double NEGATIVE = -0.0
const double ALSO_NEGATIVE = NEGATIVE
const Ident Y = "{00112233-4455-6677-8899-AABBCCDDEEFF}"
const set<uuid> Z = ["00112233-4455-6677-8899-aabbccddeeff"]

const string TEXT = "tab\t line\n return\r quotes \" \' backslash \\ 100%d `x` é 日本 😀" (a = "b")
const string OTHER = 'it\'s "this"'
const string NUMBERED = "\u00e9\x41\U0001f600"
const string LONG = "two
lines"
const byte SMALL = -0x80
const i64 WIDE = -9223372036854775808;
const bool YES = 1

struct None {}
struct Nothing_ {} (a = "b")

struct Everything xsd_all {
  1: bool a = 1,
  2: byte b = 0x7f; 3: i8 c = -1
  i16 unnumbered = 3
  string also
  4: required double d = -1
  5: optional Height e (x = "y") ; 6: Heights f = [1, 2;]
  7: Paint (at = "use") g = Paint.MIDDLE, // annotated
  8: optional Paint h = Paint.DARK,
  9: Everything & i;
  10: optional Everything &j
  11: list<Everything> k = []
  12: map<Words, map<Numbers, Ident>> l = {["a"]: {0: Y}}
  13: optional binary m = "\\\"'" xsd_optional
  14: string n xsd_optional xsd_nillable xsd_attrs { 1: string lang, 2: i32 other = 5; } (why = 'xsd')
  15: Empty o,
  16: optional set<forms_base.Tint> p = [Paint.DARK, forms_base.Shade.DARK, -2]
  17: forms_base.Point q = {}
  18: Ident r = Y
  19: optional Ident s = "00112233-4455-6677-8899-aabbccddeeff"
  20: map<forms_base.Point, forms_base.Points> t = {{"x": 1}: [S], S: []}
  21: Numbers u = 0
  22: list<binary> v = ["a"], 23: map<binary, binary> w = {"a": "b"}
  24: double x = -0.0, 25: optional double y = NEGATIVE
  32767: i32 last (deprecated)
} (
  long = "one
    two",
  rust.ord
)

const Everything SOME = {"e": 3, "g": Paint.LIGHT, "h": 0x10, "j": {"d": 2}, "m": "x", "q": {"y": 9}, "u": 10}

union Choice { 1: i32 a = 5; 2: optional string b, 3: required Choice & c 4: list<Choice> d } (kind)
const Choice CHOSEN = {"b": "x"}

exception Failure { 1: i32 code = 7 (x), 2: Everything what } (message = "text")

service Bare {}
service Below extends forms_base.Above {
  // The same as above, by another name of the type.
  forms_base.Point near(1: Height a, 2: optional Paint t) throws (1: forms_base.Refused no),
  void named(1: i32 (unit = "m") a = 5 (b = "c"); Numbers unnumbered, 3: required Words w) throws (Failure f) (d = "e");
  oneway void tell(1: Choice choice = CHOSEN) async void old()
  Table (a = "b") table(1: set<forms_base.Points> points) throws ()
  list<list<map<i32, Failure>>> deep(),
} (a.b.c = "d", e)
