// Responses that the proxy makes itself.
#pragma once

#include <string_view>

#include "http/exchange.hpp"

namespace hone::mesh {

// Reply is a whole response. Its texts outlive the connection, but for the location.
struct Reply {
  int status = 200;
  std::string_view body = {};
  std::string_view content_type = "text/plain";
  std::string_view location = {};
};

// Writes the head and the body. The caller ends the exchange by write_end.
void write_reply(Exchange& exchange, const Reply& reply);

// Writes the head that tells a caller of gRPC of a failure: its status is 200, and the code stands in a field.
void write_grpc_error(Exchange& exchange, int status);

// Writes a copy of a text as a part of the body, for texts that do not outlive the connection.
void write_copy(Exchange& exchange, BufferPool& buffers, std::string_view text);

}  // namespace hone::mesh
