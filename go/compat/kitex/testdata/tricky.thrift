// Names that become others in Go, or that collide with names of the generated code, of Go, or of Kitex's.
include "odd.types.thrift"
namespace go tricky.api

typedef odd.types.Item_1 new_item

enum url_kind {
  id,
  http_url = 5,
}

const i32 MAX_user_id = 7

struct Args {
  1: i64 id,
  2: i64 Id,
  3: optional string url = "u",
  4: string get_id,
  5: string string,
  6: string Read,
  7: url_kind kind_2,
  8: map<i32, Args> new_args,
}

struct NewThing {
  1: required i32 a_1,
  2: i32 A_1,
  3: i32 type,
}

union one_Result {
  1: i32 count_set_fields,
  2: string Result,
}

service my_svc extends odd.types.base_svc {
  odd.types.Item_1 get_new(1: i64 id, 2: string url, 3: i32 user_id, 4: string http_url) throws (1: odd.types.not_found err),
  NewThing new_args(1: NewThing new_args, 2: Args args, 3: one_Result result),
  i32 v1_2(1: i32 a_1, 2: i32 x1y2, 3: optional i32 a_2),
  url_kind type(1: url_kind type, 2: string func, 3: bool range, 4: list<string> interface),
  list<string> packages(1: string fmt, 2: string errors, 3: string thrift, 4: string types, 5: string apache),
  map<string, Args> String(1: Args string, 2: i32 err, 3: i32 ctx, 4: i32 p, 5: i32 r),
  void Error(1: string Error, 2: i32 len) throws (1: odd.types.not_found not_found),
  void Reset(),
  oneway void get_result(1: string success, 2: i32 lead_),
  string IDs(1: string IDs, 2: string userID),
}
