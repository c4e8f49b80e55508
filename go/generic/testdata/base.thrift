enum Shade { LIGHT = 1, DARK = 2, DIM = 2 }
struct Point { 1: i32 x = 1, 2: i32 y }
exception Refused { 1: required string why, 2: i32 code = 7 }
service Above { bool alive(), Point near(1: Point point) throws (1: Refused no) }
