// The resources of a control plane, as they came.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "envoy/parts.hpp"

namespace hone::mesh::xds {

// Kind is the kind of a resource. All clusters and all listeners are requested; other resources are requested by name.
enum class Kind : std::uint8_t { kClusters, kEndpoints, kListeners, kRoutes, kSecrets };
inline constexpr std::array kKinds = {Kind::kClusters, Kind::kEndpoints, Kind::kListeners, Kind::kRoutes,
                                      Kind::kSecrets};

constexpr bool is_by_name(Kind kind) {
  return kind != Kind::kClusters && kind != Kind::kListeners;
}

// Return a word for people, the full name of the message, and the field that has its name.
std::string_view word_of(Kind kind);
std::string_view message_of(Kind kind);
std::string_view name_field_of(Kind kind);
// Returns the URL of a kind in requests and responses; kind_of returns nothing for the URL of another kind.
std::string url_of(Kind kind);
std::optional<Kind> kind_of(std::string_view url);

// Resource is one message, as bytes: many of them are kept, and few are parsed.
struct Resource {
  std::string bytes;
  std::string version;
};
using Resources = std::map<std::string, Resource>;

// Store has the resources of each kind by name.
class Store {
 public:
  Resources& of(Kind kind) { return kinds_[static_cast<std::size_t>(kind)]; }
  const Resources& of(Kind kind) const { return kinds_[static_cast<std::size_t>(kind)]; }
  // Returns a message by its name; nothing where it is not there or its bytes are broken.
  std::optional<envoy::Named> find(Kind kind, const std::string& name) const;

  // Writes all resources to a file, in the place of its old text. Returns the error; empty where there is none.
  std::string save(const std::string& path) const;
  // Reads a file that save has written. Returns the error; the store must be emptied then.
  std::string load(const std::string& path);

 private:
  std::array<Resources, kKinds.size()> kinds_;
};

}  // namespace hone::mesh::xds
