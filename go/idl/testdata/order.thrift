// Fields that are declared in another order than that of their ids, by which they are written.
namespace go order

enum Kind {
  A = 1,
  B = 2,
}

struct Inner {
  2: required string second = "two",
  1: optional i32 first = 1,
  -1: i16 third,
}

struct Mixed {
  300: required i64 last,
  7: list<Inner> inners,
  20: optional binary bytes,
  2: required bool flag,
  15: optional list<i32> numbers = [1, 2],
  1: optional Kind kind = Kind.B,
  9: map<string, Inner> named,
  3: required string text,
  14: set<string> words,
  8: optional Inner inner = {"second": "x"},
  11: double ratio = 1.5,
  12: optional bool sure = true,
  13: optional i64 large,
  10: byte small,
  16: optional string label = "none",
  17: optional map<i32, string> texts = {1: "a"},
  18: optional double share = 0.5,
}

// What Apache's code writes otherwise.
struct Otherwise {
  1: optional binary bytes = "x",
  2: Inner inner,
}

union Either {
  9: string text,
  4: Inner inner,
  5: i64 number,
}

exception Problem {
  2: string message,
  1: i32 code,
}

exception Trouble {
  1: i32 code,
}

service Orders {
  Inner find(4: string b, 2: i32 a) throws (3: Trouble second, 1: Problem first),
}
