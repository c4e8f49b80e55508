namespace go shops

exception SoldOut {
  1: string item
}

// Knows how much there is. It fails now and then, as services do.
service Stock {
  i64 count(1: string item)
}

// Answers with a price, for which it asks Stock.
service Shop {
  string quote(1: string item, 2: i32 pieces) throws (1: SoldOut sold)
}
