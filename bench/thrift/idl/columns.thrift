// Rows of a column store: what a slice of several keys gives.
namespace go columns

struct Column {
  1: required binary name
  2: optional binary value
  3: optional i64 timestamp
  4: optional i32 ttl
}

struct SuperColumn {
  1: required binary name
  2: required list<Column> columns
}

struct ColumnOrSuper {
  1: optional Column column
  2: optional SuperColumn super
}

struct Slices {
  1: map<string, list<ColumnOrSuper>> rows
}
