// Targets and hosts of requests, checked and brought into the one form that routes, rules and servers agree on.
#pragma once

#include <optional>
#include <string_view>

#include "base/arena.hpp"

namespace hone::mesh {

// Target is the target of a request line in its parts.
struct Target {
  // Scheme and authority, empty where the target has none, which is the usual form.
  std::string_view scheme;
  std::string_view authority;
  // Begins with a slash, has no segments "." and "..", encoded or not, and ends with the query. Or it is "*".
  std::string_view path;
};

// Returns the parts of a target; nothing where no server should see the target. Paths that have to be rewritten lie in
// the arena.
std::optional<Target> parse_target(std::string_view text, std::string_view method, Arena& arena);

// True if the text can stand in Host: a name, a number or a number in brackets, with or without a port.
bool is_authority(std::string_view text);

// Returns the path without its query.
inline std::string_view path_of(std::string_view path_and_query) {
  return path_and_query.substr(0, path_and_query.find('?'));
}

// Returns the query without its question mark.
inline std::string_view query_of(std::string_view path_and_query) {
  const std::size_t at = path_and_query.find('?');
  return at == path_and_query.npos ? std::string_view() : path_and_query.substr(at + 1);
}

// Returns a path with its query as a less strict server may read it: percent codes are decoded, several slashes and a
// backslash are one slash, parameters of segments (";a=b") are cut, and then segments of dots are removed. The result
// is for rules about access, and is never sent. The same view is returned where all servers read the path alike.
std::string_view decoded_path(std::string_view path_and_query, Arena& arena);

// Returns an authority without its port.
std::string_view host_of(std::string_view authority);

}  // namespace hone::mesh
