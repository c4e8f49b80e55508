// Writes HTTP/1.1: heads with the framing of their bodies, chunks, trailers.
#pragma once

#include "http/message.hpp"
#include "net/output.hpp"

namespace hone::mesh::http1 {

// Framing is the way in which the end of a body is marked.
enum class Framing : std::uint8_t {
  // There is no body.
  kNone,
  // The head gives the number of bytes.
  kSized,
  kChunked,
  // The connection ends with the body, for clients that know no chunks, and for bytes that are no HTTP any more.
  kUntilClose,
};

// Writes the head of a request, and returns how its body is to be written.
Framing write_request(Output& output, const Head& head);

// Reply holds the facts about a request and its connection that the head of the response depends on.
struct Reply {
  bool is_to_head = false;
  bool is_http_1_1 = true;
  // True if the connection ends after this response, which its client is told.
  bool closes = false;
};
// Writes the head of a response, and returns how its body is to be written.
Framing write_response(Output& output, const Head& head, const Reply& reply);

// Writes a part of a body.
void write_body(Output& output, Framing framing, Slice slice);

// Writes the end of a body; trailers are written where its framing has a place for them.
void write_end(Output& output, Framing framing, const Headers& trailers);

}  // namespace hone::mesh::http1
