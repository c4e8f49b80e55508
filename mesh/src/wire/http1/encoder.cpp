#include "wire/http1/encoder.hpp"

#include <charconv>

#include "base/text.hpp"

namespace hone::mesh::http1 {
namespace {

constexpr std::string_view kEnd = "\r\n";

void write_field(Output& output, std::string_view name, std::string_view value) {
  output.append_all(name, ": ", value, kEnd);
}

void write_fields(Output& output, const Headers& headers) {
  for (const Header& header : headers.items()) {
    // TE is about the connection of a client that speaks HTTP/2.
    if (header.id != HeaderId::kTe) write_field(output, header.name, header.value);
  }
}

void write_upgrade(Output& output, std::string_view protocol) {
  write_field(output, "connection", "upgrade");
  write_field(output, "upgrade", protocol);
}

Framing write_framing(Output& output, const Body& body) {
  switch (body.kind) {
    case Body::Kind::kNone:
      return Framing::kNone;
    case Body::Kind::kSized:
      write_field(output, "content-length", Digits(body.size));
      return Framing::kSized;
    case Body::Kind::kStreamed:
      write_field(output, "transfer-encoding", "chunked");
      return Framing::kChunked;
  }
  return Framing::kNone;
}

}  // namespace

Framing write_request(Output& output, const Head& head) {
  output.append_all(head.method, " ", head.path, " HTTP/1.1\r\nhost: ", head.authority, kEnd);
  write_fields(output, head.headers);
  if (!head.upgrade.empty()) write_upgrade(output, head.upgrade);
  // Without it, some servers wait for a body or ask for its length (RFC 9110, 8.6).
  const bool may_have_body = head.method == "POST" || head.method == "PUT" || head.method == "PATCH";
  if (head.body.kind == Body::Kind::kNone && may_have_body) write_field(output, "content-length", "0");
  const Framing framing = write_framing(output, head.body);
  output.append(kEnd);
  return framing;
}

Framing write_response(Output& output, const Head& head, const Reply& reply) {
  output.append_all("HTTP/1.1 ", Digits(static_cast<std::uint64_t>(head.status)), " ", reason_of(head.status), kEnd);
  write_fields(output, head.headers);
  if (head.status == kSwitching) write_upgrade(output, head.upgrade);
  if (is_informational(head.status)) {
    output.append(kEnd);
    return head.status == kSwitching ? Framing::kUntilClose : Framing::kNone;
  }
  Framing framing = Framing::kNone;
  const bool has_no_body = reply.is_to_head || head.status == 204 || head.status == 304;
  bool closes = reply.closes;
  if (has_no_body) {
    framing = Framing::kNone;
  } else if (head.body.kind == Body::Kind::kNone) {
    write_field(output, "content-length", "0");
  } else if (head.body.kind == Body::Kind::kStreamed && !reply.is_http_1_1) {
    framing = Framing::kUntilClose;
    closes = true;
  } else {
    framing = write_framing(output, head.body);
  }
  if (closes) {
    write_field(output, "connection", "close");
  } else if (!reply.is_http_1_1) {
    write_field(output, "connection", "keep-alive");
  }
  output.append(kEnd);
  return framing;
}

void write_body(Output& output, Framing framing, Slice slice) {
  if (framing == Framing::kNone || slice.bytes.empty()) return;
  if (framing != Framing::kChunked) return output.append(std::move(slice));
  char size[16];
  const auto end = std::to_chars(size, size + sizeof size, slice.bytes.size(), 16).ptr;
  output.append_all(std::string_view(size, static_cast<std::size_t>(end - size)), kEnd);
  output.append(std::move(slice));
  output.append(kEnd);
}

void write_end(Output& output, Framing framing, const Headers& trailers) {
  if (framing != Framing::kChunked) return;
  output.append("0\r\n");
  write_fields(output, trailers);
  output.append(kEnd);
}

}  // namespace hone::mesh::http1
