#include "wire/http2/fields.hpp"

#include <array>

#include "base/text.hpp"
#include "http/target.hpp"

namespace hone::mesh::http2 {
namespace {

const std::uint8_t* bytes_of(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

// True if a field may be passed on to any wire: no line end, no capital letter, and not about a connection.
bool is_good(const Header& header) {
  switch (header.id) {
    case HeaderId::kConnection:
    case HeaderId::kKeepAlive:
    case HeaderId::kProxyConnection:
    case HeaderId::kTransferEncoding:
    case HeaderId::kUpgrade:
      return false;
    case HeaderId::kTe:
      if (header.value != "trailers") return false;
      break;
    default:
      break;
  }
  return nghttp2_check_header_name(bytes_of(header.name), header.name.size()) != 0 &&
         nghttp2_check_header_value_rfc9113(bytes_of(header.value), header.value.size()) != 0;
}

// Takes the fields with a colon off the front. Returns false where one is not known, comes twice, or comes after
// others.
template <std::size_t kCount>
bool take_pseudo(Headers& headers, const std::array<std::pair<std::string_view, std::string_view*>, kCount>& known) {
  std::array<bool, kCount> seen{};
  bool is_over = false;
  for (const Header& header : headers.items()) {
    if (!header.name.starts_with(':')) {
      is_over = true;
      continue;
    }
    if (is_over) return false;
    std::size_t at = 0;
    while (at < kCount && known[at].first != header.name) ++at;
    if (at == kCount || std::exchange(seen[at], true)) return false;
    *known[at].second = header.value;
  }
  headers.remove_if([](const Header& header) { return header.name.starts_with(':'); });
  return true;
}

// Takes the length of the body. Returns false where it is no number or comes twice.
bool take_length(Head& head, bool is_ended) {
  const Header* length = nullptr;
  for (const Header& header : head.headers.items()) {
    if (header.id != HeaderId::kContentLength) continue;
    if (length != nullptr) return false;
    length = &header;
  }
  head.body.kind = is_ended ? Body::Kind::kNone : Body::Kind::kStreamed;
  if (length == nullptr) return true;
  const std::optional<std::uint64_t> size = number(length->value);
  if (!size || (is_ended && *size != 0)) return false;
  head.body = {Body::Kind::kSized, *size};
  if (is_ended) head.body = {};
  head.headers.remove(HeaderId::kContentLength);
  return true;
}

// Joins the parts of a cookie: HTTP/1 has only one field for it.
void join_cookies(Headers& headers, Arena& arena) {
  Header* first = nullptr;
  for (Header& header : headers.items()) {
    if (header.name != "cookie") continue;
    if (first == nullptr) {
      first = &header;
    } else {
      first->value = arena.join(first->value, "; ", header.value);
    }
  }
  headers.remove_if([&](const Header& header) { return header.name == "cookie" && &header > first; });
}

bool are_good(const Headers& headers) {
  for (const Header& header : headers.items()) {
    if (!is_good(header)) return false;
  }
  return true;
}

}  // namespace

bool take_request(Head& head, bool is_ended, Arena& arena) {
  std::string_view protocol;
  const std::array<std::pair<std::string_view, std::string_view*>, 5> known = {{{":method", &head.method},
                                                                                {":scheme", &head.scheme},
                                                                                {":authority", &head.authority},
                                                                                {":path", &head.path},
                                                                                {":protocol", &protocol}}};
  if (!take_pseudo(head.headers, known) || !are_good(head.headers)) return false;
  if (nghttp2_check_method(bytes_of(head.method), head.method.size()) == 0) return false;
  if (head.method == "CONNECT") {
    if (protocol != kWebSocket || is_ended || head.headers.find(HeaderId::kContentLength) != nullptr) return false;
    head.method = "GET";
    head.upgrade = kWebSocket;
  } else if (protocol.data() != nullptr) {
    return false;
  }
  if (head.scheme != "http" && head.scheme != "https") return false;
  const std::optional<Target> target = parse_target(head.path, head.method, arena);
  // A whole URL has no place in a path.
  if (!target || !target->scheme.empty()) return false;
  head.path = target->path;
  // Where :authority and Host are both set they have to agree, or two servers could read two hosts.
  if (const Header* const host = head.headers.find(HeaderId::kHost)) {
    if (!head.authority.empty() && !equal_ignoring_case(head.authority, host->value)) return false;
    head.authority = host->value;
    for (const Header& header : head.headers.items()) {
      if (header.id == HeaderId::kHost && &header != host) return false;
    }
    head.headers.remove(HeaderId::kHost);
  }
  if (!head.authority.empty() && !is_authority(head.authority)) return false;
  join_cookies(head.headers, arena);
  if (!head.upgrade.empty()) return true;
  return take_length(head, is_ended);
}

bool take_response(Head& head, bool is_ended, bool is_reply_to_head) {
  std::string_view status;
  const std::array<std::pair<std::string_view, std::string_view*>, 1> known = {{{":status", &status}}};
  if (!take_pseudo(head.headers, known) || !are_good(head.headers)) return false;
  const std::optional<std::uint64_t> value = number(status);
  if (status.size() != 3 || !value || *value < 100 || *value > 599 || *value == 101) return false;
  head.status = static_cast<int>(*value);
  // A message does not end before its final head.
  if (is_informational(head.status)) return !is_ended;
  if (is_reply_to_head || head.status == 204 || head.status == 304) {
    head.body.kind = is_ended ? Body::Kind::kNone : Body::Kind::kStreamed;
    return true;
  }
  return take_length(head, is_ended);
}

bool take_trailers(Headers& trailers) {
  for (const Header& header : trailers.items()) {
    if (header.name.starts_with(':') || !is_good(header)) return false;
  }
  trailers.remove_if([](const Header& header) {
    return header.id == HeaderId::kContentLength || header.id == HeaderId::kHost || header.id == HeaderId::kTe ||
           header.id == HeaderId::kTrailer;
  });
  return true;
}

std::string_view encode_request(Encoder& encoder, const Head& head) {
  const Digits length(head.body.size);
  encoder.begin();
  encoder.add(":method", head.method);
  encoder.add(":scheme", head.scheme.empty() ? std::string_view("http") : head.scheme);
  if (!head.authority.empty()) encoder.add(":authority", head.authority);
  encoder.add(":path", head.path);
  for (const Header& header : head.headers.items()) encoder.add(header.name, header.value);
  if (head.body.kind == Body::Kind::kSized) encoder.add("content-length", length);
  return encoder.encode();
}

std::string_view encode_response(Encoder& encoder, const Head& head) {
  const Digits status(static_cast<std::uint64_t>(head.status));
  const Digits length(head.body.size);
  encoder.begin();
  encoder.add(":status", status);
  for (const Header& header : head.headers.items()) encoder.add(header.name, header.value);
  if (head.body.kind == Body::Kind::kSized) encoder.add("content-length", length);
  return encoder.encode();
}

std::string_view encode_trailers(Encoder& encoder, const Headers& trailers) {
  encoder.begin();
  for (const Header& header : trailers.items()) encoder.add(header.name, header.value);
  return encoder.encode();
}

}  // namespace hone::mesh::http2
