// The service that the stacks are compared by. shop.proto has the same one, and streams.
namespace go shop

struct Text {
  1: string text
}

struct Address {
  1: string street
  2: string city
  3: string country
  4: double latitude
  5: double longitude
}

struct Person {
  1: i64 id
  2: string name
  3: string email
  4: list<Address> addresses
  5: map<string, string> preferences
}

struct Item {
  1: i64 id
  2: string name
  3: i32 count
  4: double price
  5: bool in_stock
  6: list<string> tags
  7: map<string, string> attributes
}

struct Order {
  1: string id
  2: i64 placed_at_us
  3: Person buyer
  4: list<Item> items
  5: map<string, string> headers
  6: map<i32, double> discounts
  7: list<i64> related
  8: double total
}

service Shop {
  // Answers the same text.
  Text Echo(1: Text request)
  // Answers the order with its total.
  Order Price(1: Order order)
}
