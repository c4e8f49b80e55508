#include "envoy/fill.hpp"

namespace hone::mesh::envoy {
void set_text(Message& message, std::string_view field, const std::string& text) {
  message.GetReflection()->SetString(&message, &field_of(message, field), text);
}

void add_text(Message& message, std::string_view field, const std::string& text) {
  message.GetReflection()->AddString(&message, &field_of(message, field), text);
}

void set_number(Message& message, std::string_view field, std::int32_t number) {
  message.GetReflection()->SetInt32(&message, &field_of(message, field), number);
}

Message& message_in(Message& message, std::string_view field) {
  return *message.GetReflection()->MutableMessage(&message, &field_of(message, field));
}

Message& add_message(Message& message, std::string_view field) {
  return *message.GetReflection()->AddMessage(&message, &field_of(message, field));
}

void add_entry(Message& message, std::string_view field, const std::string& key, const std::string& value) {
  Message& entry = add_message(message, field);
  set_text(entry, "key", key);
  set_text(entry, "value", value);
}

std::string text_in(const Message& message, std::string_view field) {
  return message.GetReflection()->GetString(message, &field_of(message, field));
}

}  // namespace hone::mesh::envoy
