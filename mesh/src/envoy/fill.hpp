// Fields of messages of Envoy's API, filled by their names.
#pragma once

#include <string>
#include <string_view>

#include "envoy/protos.hpp"

namespace hone::mesh::envoy {

// Each function throws std::logic_error where the message has no field of this name.
void set_text(Message& message, std::string_view field, const std::string& text);
void add_text(Message& message, std::string_view field, const std::string& text);
void set_number(Message& message, std::string_view field, std::int32_t number);
// Returns the message of a field, and makes it where the field is not set.
Message& message_in(Message& message, std::string_view field);
Message& add_message(Message& message, std::string_view field);
// Adds an entry to a map of texts.
void add_entry(Message& message, std::string_view field, const std::string& key, const std::string& value);

// Returns the text or the bytes of a field; empty where it is not set.
std::string text_in(const Message& message, std::string_view field);

}  // namespace hone::mesh::envoy
