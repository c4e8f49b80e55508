// Keys of maps that Go has no maps for, UUIDs, sets of everything, tags and defaults.
namespace go odd.keys
enum E { A }
struct K {
  1: uuid a,
  2: optional uuid b,
  3: list<uuid> c,
  4: map<uuid, E> d,
  5: map<list<i32>, K> e,
  6: map<binary, binary> f,
  7: map<K, K> g,
  8: optional E h,
  9: set<E> i,
  10: set<binary> j,
  11: map<set<string>, map<binary, i8>> k,
  12: optional list<string> l = ["x"],
  13: optional binary m = "y",
  14: i64 n (go.tag = 'json:"number,string" db:"n"'),
  15: i64 o (go.tag = "yaml:\"o\""),
  16: optional uuid p = "00112233-4455-6677-8899-aabbccddeeff",
  17: map<E, set<uuid>> q,
}
