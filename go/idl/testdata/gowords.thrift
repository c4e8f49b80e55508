// Names that collide with words and predeclared names of Go.
namespace go gowords

enum error {
  nil_value,
  iota,
}

struct type {
  1: i32 func,
  2: string range,
  3: bool chan,
  4: i64 select,
  5: list<string> fallthrough,
  6: type defer,
  7: string len,
  8: i32 Read,
  9: i32 read,
  10: string string_,
  11: map<string, error> append,
  12: i32 get_x,
  13: i32 x,
  14: optional i32 is_set_x,
}

struct NewThing {
  1: i32 a,
}

struct Thing {
  1: NewThing new_thing,
}

service go {
  type var_(1: type type, 2: string err, 3: i32 ctx, 4: i32 p),
  void result(1: i32 result, 2: i32 success),
}
