namespace go talk

// What is said.
struct Words {
  1: string text,
  2: i32 times = 1,
}

struct Count {
  1: i64 messages,
  2: i64 letters,
}

// A service with all kinds of streams.
service Talk {
  // Answers each request as often as it asks for.
  Words chat(1: Words said) (streaming.mode = "bidirectional"),
  // Counts what is said.
  Count listen(1: Words said) (streaming.mode = "client"),
  // Says the words again and again.
  Words repeat(1: Words said) (streaming.mode = "server"),
  // Answers once.
  Words echo(1: Words said) (streaming.mode = "unary"),
}
