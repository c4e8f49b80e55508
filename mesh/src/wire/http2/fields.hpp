// What fields of HTTP/2 mean, and which of them make a message that no server should see (RFC 9113, section 8).
#pragma once

#include "http/message.hpp"
#include "wire/http2/hpack.hpp"

namespace hone::mesh::http2 {

// Makes a head of decoded fields, which lie in the head already, with those that begin with a colon. Returns false
// where the message is malformed.
bool take_request(Head& head, bool is_ended, Arena& arena);
bool take_response(Head& head, bool is_ended, bool is_reply_to_head);
// Checks trailers, and takes out what has no place there. Returns false where they are malformed.
bool take_trailers(Headers& trailers);

// Encode the fields of a message. The bytes are there until the encoder's next call.
std::string_view encode_request(Encoder& encoder, const Head& head);
std::string_view encode_response(Encoder& encoder, const Head& head);
std::string_view encode_trailers(Encoder& encoder, const Headers& trailers);

}  // namespace hone::mesh::http2
