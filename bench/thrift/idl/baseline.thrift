// A benchmark's messages: one of every type, flat, nested, and nested again.
namespace go baseline

struct Simple {
  1: byte small
  2: i64 id
  3: double ratio
  4: i32 count
  5: string name
  6: binary payload
}

struct Nested {
  1: string title
  2: list<Simple> parts
  3: double weight
  4: i32 state
  5: list<i32> codes
  6: i64 created
  7: map<string, string> labels
  8: Simple head
  9: map<i32, i64> counters
  10: list<string> words
  11: binary body
  12: map<i64, string> titles
  13: list<i64> ids
  14: byte level
  15: map<string, Simple> named
  16: list<list<i64>> rows
}

struct Deep {
  1: map<string, Nested> byName
  2: Simple head
  3: byte level
  4: double weight
  5: list<Nested> parts
  6: i64 created
  7: Nested main
  8: binary body
  9: string title
  10: set<string> tags
  11: i32 state
}

// A small request: three maps of strings and a few lists of numbers.
struct Request {
  1: map<string, string> headers
  2: map<string, string> parameters
  3: map<string, string> context
  4: list<i64> ids
  5: list<i32> codes
  6: list<double> weights
  7: list<string> words
}
