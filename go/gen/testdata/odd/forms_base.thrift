/* What forms.thrift names. */
namespace * odd.formsbase
enum Shade { LIGHT = 0x10, DARK = -0x2, MIDDLE }
typedef Shade Tint
typedef list<Point> Points
typedef map<string, Points> Shapes
struct Point { 1: i32 x; 2: i32 y = 2; } (final)
const i32 LIMIT = +7;
const Tint DEFAULT = Tint.DARK
exception Refused { 1: string message } (message = "message")
typedef Refused No
service Above { Point near(1: i32 a, 2: optional Tint t) throws (1: No no), oneway void ping() }
