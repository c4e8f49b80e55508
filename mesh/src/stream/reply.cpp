#include "stream/reply.hpp"

#include <algorithm>
#include <cstring>

#include "http/grpc.hpp"

namespace hone::mesh {

void write_reply(Exchange& exchange, const Reply& reply) {
  Head head;
  head.status = reply.status;
  head.body = {Body::Kind::kSized, reply.body.size()};
  Arena& arena = exchange.arena();
  if (!reply.body.empty()) head.headers.add(arena, HeaderId::kContentType, reply.content_type);
  if (!reply.location.empty()) head.headers.add(arena, HeaderId::kLocation, reply.location);
  exchange.write_head(head);
  if (!reply.body.empty()) exchange.write_body(Slice{{}, reply.body});
}

void write_grpc_error(Exchange& exchange, int status) {
  Head head;
  head.status = 200;
  Arena& arena = exchange.arena();
  head.headers.add(arena, HeaderId::kContentType, "application/grpc");
  head.headers.add(arena, HeaderId::kGrpcStatus, grpc_status_of(status));
  head.headers.add(arena, HeaderId::kGrpcMessage, reason_of(status));
  exchange.write_head(head);
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
