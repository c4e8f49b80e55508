namespace go odd.one.base
struct Context { 1: i32 a }
struct BaseContext { 1: i32 a }
service Parent { i32 get(1: i32 base), }
