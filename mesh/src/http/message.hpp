// Heads of messages, the same for every wire.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/buffer.hpp"
#include "http/headers.hpp"

namespace hone::mesh {

// Body tells how a message's body ends. The wires take it from the fields that say so, and write these fields anew: no
// Content-Length and no Transfer-Encoding is ever passed on as it came.
struct Body {
  enum class Kind : std::uint8_t { kNone, kSized, kStreamed };
  Kind kind = Kind::kNone;
  // Bytes of a sized body.
  std::uint64_t size = 0;
};

// What a connection or a stream may become, the same on all wires: bytes of WebSocket both ways. Whoever asks for it
// says GET and no body, and is answered by 101: then bodies go both ways until their ends. Any other answer is one to a
// GET.
inline constexpr std::string_view kWebSocket = "websocket";
inline constexpr int kSwitching = 101;

// Coding is how the values of a message of Thrift are written. Messages of other wires have none.
enum class Coding : std::uint8_t { kNone, kBinary, kCompact };

// Methods of Thrift: whether anybody waits for an answer.
inline constexpr std::string_view kCall = "CALL";
inline constexpr std::string_view kOneway = "ONEWAY";

// Head is what comes before the body of a request or of a response. That of a call of Thrift has kCall or kOneway as
// method, the service that the TTHeader names as authority, and "/Service/function" as path; an exception in answer to
// it has a status of 400 or more.
struct Head {
  // Requests: path is with its query, authority what stands in Host.
  std::string_view method;
  std::string_view scheme;
  std::string_view authority;
  std::string_view path;
  // Responses: from 100 to 599. Heads below 200 come before the one that counts.
  int status = 0;
  Body body;
  // kWebSocket where that is asked for or agreed to, nothing otherwise.
  std::string_view upgrade;
  // Thrift: the name as it stands in the message.
  std::string_view function;
  Coding coding = Coding::kNone;
  Headers headers;
  // What the views point into, where that is not the arena or constant.
  BufferRef keeper;
};

inline constexpr bool is_informational(int status) {
  return status < 200;
}

// Returns the words of a status, such as "Not Found"; a word of its class for one that is not registered.
std::string_view reason_of(int status);

}  // namespace hone::mesh
