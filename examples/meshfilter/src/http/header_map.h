#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "http/header_ids.h"

namespace mesh {

class HeaderVisitor {
 public:
  virtual ~HeaderVisitor() = default;
  /// False ends the walk.
  virtual bool onHeader(std::string_view name, std::string_view value) = 0;
};

class NameFilter {
 public:
  virtual ~NameFilter() = default;
  virtual bool selects(std::string_view name) const = 0;
};

/// The headers of one message, in order of arrival, with lower-case names. An interface, so that
/// filters can be tested against mocks and a codec can bring its own storage.
class HeaderMap {
 public:
  virtual ~HeaderMap() = default;

  virtual std::optional<std::string_view> get(HeaderId id) const = 0;
  /// The first header of that lower-case name, known or not.
  virtual std::optional<std::string_view> get(std::string_view name) const = 0;

  /// Replaces all headers of that name by one.
  virtual void set(HeaderId id, std::string_view value) = 0;
  virtual void set(std::string_view name, std::string_view value) = 0;
  /// Adds a header beside those of the same name.
  virtual void add(std::string_view name, std::string_view value) = 0;

  virtual void remove(HeaderId id) = 0;
  virtual void remove(std::string_view name) = 0;
  /// Removes what the filter selects, except pseudo headers; returns how many went.
  virtual size_t removeIf(const NameFilter& filter) = 0;

  virtual void visit(HeaderVisitor& visitor) const = 0;
  virtual size_t size() const = 0;
};

std::unique_ptr<HeaderMap> makeHeaderMap();

}  // namespace mesh
