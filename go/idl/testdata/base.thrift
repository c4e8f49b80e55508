// What every service of the shop shares.
namespace go shop.base
namespace java org.example.base

/** Who asks, and by when. */
struct Context {
  1: required string caller,
  2: optional i64 deadline_ns, // since 1970
  3: optional map<string, string> tags,
}

enum Severity {
  LOW,
  HIGH = 0x10,
  WORST,
}

const i32 LIMIT = 100

typedef binary Digest

exception NotFound {
  1: required string key,
}

service Health {
  bool alive() (idempotent = "true"),
}
