// Without a namespace for Go, and with a dot in the file's name: the package is odd/types.
struct Item_1 {
  1: i64 id,
  2: string _id,
  3: optional string http_url,
  4: list<Item_1> get_id,
}

exception not_found {
  1: string Error,
  2: i32 user_id,
}

service base_svc {
  bool Ping(1: i32 ctx_id),
}
