namespace go odd.list
struct Value { 1: i32 a }
enum E { A }
