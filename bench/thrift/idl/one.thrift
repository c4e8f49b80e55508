// As little as a message can be: what a program with this alone has, each program has.
namespace go one

struct One {
  1: i32 number
}
