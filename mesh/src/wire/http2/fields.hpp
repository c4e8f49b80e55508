// The meaning of fields of HTTP/2, and checks for messages that no server should see (RFC 9113, section 8).
#pragma once

#include "http/message.hpp"
#include "wire/http2/hpack.hpp"

namespace hone::mesh::http2 {

// Make a head from decoded fields, which lie in the head already, together with those that begin with a colon. Return
// false where the message is malformed.
bool take_request(Head& head, bool is_ended, Arena& arena);
bool take_response(Head& head, bool is_ended, bool is_reply_to_head);
// Checks trailers, and removes fields that have no place in them. Returns false where they are malformed.
bool take_trailers(Headers& trailers);

// Encode the fields of a message. The bytes stay valid until the encoder's next call.
std::string_view encode_request(Encoder& encoder, const Head& head);
std::string_view encode_response(Encoder& encoder, const Head& head);
std::string_view encode_trailers(Encoder& encoder, const Headers& trailers);

}  // namespace hone::mesh::http2
