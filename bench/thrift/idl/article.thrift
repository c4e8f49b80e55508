// The struct that the article about error code between hot instructions measures: nested containers of numbers.
namespace go article

struct Example {
  1: list<list<i64>> numbers
  2: map<i64, list<byte>> bytes
  3: list<map<i64, byte>> pairs
}
