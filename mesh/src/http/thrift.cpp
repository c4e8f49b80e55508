#include "http/thrift.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "base/text.hpp"

namespace hone::mesh {
namespace {

// Kinds of TApplicationException (https://thrift.apache.org/docs/types, lib/cpp/src/thrift/TApplicationException.h).
constexpr std::uint32_t kUnknownMethod = 1;
constexpr std::uint32_t kInvalidMessage = 2;
constexpr std::uint32_t kInternalError = 6;
constexpr std::uint32_t kProtocolError = 7;
constexpr std::uint32_t kInvalidTransform = 8;
constexpr std::uint32_t kInvalidProtocol = 9;
constexpr std::uint32_t kUnsupportedClient = 10;
// The kind with which Kitex answers where it does not have the service.
constexpr std::uint32_t kUnknownService = 20;

// Heads of the two fields, message and kind, in both protocols: the field's type and its number, by itself or as the
// distance from the field before.
constexpr std::string_view kBinaryText("\x0b\x00\x01", 3);
constexpr std::string_view kBinaryKind("\x08\x00\x02", 3);
constexpr char kCompactText = 0x18;
constexpr char kCompactKind = 0x15;
// The head of the second field where there is no first one.
constexpr char kCompactKindAlone = 0x25;

std::uint32_t kind_of(int status) {
  switch (status) {
    case 404:
      return kUnknownMethod;
    case 400:
      return kProtocolError;
    default:
      return kInternalError;
  }
}

int status_of_kind(std::uint32_t kind) {
  switch (kind) {
    case kUnknownMethod:
    case kUnknownService:
      return 404;
    case kInvalidMessage:
    case kProtocolError:
    case kInvalidTransform:
    case kInvalidProtocol:
    case kUnsupportedClient:
      return 400;
    default:
      return 500;
  }
}

constexpr std::uint32_t zigzag(std::uint32_t value) {
  return value << 1;
}

}  // namespace

std::optional<Duration> parse_thrift_timeout(std::string_view value) {
  const std::optional<std::uint64_t> ms = number(value);
  if (!ms || *ms == 0) return std::nullopt;
  // More than a year counts as a year, which does not overflow.
  constexpr std::uint64_t kYear = std::chrono::milliseconds(std::chrono::hours(24 * 365)).count();
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::min(*ms, kYear)));
}

Head thrift_head_of(const Reply& reply) {
  Head head;
  head.status = std::max(reply.status, 400);
  head.headers = reply.headers;
  return head;
}

std::string_view thrift_exception_of(const Reply& reply, Coding coding, Arena& arena) {
  const std::string_view text = reply.body.empty() ? reason_of(reply.status) : reply.body;
  // The bytes beside the text are fewer.
  constexpr std::size_t kRest = 32;
  char* const begin = arena.array<char>(text.size() + kRest);
  ByteWriter writer(begin);
  if (coding == Coding::kCompact) {
    writer.byte(kCompactText);
    writer.varint(static_cast<std::uint32_t>(text.size()));
    writer.text(text);
    writer.byte(kCompactKind);
    writer.varint(zigzag(kind_of(reply.status)));
  } else {
    writer.text(kBinaryText);
    writer.big32(static_cast<std::uint32_t>(text.size()));
    writer.text(text);
    writer.text(kBinaryKind);
    writer.big32(kind_of(reply.status));
  }
  writer.byte(0);
  return {begin, writer.size_since(begin)};
}

int status_of_exception(std::string_view body, Coding coding) {
  ByteReader reader(body);
  std::uint32_t kind = 0;
  if (coding == Coding::kCompact) {
    std::uint8_t field = reader.byte();
    if (field == kCompactText) {
      reader.text(reader.varint());
      field = reader.byte();
      if (field != kCompactKind) return 500;
    } else if (field != kCompactKindAlone) {
      return 500;
    }
    kind = reader.varint() >> 1;
  } else {
    std::string_view field = reader.text(kBinaryText.size());
    if (field == kBinaryText) {
      reader.text(reader.big32());
      field = reader.text(kBinaryKind.size());
    }
    if (field != kBinaryKind) return 500;
    kind = reader.big32();
  }
  return reader.is_short() ? 500 : status_of_kind(kind);
}

}  // namespace hone::mesh
