#pragma once

#include <memory>
#include <string_view>

#include "core/config.h"

namespace mesh {

class StringMatcher {
 public:
  virtual ~StringMatcher() = default;
  virtual bool matches(std::string_view text) const = 0;
};

using StringMatcherPtr = std::unique_ptr<StringMatcher>;

/// Makes the matcher that two arguments of a directive name, from `index` on: a kind (exact,
/// prefix, suffix, contains, glob, present) and its pattern. `present` takes no pattern. In a glob,
/// `*` stands for any text without '/', `**` for any text, `?` for one character.
StringMatcherPtr makeStringMatcher(const Directive& directive, size_t index);

}  // namespace mesh
