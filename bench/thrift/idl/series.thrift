// What a store of metrics answers: series with tags, values and buckets.
namespace go series

struct Series {
  1: string metric
  2: map<string, string> tags
  3: i64 start
  4: i32 step
  5: list<double> values
  6: list<list<i32>> buckets
  7: map<string, list<double>> quantiles
}

struct Answer {
  1: bool done
  2: list<Series> series
  3: map<string, i64> counts
  4: list<string> warnings
  5: optional string next
}
