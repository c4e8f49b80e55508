// Notes of a notebook with what is attached to them, as a client fetches them.
namespace go notes

struct Data {
  1: optional binary hash
  2: optional i32 size
  3: optional binary body
}

struct ResourceAttributes {
  1: optional string source
  2: optional i64 timestamp
  3: optional double latitude
  4: optional double longitude
  5: optional string camera
  6: optional string file
  7: optional bool attachment
}

struct Resource {
  1: optional string guid
  2: optional string note
  3: optional Data data
  4: optional string mime
  5: optional i16 width
  6: optional i16 height
  7: optional bool active
  8: optional ResourceAttributes attributes
}

struct NoteAttributes {
  1: optional i64 subjectDate
  2: optional double latitude
  3: optional double longitude
  4: optional string author
  5: optional string source
  6: optional string url
  7: optional map<string, string> classifications
}

struct Note {
  1: optional string guid
  2: optional string title
  3: optional string content
  4: optional binary hash
  5: optional i32 length
  6: optional i64 created
  7: optional i64 updated
  8: optional bool active
  9: optional i32 version
  10: optional string notebook
  11: optional list<string> tags
  12: optional list<Resource> resources
  13: optional NoteAttributes attributes
}

struct Notes {
  1: i32 start
  2: i32 total
  3: list<Note> notes
  4: optional list<string> stopped
}
