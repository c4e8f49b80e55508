#include "envoy/fill.hpp"

#include <stdexcept>

namespace hone::mesh::envoy {
namespace {

const google::protobuf::FieldDescriptor* found(const Message& message, std::string_view name) {
  const auto* const field = message.GetDescriptor()->FindFieldByName(std::string(name));
  if (field == nullptr) throw std::logic_error(message.GetTypeName() + " has no field " + std::string(name));
  return field;
}

}  // namespace

void set_text(Message& message, std::string_view field, const std::string& text) {
  message.GetReflection()->SetString(&message, found(message, field), text);
}

void add_text(Message& message, std::string_view field, const std::string& text) {
  message.GetReflection()->AddString(&message, found(message, field), text);
}

void set_number(Message& message, std::string_view field, std::int32_t number) {
  message.GetReflection()->SetInt32(&message, found(message, field), number);
}

Message& message_in(Message& message, std::string_view field) {
  return *message.GetReflection()->MutableMessage(&message, found(message, field));
}

Message& add_message(Message& message, std::string_view field) {
  return *message.GetReflection()->AddMessage(&message, found(message, field));
}

void add_entry(Message& message, std::string_view field, const std::string& key, const std::string& value) {
  Message& entry = add_message(message, field);
  set_text(entry, "key", key);
  set_text(entry, "value", value);
}

std::string text_in(const Message& message, std::string_view field) {
  return message.GetReflection()->GetString(message, found(message, field));
}

}  // namespace hone::mesh::envoy
