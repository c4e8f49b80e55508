// Heads of messages, the same for every wire.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/buffer.hpp"
#include "http/headers.hpp"

namespace hone::mesh {

// Body describes how a message's body ends. The wires take this from the message's fields, and write these fields anew:
// no Content-Length and no Transfer-Encoding is ever passed on as it came.
struct Body {
  enum class Kind : std::uint8_t { kNone, kSized, kStreamed };
  Kind kind = Kind::kNone;
  // Bytes of a sized body.
  std::uint64_t size = 0;
};

// The protocol that a connection or a stream may switch to, the same on all wires: bytes of WebSocket in both
// directions. A client requests it with GET and no body, and is answered with 101: then bodies go both ways until their
// ends. Any other answer is an answer to a GET.
inline constexpr std::string_view kWebSocket = "websocket";
inline constexpr int kSwitching = 101;

// Coding is the encoding of the values in a message of Thrift. Messages of other wires have none.
enum class Coding : std::uint8_t { kNone, kBinary, kCompact };

// Methods of Thrift: the caller waits for an answer to a CALL, and not to a ONEWAY.
inline constexpr std::string_view kCall = "CALL";
inline constexpr std::string_view kOneway = "ONEWAY";

// Head is the part of a request or of a response before its body. The head of a call of Thrift has kCall or kOneway as
// method, the service that the TTHeader names as authority, and "/Service/function" as path; an exception in answer to
// the call has a status of 400 or more.
struct Head {
  // Requests: the path includes its query, and the authority is the value of Host.
  std::string_view method;
  std::string_view scheme;
  std::string_view authority;
  std::string_view path;
  // Responses: from 100 to 599. Heads below 200 come before the final head.
  int status = 0;
  Body body;
  // kWebSocket where it is requested or agreed to; empty otherwise.
  std::string_view upgrade;
  // Thrift: the name of the function as in the message.
  std::string_view function;
  Coding coding = Coding::kNone;
  Headers headers;
  // The buffer that the views point into, where they do not point into the arena or constants.
  BufferRef keeper;
};

inline constexpr bool is_informational(int status) {
  return status < 200;
}

// Returns the reason phrase of a status, such as "Not Found"; a phrase of its class for one that is not registered.
std::string_view reason_of(int status);

}  // namespace hone::mesh
