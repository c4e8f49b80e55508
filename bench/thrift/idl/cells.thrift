// Rows of a store of cells: what a scan gives.
namespace go cells

struct Cell {
  1: required binary family
  2: required binary qualifier
  3: required binary value
  4: optional i64 timestamp
  5: optional binary tags
  6: optional byte type
}

struct Result {
  1: optional binary row
  2: required list<Cell> cells
  3: optional bool stale = false
  4: optional bool partial = false
}

struct Scan {
  1: list<Result> results
  2: i32 scanner
  3: bool more
}
