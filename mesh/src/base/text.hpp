// Text as HTTP sees it: ASCII, compared without regard to case, and numbers that are digits and nothing else.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hone::mesh {

constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

constexpr bool equal_ignoring_case(std::string_view left, std::string_view right) {
  if (left.size() != right.size()) return false;
  for (std::size_t at = 0; at < left.size(); ++at) {
    if (lower(left[at]) != lower(right[at])) return false;
  }
  return true;
}

constexpr std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Returns the text before the separator, and leaves the text behind it in `rest`; returns all of it where there is no
// separator.
constexpr std::string_view take_until(std::string_view& rest, char separator) {
  const std::size_t at = rest.find(separator);
  const std::string_view taken = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + 1);
  return taken;
}

// True if a list with commas, such as that of the header Connection, has this item.
constexpr bool list_has(std::string_view list, std::string_view item) {
  while (!list.empty()) {
    if (equal_ignoring_case(trimmed(take_until(list, ',')), item)) return true;
  }
  return false;
}

// True if the text can be a name of a field, of a method or of a cookie (RFC 9110, section 5.6.2).
constexpr bool is_token(std::string_view text) {
  constexpr std::string_view kSigns = "!#$%&'*+-.^_`|~";
  for (const char c : text) {
    if (!is_digit(c) && (lower(c) < 'a' || lower(c) > 'z') && kSigns.find(c) == kSigns.npos) return false;
  }
  return !text.empty();
}

// Returns the number that the digits stand for, or nothing where they are not digits alone or need more than 64 bits.
inline std::optional<std::uint64_t> number(std::string_view digits) {
  std::uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, value);
  if (digits.empty() || !is_digit(digits.front()) || error != std::errc() || stopped != end) return std::nullopt;
  return value;
}

// Digits is a number as text.
class Digits {
 public:
  explicit Digits(std::uint64_t value)
      : size_(static_cast<std::size_t>(std::to_chars(text_, text_ + sizeof text_, value).ptr - text_)) {}
  operator std::string_view() const { return {text_, size_}; }

 private:
  char text_[20];
  std::size_t size_;
};

}  // namespace hone::mesh
