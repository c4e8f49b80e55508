namespace go base
enum Colour { RED = 1, BLUE = -2 }
struct Plain { 1: i32 a, 2: optional string b }
struct Defaults { 1: i32 a = 5, 2: list<string> b = ["x"], 3: optional Colour c = Colour.BLUE }
typedef list<Plain> Plains
