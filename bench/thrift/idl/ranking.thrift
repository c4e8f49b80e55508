// What a recommender asks its ranking service: ids, sparse and dense features of a user and of candidates.
namespace go ranking

struct Sparse {
  1: i32 slot
  2: list<i64> ids
  3: optional list<double> weights
}

struct Candidate {
  1: i64 item
  2: i64 author
  3: double score
  4: list<i64> categories
  5: map<string, double> dense
  6: list<Sparse> sparse
}

struct User {
  1: i64 id
  2: i32 age
  3: string country
  4: string language
  5: map<string, list<i64>> history
  6: map<string, double> affinities
  7: list<list<i64>> sessions
}

struct Request {
  1: string trace
  2: User user
  3: list<Candidate> candidates
  4: map<string, string> experiments
  5: i64 deadline
  6: bool debug
}
