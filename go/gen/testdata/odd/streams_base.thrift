namespace go stream

struct Words { 1: string text = "none" }
typedef Words Said

// Its package has the name of the one that streams come from.
service Base {
  Words talk(1: Said stream) (streaming.mode = "bidirectional"),
}
