// Conditions on requests: on texts, fields and parameters, compiled once.
#pragma once

#include <re2/re2.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.hpp"

namespace hone::mesh {

// TextMatch is a condition on one text.
struct TextMatch {
  enum class Kind : std::uint8_t { kPresent, kExact, kPrefix, kSuffix, kRegex };

  // Regular expressions match the whole text; RE2 takes time that grows with the text alone.
  bool matches(std::string_view value) const;

  Kind kind = Kind::kPresent;
  std::string text;
  std::unique_ptr<const re2::RE2> regex;
};

// FieldMatch is a condition on a field of the head, or on a parameter of the query.
struct FieldMatch {
  // For fields, in lower case.
  std::string name;
  TextMatch value;
  // True if the condition is that no such field or parameter matches.
  bool is_inverted = false;

  bool matches_header(const Headers& headers) const;
  bool matches_query(std::string_view query) const;
};

// PathMatch is a condition on the path without its query.
struct PathMatch {
  // A prefix ends where a segment does: "/shop" matches "/shop" and "/shop/a", and not "/shopping".
  enum class Kind : std::uint8_t { kExact, kPrefix, kRegex };

  bool matches(std::string_view path) const;

  Kind kind = Kind::kPrefix;
  std::string text;
  std::unique_ptr<const re2::RE2> regex;
};

// RequestMatch holds all conditions of a route on a request.
struct RequestMatch {
  bool matches(const Head& head) const;

  PathMatch path;
  // Any method where the list is empty.
  std::vector<std::string> methods;
  std::vector<FieldMatch> headers;
  std::vector<FieldMatch> query;
};

}  // namespace hone::mesh
