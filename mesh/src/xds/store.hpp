// What a control plane has said, as it said it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "envoy/parts.hpp"

namespace hone::mesh::xds {

// Kind is what a resource is. All clusters and all listeners are asked for, and what these name by its name.
enum class Kind : std::uint8_t { kClusters, kEndpoints, kListeners, kRoutes, kSecrets };
inline constexpr std::array kKinds = {Kind::kClusters, Kind::kEndpoints, Kind::kListeners, Kind::kRoutes,
                                      Kind::kSecrets};

constexpr bool is_by_name(Kind kind) {
  return kind != Kind::kClusters && kind != Kind::kListeners;
}

// Returns a word for people, the full name of the message, and the field that has its name.
std::string_view word_of(Kind kind);
std::string_view message_of(Kind kind);
std::string_view name_field_of(Kind kind);
// Returns what requests and responses call the kind; nothing where it is none of these.
std::string url_of(Kind kind);
std::optional<Kind> kind_of(std::string_view url);

// Resource is one message, as bytes: many of them are kept, and few are looked at.
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

  // Writes everything to a file, in the place of what it had. Returns what went wrong; empty where nothing did.
  std::string save(const std::string& path) const;
  // Reads what save has written. Returns what is wrong; then there is nothing.
  std::string load(const std::string& path);

 private:
  std::array<Resources, kKinds.size()> kinds_;
};

}  // namespace hone::mesh::xds
