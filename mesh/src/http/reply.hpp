// Responses that the proxy makes itself.
#pragma once

#include <string_view>

#include "http/exchange.hpp"

namespace hone::mesh {

// Reply is a whole response. Its texts outlive the connection, except for those of its fields.
struct Reply {
  int status = 200;
  std::string_view body = {};
  std::string_view content_type = "text/plain";
  // Fields beside those that describe the body.
  Headers headers = {};
};

// Returns the head of a reply.
Head head_of(const Reply& reply, Arena& arena);

// Returns the head that reports a failure to a caller of gRPC: its status is 200, and the code stands in a field. The
// reply's body is left out.
Head grpc_head_of(const Reply& reply, Arena& arena);

// Writes a copy of a text as a part of the body, for texts that do not outlive the connection.
void write_copy(Exchange& exchange, BufferPool& buffers, std::string_view text);

}  // namespace hone::mesh
