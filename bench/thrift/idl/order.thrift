namespace go order

enum Currency { EUR = 1, USD = 2, CNY = 3 }

struct Money {
  1: i64 units
  2: i32 nanos
  3: Currency currency
}

struct Item {
  1: required i64 sku
  2: string title
  3: i32 quantity
  4: Money price
  5: optional string note
  6: list<string> tags
  7: double weight
  8: bool gift
}

struct Address {
  1: string street
  2: string city
  3: string country
  4: optional i32 floor
  5: map<string, string> extra
}

struct Order {
  1: required i64 id
  2: string buyer
  3: list<Item> items
  4: Address address
  5: map<string, string> attributes
  6: map<i64, i32> stock
  7: list<i64> history
  8: optional Money discount
  9: set<i32> flags
  10: binary signature
  11: optional i64 parent
}

struct Batch {
  1: list<Order> orders
  2: map<i32, list<i64>> index
  3: map<string, Money> totals
}
