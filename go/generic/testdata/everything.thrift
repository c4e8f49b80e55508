// One of everything that a message can have.
include "base.thrift"

typedef base.Shade Paint
typedef list<Node> Nodes
typedef i64 Money

struct Scalars {
  1: bool yes,
  2: byte small,
  3: i16 port,
  4: i32 count,
  5: Money price,
  6: double ratio,
  7: string name,
  8: binary raw,
  9: uuid id,
  10: Paint paint,
}

struct Keys {
  1: map<bool, i8> by_bool,
  2: map<i8, i8> by_i8,
  3: map<i64, string> by_i64,
  4: map<double, i8> by_double,
  5: map<string, Money> by_text,
  6: map<binary, i8> by_bytes,
  7: map<uuid, i8> by_uuid,
  8: map<Paint, list<Paint>> by_paint,
  9: map<base.Point, i8> by_point,
  10: map<list<i32>, map<set<string>, i8>> by_list,
}

struct Defaults {
  1: required i32 needed = 5,
  2: i64 wide = -9223372036854775808,
  3: optional string word = "none",
  4: optional list<i32> numbers = [1, 2],
  5: base.Point point = {"y": 3},
  6: optional Paint paint = base.Shade.DARK,
  7: map<base.Point, string> named = {{"x": 9}: "nine"},
  8: set<string> words = ["a", "b", "a"],
  9: optional binary raw = "raw",
  10: optional double ratio = 0.5,
  11: optional bool sure = true,
  12: uuid id = "00112233-4455-6677-8899-aabbccddeeff",
  13: optional i32 plain,
  14: list<Defaults> inner,
}

struct Node {
  3: Nodes children,
  -1: i16 low,
  1: required string name,
  2: optional Node next,
  4: map<string, Tree> trees,
}

union Tree {
  1: Node leaf,
  2: list<Tree> branches,
  3: i32 number = 4,
}

exception Failure { 1: i32 code, 2: optional Node at }

struct Many { 1: list<bool> flags, 2: list<i8> bytes, 3: set<i64> numbers, 4: list<string> texts, 5: list<list<double>> table }

service Everything extends base.Above {
  /** Gives back what it gets. */
  Scalars scalars(1: Scalars scalars) throws (1: Failure failure, 2: base.Refused refused),
  Keys keys(1: Keys keys),
  Defaults defaults(1: Defaults defaults),
  Node tree(2: Tree tree, 1: required Node node, 3: optional i32 most = 10) throws (5: Failure failure),
  Many many(1: Many many),
  oneway void tell(1: string word),
  i64 sum(1: list<i64> numbers),
  void nothing(),
  i32 strange(1: i32 result, 2: i32 args) throws (1: Failure result),
}
