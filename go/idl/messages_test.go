package idl

import (
	"os"
	"strings"
	"testing"
)

// loadText loads sources by name; "main.thrift" is the root.
func loadText(t *testing.T, files map[string]string) (*Program, Problems) {
	t.Helper()
	read := func(path string) ([]byte, error) {
		if source, ok := files[path]; ok {
			return []byte(source), nil
		}
		return nil, os.ErrNotExist
	}
	return Load("main.thrift", read, []string{"lib"})
}

// faulty lists sources with the full text of the problems that they must have. apache is the verdict of Apache's compiler (0.17):
// "refuses", "accepts", or "hangs".
var faulty = []struct {
	name, source, apache string
	want                 []string
}{
	{"missing type", "struct A {\n  1: }\nstruct B {}\n", "refuses", []string{
		"main.thrift:2:6: error: expected a type, found '}'; " + typeMend}},
	{"missing name", "struct A {\n  1: i32\n  2: i32 b\n}\n", "refuses", []string{
		"main.thrift:3:3: error: expected the name of the field, found '2'; write a name: letters, digits and '_', not a digit first"}},
	{"several at once", "struct A {\n  1: i32 = 5,\n  2: map<i32> m,\n  3: i32 good,\n}\nenum E { A = x }\n", "refuses", []string{
		"main.thrift:2:10: error: expected the name of the field, found '='; write a name: letters, digits and '_', not a digit first",
		"main.thrift:3:13: error: expected ',', found '>'; a map has two types, as in map<string, i32>",
		"main.thrift:6:14: error: expected a whole number, found 'x'; number it as in 'A = 1'"}},
	{"body not closed", "struct A {\n  1: i32 a\nstruct B {}\n", "refuses", []string{
		"main.thrift:1:10: error: the body of struct A is not closed; add '}' before 'struct' in line 3"}},
	{"literal not closed", "const string A = \"abc\nconst i32 B = 1\n", "refuses", []string{
		"main.thrift:1:18: error: the literal is not closed; close it with \" on the same line, and write a new line as \\n"}},
	{"comment not closed", "struct A {} /* x", "hangs", []string{
		"main.thrift:1:13: error: the comment is not closed; close it with '*/'"}},
	{"unknown escape", `const string A = "\q"`, "refuses", []string{
		`main.thrift:1:18: error: the literal has the unknown escape \q; known are \r \n \t \" \' \\; write a backslash as \\`}},
	{"stray character in columns of characters", "struct Ä {}", "refuses", []string{
		"main.thrift:1:8: error: the character 'Ä' has no meaning here; remove it",
		"main.thrift:1:10: error: expected the name of the struct, found '{'; write a name: letters, digits and '_', not a digit first"}},
	{"legacy namespace", "php_namespace a\nstruct A {}\n", "refuses", []string{
		"main.thrift:1:1: error: 'php_namespace' is no longer supported; write 'namespace php ...'"}},
	{"senum", "senum A { \"a\", \"b\" } (c)\nstruct B { 1: A a = \"a\" }", "refuses", []string{
		"main.thrift:1:1: warning: 'senum', which newer compilers refuse, is taken for a typedef of string; use an enum, or a typedef of string"}},
	{"slist", "struct A { 1: slist a }", "refuses", []string{
		"main.thrift:1:15: warning: 'slist', which newer compilers refuse, is taken for string; write string"}},
	{"misspelled definition", "strukt A {}", "refuses", []string{
		"main.thrift:1:1: error: expected a definition, found 'strukt'; did you mean 'struct'?"}},
	{"header too late", "struct A {}\nnamespace go a\n", "refuses", []string{
		"main.thrift:2:1: error: 'namespace' after a definition; move it above the first definition"}},
	{"separator after a brace", "struct A {};", "refuses", []string{
		"main.thrift:1:12: error: ';' has no place after a definition's closing brace or a header line; remove it"}},
	{"reserved word", "struct A { 1: i32 class }", "refuses", []string{
		"main.thrift:1:19: warning: 'class' is a name that Apache's compiler refuses; choose another one, such as 'class_', where that reads this file too"}},
	{"keyword as the name of a member", "enum E { list }\nservice S { void map(1: string string) }", "refuses", []string{
		"main.thrift:1:10: warning: 'list' is a name that Apache's compiler refuses; choose another one, such as 'list_', where that reads this file too",
		"main.thrift:2:18: warning: 'map' is a name that Apache's compiler refuses; choose another one, such as 'map_', where that reads this file too",
		"main.thrift:2:32: warning: 'string' is a name that Apache's compiler refuses; choose another one, such as 'string_', where that reads this file too"}},
	{"name missing before a definition", "struct A {\n  1: i32\nstruct B {}\n", "refuses", []string{
		"main.thrift:1:10: error: the body of struct A is not closed; add '}' before 'struct' in line 3",
		"main.thrift:3:1: error: 'struct' is a word of the language and cannot be a name; choose another name"}},
	{"default that contains itself", "struct A { 1: A a = {} }", "refuses", []string{
		"main.thrift:1:21: error: the default of 'a' contains a struct with the same default; remove one of the values in the circle"}},
	{"constant that contains itself", "struct A { 1: optional A a }\nconst A C = {\"a\": C}", "refuses", []string{
		"main.thrift:2:13: error: the constant 'C' contains itself; remove one of the values in the circle"}},
	{"letter that no other is like", "struct A {}\nstruct B { 1: C c }", "refuses", []string{
		"main.thrift:2:15: error: the type 'C' is not defined; define it, or include the file that does"}},
	{"escapes", "const string A = \"\\d\\d\"\nstruct B { 1: i32 a (x = \"\\w\") }", "refuses", []string{
		`main.thrift:1:18: error: the literal has the unknown escape \d; known are \r \n \t \" \' \\; write a backslash as \\`,
		`main.thrift:2:26: warning: the literal has the unknown escape \w; known are \r \n \t \" \' \\; write a backslash as \\`}},
	{"streams", "struct A {}\nexception X {}\nservice S {\n  A a(1: A a) (streaming.mode = \"bidi\"),\n  A b(1: A a, 2: A b) (streaming.mode = \"client\"),\n" +
		"  A c(1: i32 a) (streaming.mode = \"server\"),\n  void d(1: A a) (streaming.mode = \"bidirectional\"),\n" +
		"  list<A> e(1: A a) throws (1: X x) (streaming.mode = \"server\"),\n  A f(1: A a, 2: A b) (streaming.mode = \"unary\"),\n" +
		"  oneway void g(1: A a) (streaming.mode = \"client\"),\n}", "accepts", []string{
		`main.thrift:4:16: error: the function a has the unknown streaming.mode 'bidi'; write "bidirectional", "client", "server" or "unary"`,
		"main.thrift:5:5: error: the stream b has 2 arguments, where one is each request; put all of them into one struct",
		"main.thrift:6:10: error: the stream c has requests of the type i32, which is no struct; put it into a struct",
		"main.thrift:7:8: error: the stream d has no type of responses; let it return a struct, which may be empty",
		"main.thrift:8:3: error: the stream e has responses of the type list<A>, which is no struct; put it into a struct",
		"main.thrift:8:29: warning: the stream e throws, but a stream tells exceptions by their text alone; tell errors in responses",
		"main.thrift:10:15: error: the stream g is oneway; remove 'oneway'"}},
	{"ids that are wrong", "struct A { 99999: i32 a, 99999999999999999999: i32 b, 0x10000: i32 c }", "refuses", []string{
		"main.thrift:1:12: error: the id 99999 does not fit into 16 bits; choose an id from 1 to 32767",
		"main.thrift:1:26: error: the number '99999999999999999999' does not fit into 64 bits; choose a smaller one",
		"main.thrift:1:55: error: the id 65536 does not fit into 16 bits; choose an id from 1 to 32767"}},
	{"UTF-16", "\xff\xfes\x00t\x00", "refuses", []string{
		"main.thrift:1:1: error: the file is UTF-16, or no text; save the file as UTF-8"}},
	{"keyword as name", "struct list {}", "refuses", []string{
		"main.thrift:1:8: error: 'list' is a word of the language and cannot be a name; choose another name"}},
	{"dot in a name", "struct a.b {}", "refuses", []string{
		"main.thrift:1:8: error: the name 'a.b' has a dot; remove the dot"}},
	{"annotations on a named type", "struct B {}\nstruct A { 1: B (a = \"b\") c }", "refuses", []string{
		"main.thrift:2:17: warning: a defined type has annotations where it is used, which Apache's compiler refuses; write them after the field's name, where that reads this file too"}},
	{"void as a field", "struct A { 1: void a }", "refuses", []string{
		"main.thrift:1:15: error: expected a type, found 'void'; void is only the result of a function"}},
	{"number too big", "const i64 A = 9223372036854775808", "refuses", []string{
		"main.thrift:1:15: error: the number '9223372036854775808' does not fit into 64 bits; choose a smaller one"}},
	{"id too big", "struct A { 40000: i32 a }", "accepts", []string{
		"main.thrift:1:12: error: the id 40000 does not fit into 16 bits; choose an id from 1 to 32767"}},
	{"no id", "struct A { i32 a }", "accepts", []string{
		"main.thrift:1:12: warning: the field a has no id and is numbered -1, which changes when fields are added above it; write '-1: ...', or better a positive id that no other field has"}},
	{"negative id", "struct A { -7: i32 a }", "accepts", []string{
		"main.thrift:1:12: warning: the id -7 is not positive: Apache's compiler renumbers it to -1 unless it runs with -allow-neg-keys; choose an id from 1 to 32767"}},
	{"async", "service A { async void f() }", "accepts", []string{
		"main.thrift:1:13: warning: 'async' is an old word for 'oneway'; write 'oneway'"}},
	{"arguments go on after a problem", "service A { void f(1: , 2: i32 b), void g(1: Foo a) }", "refuses", []string{
		"main.thrift:1:23: error: expected a type, found ','; " + typeMend,
		"main.thrift:1:46: error: the type 'Foo' is not defined; define it, or include the file that does"}},
	{"unknown type", "struct Item {}\nstruct A { 1: Itme a }", "refuses", []string{
		"main.thrift:2:15: error: the type 'Itme' is not defined; did you mean 'Item'?"}},
	{"duplicate definition", "struct A {}\nenum A {}\n", "refuses", []string{
		"main.thrift:2:6: error: 'A' is already defined, as a struct in line 1; rename one of them"}},
	{"duplicate id and name", "struct A { 1: i32 a, 1: i32 b, 2: i32 a }", "refuses", []string{
		"main.thrift:1:22: error: struct A has the id 1 already, for 'a' in line 1; give the field an id that is free",
		"main.thrift:1:39: error: struct A has the field 'a' already in line 1; rename one of them"}},
	{"enum out of range", "enum E { A = 2147483648 }", "refuses", []string{
		"main.thrift:1:10: error: the number 2147483648 of 'A' does not fit into 32 bits; choose a number from -2147483648 to 2147483647"}},
	{"enum name twice", "enum E { A, A }", "refuses", []string{
		"main.thrift:1:13: error: the enum E has the value 'A' already in line 1; rename one of them"}},
	{"enum number twice", "enum E { A = 1, B = 1 }", "accepts", []string{
		"main.thrift:1:17: warning: 'B' has the number 1 of 'A'; give each value its own number, or keep it as an alias"}},
	{"i8 range", "const i8 A = 128", "accepts", []string{
		"main.thrift:1:14: error: the constant A: 128 does not fit into i8 (-128 to 127); choose a wider type or a smaller number"}},
	{"i32 range of a default", "struct S { 1: i32 a = 0x80000000 }", "accepts", []string{
		"main.thrift:1:23: error: the default of a: 2147483648 does not fit into i32 (-2147483648 to 2147483647); choose a wider type or a smaller number"}},
	{"bool", "const bool A = 2", "accepts", []string{
		"main.thrift:1:16: error: the constant A is a bool and cannot be 2; write true or false"}},
	{"fraction for a whole number", "const i32 A = 2.5", "refuses", []string{
		"main.thrift:1:15: error: the constant A is of type i32 and cannot be a number with a fraction; write a value of the type, or change the type"}},
	{"number for a text", "const string A = 1", "refuses", []string{
		"main.thrift:1:18: error: the constant A is of type string and cannot be a whole number; put it in quotes: \"1\""}},
	{"element of a list", "const list<string> A = [\"a\", 2]", "refuses", []string{
		"main.thrift:1:30: error: the constant A is of type string and cannot be a whole number; put it in quotes: \"2\""}},
	{"key twice", "const map<i32, i32> A = {1: 1, 1: 2}", "accepts", []string{
		"main.thrift:1:32: warning: the constant A has the key 1 twice (first in line 1): the last one counts; remove one of them"}},
	{"unknown field", "struct S { 1: i32 name }\nconst S A = {\"nmae\": 1}", "refuses", []string{
		"main.thrift:2:14: error: the constant A: the struct S has no field 'nmae'; did you mean 'name'?"}},
	{"missing required field", "struct S { 1: required i32 a }\nconst S A = {}", "accepts", []string{
		"main.thrift:2:13: warning: the constant A: the required field 'a' of S is missing, and so has its zero value; add \"a\": ..."}},
	{"unknown enum value", "enum E { ONE }\nconst E A = E.ONNE", "refuses", []string{
		"main.thrift:2:13: error: the enum E has no value 'ONNE'; did you mean 'E.ONE'?"}},
	{"enum value without its enum", "enum E { ONE }\nconst E A = ONE", "refuses", []string{
		"main.thrift:2:13: error: the enum value 'ONE' needs the name of its enum; write 'E.ONE'"}},
	{"enum number that is none", "enum E { ONE = 1 }\nconst E A = 7", "refuses", []string{
		"main.thrift:2:13: warning: the constant A: the enum E has no value with the number 7, which Apache's compiler refuses; write one of its values"}},
	{"enum of another kind", "enum E { A }\nenum F { A }\nconst E X = F.A", "accepts", []string{
		"main.thrift:3:13: error: the constant X is of the enum E and cannot be a value of F; write a value of E"}},
	{"unknown constant", "const i32 A = LIMT\nconst i32 LIMIT = 1", "refuses", []string{
		"main.thrift:1:15: error: there is no constant or enum value 'LIMT'; did you mean 'LIMIT'?"}},
	{"constant before its definition", "const i32 A = B\nconst i32 B = 1", "refuses", []string{
		"main.thrift:1:15: warning: 'B' is used before its definition in line 2, which Apache's compiler refuses; move its definition up"}},
	{"typedef circle", "typedef A B\ntypedef B A", "hangs", []string{
		"main.thrift:1:1: error: the typedef 'B' contains itself; put a struct between them"}},
	{"typedef contains itself", "typedef list<A> A", "hangs", []string{
		"main.thrift:1:1: error: the typedef 'A' contains itself; put a struct between them"}},
	{"union with required", "union U { 1: required i32 a }", "accepts", []string{
		"main.thrift:1:11: warning: the field a of the union U is required, but a union holds one field only; it counts as optional; remove 'required'"}},
	{"union with two defaults", "union U { 1: i32 a = 1, 2: i32 b = 2 }", "refuses", []string{
		"main.thrift:1:25: error: the union U has a second default; the first is that of a; keep one default"}},
	{"throws no exception", "struct E {}\nservice S { void f() throws (1: E e) }", "refuses", []string{
		"main.thrift:2:33: error: the function f throws 'E', which is no exception; define it with 'exception'"}},
	{"oneway with a result", "service S { oneway i32 f() }", "accepts", []string{
		"main.thrift:1:20: error: the oneway function f has a result, which nobody would receive; write 'oneway void', or remove 'oneway'"}},
	{"oneway with throws", "exception E {}\nservice S { oneway void f() throws (1: E e) }", "refuses", []string{
		"main.thrift:2:25: error: the oneway function f throws, which nobody would receive; remove 'throws' or 'oneway'"}},
	{"optional argument", "service S { void f(1: optional i32 a) }", "accepts", []string{
		"main.thrift:1:20: warning: the argument a is optional, which Apache's compiler ignores; remove 'optional'"}},
	{"function twice", "service S { void f(), void f() }", "refuses", []string{
		"main.thrift:1:28: error: the service S has the function 'f' already in line 1; rename one of them"}},
	{"element twice", "const set<double> A = [1, 1.0]", "accepts", []string{
		"main.thrift:1:27: warning: the constant A has the element 1 twice (first in line 1): it counts once; remove one of them"}},
	{"field twice", "struct S { 1: i32 a }\nconst S A = {\"a\": 1, \"a\": 2}", "accepts", []string{
		"main.thrift:2:22: warning: the constant A has the field \"a\" twice (first in line 2): the last one counts; remove one of them"}},
	{"value by a typedef of its enum", "enum E { A }\ntypedef E F\nconst F X = F.A", "accepts", nil},
	{"value by another enum", "enum E { A }\nenum F { B }\nconst E X = F.A", "accepts", []string{
		"main.thrift:3:13: warning: there is no 'F.A'; it is taken for 'A' of the enum E, as Apache's compiler does; write the name of the enum before the dot: E.A"}},
	{"value by a typedef that has none", "enum E { A }\ntypedef E F\nconst E X = F.B", "refuses", []string{
		"main.thrift:3:13: error: the enum E has no value 'B'; did you mean 'E.A'?"}},
	{"annotations of a constant", "const i32 A = 1 (a = \"b\")", "refuses", []string{
		"main.thrift:1:17: warning: a constant has annotations, which Apache's compiler refuses; remove them, where that reads this file too"}},
	{"escapes by number", `const string A = "\u00e9\u00e9\x41\U0001f600"`, "refuses", []string{
		`main.thrift:1:18: warning: the literal has the escape \u00e9, which Apache's compiler refuses; write the character itself`,
		`main.thrift:1:18: warning: the literal has the escape \x41, which Apache's compiler refuses; write the character itself`,
		`main.thrift:1:18: warning: the literal has the escape \U0001f600, which Apache's compiler refuses; write the character itself`}},
	{"escapes by numbers that are none", `const string A = "\ud800\xg"`, "refuses", []string{
		`main.thrift:1:18: error: the literal has the unknown escape \u; known are \r \n \t \" \' \\; write a backslash as \\`,
		`main.thrift:1:18: error: the literal has the unknown escape \x; known are \r \n \t \" \' \\; write a backslash as \\`}},
	{"literal of several lines", "struct S { 1: i32 a (b = 'c\n  d') }\nconst string A = \"b\nconst string B = \"c\"\n", "refuses", []string{
		"main.thrift:1:26: warning: the literal has several lines, which Apache's compiler refuses; write a new line as \\n",
		"main.thrift:3:18: error: the literal is not closed; close it with \" on the same line, and write a new line as \\n"}},
	{"XSD attributes", "struct S { 1: i32 a xsd_optional xsd_nillable xsd_attrs { 1: i32 b, 2: string c } (d), 2: i32 e }", "accepts", nil},
	{"function of a base again", "service B { i32 f(1: i32 a) }\nservice S extends B { i32 f(1: i32 b) }", "refuses", []string{
		"main.thrift:2:27: warning: the function 'f' is that of the service B (main.thrift:1) again; remove it"}},
	{"function of a base otherwise", "typedef i32 I\nservice A { I f(1: I a) }\nservice B extends A {}\nservice S extends B { i64 f(1: i32 b) }", "refuses", []string{
		"main.thrift:4:27: error: the service S has the function 'f' otherwise than the service A (main.thrift:2), which it extends; rename one of them"}},
	{"extends a struct", "struct B {}\nservice S extends B {}", "refuses", []string{
		"main.thrift:2:19: error: 'B' is a struct, not a service; name a service"}},
	{"extends itself", "service S extends S {}", "refuses", []string{
		"main.thrift:1:19: error: the service S extends itself; remove one 'extends'"}},
	{"include not found", "include \"no.thrift\"\nstruct A { 1: no.B b }", "refuses", []string{
		"main.thrift:1:1: error: the included file \"no.thrift\" was not found (looked at no.thrift, lib/no.thrift); correct the path, or name the directory with -I"}},
	{"uuid constant", "const uuid A = \"x\"", "refuses", []string{
		"main.thrift:1:16: error: the constant A is no uuid; write it as in \"00112233-4455-6677-8899-aabbccddeeff\""}},
}

func TestFaultySources(t *testing.T) {
	for _, c := range faulty {
		t.Run(c.name, func(t *testing.T) {
			_, problems := loadText(t, map[string]string{"main.thrift": c.source})
			if got, want := problems.String(), strings.Join(c.want, "\n"); got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}
