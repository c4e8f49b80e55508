/*
 * A shop: one of everything.
 */
include "base.thrift"
cpp_include "<unordered_map>"

namespace go shop.api (since = "1")
namespace py.twisted shop.twisted
namespace * shop

# Names of types.
typedef i64 ItemID (unit = "none")
typedef list<ItemID> ItemIDs
typedef map<string, list<map<i32, set<string>>>> Deep

/// How an order stands.
enum State {
  NEW = 1, // just made
  PAID (label = "paid"),
  SENT = -3,
  LOST,
} (kind = "state")

const i8 SMALL = -128
const byte OLD = 127
const i16 PORT = 0x1f90
const i32 LIMIT = base.LIMIT
const i64 BIG = -9223372036854775808
const double RATE = 1.5e-3
const double WHOLE = 3
const bool YES = true
const bool NO = 0
const string QUOTED = "a \"quoted\" text\n"
const string SINGLE = 'it\'s "fine"'
const State START = State.NEW
const State BY_NUMBER = 2
const base.Severity WORST = base.Severity.WORST
const list<i32> PRIMES = [2, 3, 5]
const set<string> COLOURS = [
  "red",
  "blue", // the better one
]
const map<string, list<i32>> TABLE = {"a": [1, 2], "b": []}

struct Item {
  1: required ItemID id,
  2: string name = "none" (go.tag = 'json:"name"'),
  3: optional double price = 9.99,
  4: list<string> labels = ["new", 'old'],
  5: set<i32> sizes,
  6: map<string, base.Context> contexts,
  7: base.Digest digest,
  8: binary raw,
  9: bool sold = false,
  10: State state = State.NEW,
  0x10: optional base.Severity severity = base.Severity.HIGH,
  17: list<i32> (cpp.template = "std::vector") numbers,
  18: set cpp_type "Set" <string> words,
  19: optional Deep deep,
  21: list<i32> cpp_type "Vector" vector,
  20: optional Item &parent,
} (final, message = "an item")

const Item SAMPLE = {"id": 7, "name": "pen", "labels": ["a"], "state": State.PAID}

union Payment {
  1: string card,
  2: i64 cash,
  3: Item barter,
}

exception OutOfStock {
  1: ItemID id,
  2: string text,
} (message = "text")

struct Empty {}

struct Order {
  1: ItemIDs items,
  2: Payment payment,
  3: map<State, i32> history,
}

/**
 * The shop itself.
 */
service Shop extends base.Health {
  // Finds one item.
  Item find(1: ItemID id, 2: base.Context context) throws (1: base.NotFound missing),

  i64 order(
    1: required Order order, // what is wanted
    2: i32 limit = LIMIT,
  ) throws (1: OutOfStock stock, 2: base.NotFound missing) (timeout = "100ms"),

  oneway void forget(1: ItemID id),
  void nothing(),
  map<string, list<Item>> all() (idempotent = "true"),
} (owner = "shop")
