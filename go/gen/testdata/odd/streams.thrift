namespace go odd.streams

include "streams_base.thrift"

struct Stream { 1: i32 caller }

service Streams extends streams_base.Base {
  streams_base.Words Send(1: streams_base.Said p) (streaming.mode = "server"),
  Stream recv(1: streams_base.Words ctx) (streaming.mode = "client"),
  Stream thrift(1: Stream stream) (streaming.mode = "server"),
  Stream context(1: Stream handler) (streaming.mode = "unary"),
  void stream(1: streams_base.Said stream),
}
