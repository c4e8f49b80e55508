#include "http/headers.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"

namespace hone::mesh {
namespace {

// The names in the order of HeaderId, after kOther.
constexpr std::array<std::string_view, 24> kNames = {
    "connection",
    "content-length",
    "content-type",
    "date",
    "expect",
    "x-forwarded-client-cert",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "grpc-message",
    "grpc-status",
    "grpc-timeout",
    "host",
    "keep-alive",
    "location",
    "proxy-connection",
    "x-request-id",
    ":rpc-timeout",
    "server",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
};
static_assert(kNames.size() == static_cast<std::size_t>(HeaderId::kUserAgent));

// Length, first, last and middle byte tell all known names apart.
constexpr std::size_t kTableSize = 64;
constexpr std::size_t place_of(std::string_view name) {
  const auto first = static_cast<unsigned char>(name.front());
  const auto last = static_cast<unsigned char>(name.back());
  const auto middle = static_cast<unsigned char>(name[name.size() / 2]);
  return (name.size() + first + last + middle * 7u) % kTableSize;
}

struct Table {
  std::array<HeaderId, kTableSize> ids{};
  bool is_perfect = true;
};
constexpr Table kTable = [] {
  Table table;
  for (std::size_t at = 0; at < kNames.size(); ++at) {
    HeaderId& id = table.ids[place_of(kNames[at])];
    if (id != HeaderId::kOther) table.is_perfect = false;
    id = static_cast<HeaderId>(at + 1);
  }
  return table;
}();
static_assert(kTable.is_perfect, "two names share a place: change the factors of place_of");

}  // namespace

std::string_view name_of(HeaderId id) {
  return id == HeaderId::kOther ? std::string_view() : kNames[static_cast<std::size_t>(id) - 1];
}

HeaderId id_of(std::string_view name) {
  if (name.empty()) return HeaderId::kOther;
  const HeaderId id = kTable.ids[place_of(name)];
  return name_of(id) == name ? id : HeaderId::kOther;
}

void Headers::set(Arena& arena, Header header) {
  Header* const first = header.id == HeaderId::kOther ? find(header.name) : find(header.id);
  if (first == nullptr) return add(arena, header);
  first->value = header.value;
  bool is_first = true;
  remove_if([&](const Header& other) { return other.name == header.name && !std::exchange(is_first, false); });
}

Header* Headers::find(HeaderId id) {
  for (Header& header : items()) {
    if (header.id == id) return &header;
  }
  return nullptr;
}

Header* Headers::find(std::string_view name) {
  for (Header& header : items()) {
    if (equal_ignoring_case(header.name, name)) return &header;
  }
  return nullptr;
}

void Headers::grow(Arena& arena) {
  const std::uint32_t capacity = capacity_ == 0 ? 24 : capacity_ * 2;
  Header* const items = arena.array<Header>(capacity);
  std::copy_n(items_, size_, items);
  items_ = items;
  capacity_ = capacity;
}

}  // namespace hone::mesh
