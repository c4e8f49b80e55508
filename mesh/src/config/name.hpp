// Names of listeners and clusters, which stand in labels and lines of the log.
#pragma once

#include <algorithm>
#include <string_view>

#include "base/text.hpp"

namespace hone::mesh::config {

inline constexpr std::size_t kLongestName = 64;

constexpr bool is_name_byte(char c) {
  return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') || c == '-' || c == '_' || c == '.';
}

constexpr bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= kLongestName && std::all_of(text.begin(), text.end(), is_name_byte);
}

}  // namespace hone::mesh::config
