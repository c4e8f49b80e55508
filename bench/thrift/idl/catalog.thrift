// A table of a data warehouse and its partitions, as a catalogue keeps them.
namespace go catalog

struct Field {
  1: string name
  2: string type
  3: string comment
}

struct Format {
  1: string name
  2: string library
  3: map<string, string> parameters
}

struct Order {
  1: string column
  2: i32 direction
}

struct Storage {
  1: list<Field> columns
  2: string location
  3: string input
  4: string output
  5: bool compressed
  6: i32 buckets
  7: Format format
  8: list<string> bucketColumns
  9: list<Order> sortColumns
  10: map<string, string> parameters
  11: optional bool inDirectories
}

struct Partition {
  1: list<string> values
  2: string database
  3: string table
  4: i32 created
  5: i32 used
  6: Storage storage
  7: map<string, string> parameters
}

struct Table {
  1: string name
  2: string database
  3: string owner
  4: i32 created
  5: i32 used
  6: i32 retention
  7: Storage storage
  8: list<Field> partitionKeys
  9: map<string, string> parameters
  10: string viewText
  11: string viewExpanded
  12: string kind
  13: optional bool temporary
}

struct Partitions {
  1: Table table
  2: list<Partition> partitions
}
