// Support for Thrift above its wire: how long a call may take, and how errors are reported.
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

// Returns the timeout in a call's TTHeader, which is in milliseconds; nothing where it is invalid or zero.
std::optional<Duration> parse_thrift_timeout(std::string_view value);

// Returns the head of a reply to a caller of Thrift, to whom a proxy can only answer with an exception.
Head thrift_head_of(const Reply& reply);

// Returns the body of a TApplicationException that carries a reply to a caller: the reply's body, or else the words of
// its status, and the kind that is nearest to the status.
std::string_view thrift_exception_of(const Reply& reply, Coding coding, Arena& arena);

// Returns the status for an exception that was answered; 500 where the exception's body is incomplete.
int status_of_exception(std::string_view body, Coding coding);

}  // namespace hone::mesh
