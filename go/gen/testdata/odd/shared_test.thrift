// One package of two files, that have the same containers, and names that are alike.
namespace go odd.shared
struct Thing { 1: list<Thing> things, 2: map<i32, list<i64>> numbers }
struct set_i32 { 1: i32 a }
struct All { 1: list<set<i32>> sets, 2: list<set_i32> structs, 3: list<list<i32>> lists }
