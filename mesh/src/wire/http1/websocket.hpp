// The proof that a server of HTTP/1 has understood a request for WebSocket (RFC 6455, section 4). The proxy asks for it
// itself for clients of HTTP/2, which have no such proof.
#pragma once

#include <string>
#include <string_view>

namespace hone::mesh::http1 {

inline constexpr std::string_view kWebSocketKey = "sec-websocket-key";
inline constexpr std::string_view kWebSocketAccept = "sec-websocket-accept";

// Makes a key that no server can have seen before.
std::string make_websocket_key();

// Returns the value with which a server answers a key.
std::string websocket_accept(std::string_view key);

}  // namespace hone::mesh::http1
