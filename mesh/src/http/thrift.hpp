// What the proxy has to know of Thrift above its wire: how long a call may take, and how errors are told.
#pragma once

#include <optional>
#include <string_view>

#include "base/time.hpp"
#include "http/reply.hpp"

namespace hone::mesh {

// True if a request is a call of Thrift.
inline bool is_thrift(const Head& request) {
  return request.coding != Coding::kNone;
}

// Returns the time that a call's TTHeader gives, which is in milliseconds; nothing where it is none.
std::optional<Duration> parse_thrift_timeout(std::string_view value);

// Returns the head of a reply to a caller of Thrift, who knows no answer of a proxy's but an exception.
Head thrift_head_of(const Reply& reply);

// Returns the body of a TApplicationException that tells a caller of a reply: its body or else its status in words, and
// the kind that is nearest to the status.
std::string_view thrift_exception_of(const Reply& reply, Coding coding, Arena& arena);

// Returns the status that an answered exception comes to; 500 where its body is not all there.
int status_of_exception(std::string_view body, Coding coding);

}  // namespace hone::mesh
