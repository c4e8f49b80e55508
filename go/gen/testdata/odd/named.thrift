// Values that are written as names of other values, and names that are words of Thrift.
namespace go odd.named
enum Level { LOW = 3, string }
struct Point { 1: i32 x = 1, 2: i32 y = 2 }
const string FIELD = "y"
const binary BYTES = "b"
const i32 THREE = Level.LOW
const bool YES = One.ONE
enum One { ONE = 1 }
const Point POINT = {FIELD: 7}
const map<binary, i32> BY_BYTES = {BYTES: 1}
const map<i32, i32> BY_NUMBER = {Level.LOW: 1}
const map<Point, Point> BY_POINT = {{"x": 5}: {"x": 6}}
struct Words { 1: i32 string = Level.LOW, 2: string from, 3: optional list<i32> list, 4: i32 required, 5: i32 args }
service Print { i32 map(1: string string, 2: i32 args, 3: i32 nil, 4: list<i32> list), void delete(1: i32 struct) }
