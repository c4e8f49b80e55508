// Spans of a tracer, as services send them to a collector.
namespace go spans

enum Kind { TEXT = 0, DOUBLE = 1, BOOL = 2, LONG = 3, BINARY = 4 }

struct Tag {
  1: required string key
  2: required Kind kind
  3: optional string text
  4: optional double number
  5: optional bool flag
  6: optional i64 long
  7: optional binary bytes
}

struct Event {
  1: required i64 at
  2: required list<Tag> fields
}

struct Link {
  1: required i32 kind
  2: required i64 traceLow
  3: required i64 traceHigh
  4: required i64 span
}

struct Span {
  1: required i64 traceLow
  2: required i64 traceHigh
  3: required i64 id
  4: required i64 parent
  5: required string operation
  6: optional list<Link> links
  7: required i32 flags
  8: required i64 start
  9: required i64 duration
  10: optional list<Tag> tags
  11: optional list<Event> events
}

struct Process {
  1: required string service
  2: optional list<Tag> tags
}

struct Batch {
  1: required Process process
  2: required list<Span> spans
  3: optional i64 number
}
