#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mesh {

struct SplitTarget {
  std::string_view path;
  std::string_view query;  // without the '?'
};

/// Cuts a request target into path and query; drops a fragment.
SplitTarget splitTarget(std::string_view target);

/// True if `normalisePath` would return the path as it is.
bool isNormalPath(std::string_view path);

/// Decodes unreserved percent triplets, writes the others in upper case, merges slashes and
/// resolves dot segments. Nothing if the path is malformed, holds an encoded slash or NUL, or
/// climbs above the root: such paths are read differently by different servers.
std::optional<std::string> normalisePath(std::string_view path);

/// The raw value of the first query parameter of that name.
std::optional<std::string_view> queryParameter(std::string_view query, std::string_view name);

}  // namespace mesh
