// What stands at the end of a file of columns: schema, row groups, statistics.
namespace go footer

enum Type { BOOLEAN = 0, INT32 = 1, INT64 = 2, DOUBLE = 5, BYTES = 6 }
enum Repetition { REQUIRED = 0, OPTIONAL = 1, REPEATED = 2 }
enum Encoding { PLAIN = 0, DICTIONARY = 2, RLE = 3, DELTA = 5 }
enum Codec { NONE = 0, SNAPPY = 1, ZSTD = 6 }

struct Statistics {
  1: optional binary max
  2: optional binary min
  3: optional i64 nulls
  4: optional i64 distinct
}

struct SchemaElement {
  1: optional Type type
  2: optional i32 length
  3: optional Repetition repetition
  4: required string name
  5: optional i32 children
}

struct KeyValue {
  1: required string key
  2: optional string value
}

struct ColumnData {
  1: required Type type
  2: required list<Encoding> encodings
  3: required list<string> path
  4: required Codec codec
  5: required i64 values
  6: required i64 uncompressed
  7: required i64 compressed
  8: optional list<KeyValue> pairs
  9: required i64 dataOffset
  10: optional i64 indexOffset
  11: optional i64 dictionaryOffset
  12: optional Statistics statistics
}

struct Chunk {
  1: optional string file
  2: required i64 offset
  3: optional ColumnData data
}

struct RowGroup {
  1: required list<Chunk> columns
  2: required i64 bytes
  3: required i64 rows
  4: optional i64 offset
}

struct Footer {
  1: required i32 version
  2: required list<SchemaElement> schema
  3: required i64 rows
  4: required list<RowGroup> groups
  5: optional list<KeyValue> pairs
  6: optional string writer
}
