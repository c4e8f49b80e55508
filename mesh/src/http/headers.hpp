// Fields of a message: names and values as views, in the order in which they came.
//
// The wires make names lower case, so that names are compared as bytes. Names that the proxy itself looks for have an
// id, found once when the field is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "base/arena.hpp"

namespace hone::mesh {

// HeaderId is a name that the proxy knows.
enum class HeaderId : std::uint8_t {
  kOther,
  kConnection,
  kContentLength,
  kContentType,
  kDate,
  kExpect,
  kForwardedClientCert,
  kForwardedFor,
  kForwardedHost,
  kForwardedProto,
  kGrpcMessage,
  kGrpcStatus,
  kGrpcTimeout,
  kHost,
  kKeepAlive,
  kLocation,
  kProxyConnection,
  kRequestId,
  kRpcTimeout,
  kServer,
  kTe,
  kTrailer,
  kTransferEncoding,
  kUpgrade,
  kUserAgent,
};

// Returns the id of a name in lower case.
HeaderId id_of(std::string_view name);

// Returns the name of an id; nothing for kOther.
std::string_view name_of(HeaderId id);

// Header is one field.
struct Header {
  std::string_view name;
  std::string_view value;
  HeaderId id = HeaderId::kOther;
};

// Headers is a list of fields in an arena. Names and values live as long as the message that they belong to.
class Headers {
 public:
  void add(Arena& arena, Header header) {
    if (size_ == capacity_) grow(arena);
    items_[size_++] = header;
  }
  void add(Arena& arena, HeaderId id, std::string_view value) { add(arena, {name_of(id), value, id}); }

  // Replaces the first field of this name, or adds the field at the end; there is one field of the name afterwards.
  void set(Arena& arena, Header header);
  void set(Arena& arena, HeaderId id, std::string_view value) { set(arena, {name_of(id), value, id}); }

  // Returns the first field, nullptr where there is none.
  Header* find(HeaderId id);
  const Header* find(HeaderId id) const { return const_cast<Headers*>(this)->find(id); }
  // Names are compared without regard to case, since TTHeaders keep the case of theirs.
  Header* find(std::string_view name);
  const Header* find(std::string_view name) const { return const_cast<Headers*>(this)->find(name); }

  // Removes all fields for which the predicate is true.
  template <class Predicate>
  void remove_if(Predicate predicate) {
    std::uint32_t kept = 0;
    for (std::uint32_t at = 0; at < size_; ++at) {
      if (!predicate(items_[at])) items_[kept++] = items_[at];
    }
    size_ = kept;
  }
  void remove(HeaderId id) {
    remove_if([id](const Header& header) { return header.id == id; });
  }
  void remove(std::string_view name) {
    remove_if([name](const Header& header) { return header.name == name; });
  }

  std::span<Header> items() { return {items_, size_}; }
  std::span<const Header> items() const { return {items_, size_}; }
  std::size_t size() const { return size_; }
  bool is_empty() const { return size_ == 0; }

 private:
  void grow(Arena& arena);

  Header* items_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 0;
};

}  // namespace hone::mesh
