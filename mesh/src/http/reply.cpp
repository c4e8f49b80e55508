#include "http/reply.hpp"

#include <algorithm>
#include <cstring>

#include "http/grpc.hpp"

namespace hone::mesh {

Head head_of(const Reply& reply, Arena& arena) {
  Head head;
  head.status = reply.status;
  head.body = {Body::Kind::kSized, reply.body.size()};
  head.headers = reply.headers;
  if (!reply.body.empty()) head.headers.add(arena, HeaderId::kContentType, reply.content_type);
  return head;
}

Head grpc_head_of(const Reply& reply, Arena& arena) {
  Head head;
  head.status = 200;
  head.headers = reply.headers;
  head.headers.add(arena, HeaderId::kContentType, "application/grpc");
  head.headers.add(arena, HeaderId::kGrpcStatus, grpc_status_of(reply.status));
  head.headers.add(arena, HeaderId::kGrpcMessage, reason_of(reply.status));
  return head;
}

void write_copy(Exchange& exchange, BufferPool& buffers, std::string_view text) {
  while (!text.empty()) {
    const BufferRef buffer(buffers);
    const std::size_t size = std::min(text.size(), kBufferBytes);
    std::memcpy(buffer->bytes(), text.data(), size);
    exchange.write_body(Slice{buffer, {buffer->bytes(), size}});
    text.remove_prefix(size);
  }
}

}  // namespace hone::mesh
