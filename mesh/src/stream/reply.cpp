#include "stream/reply.hpp"

#include <algorithm>
#include <cstring>

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
