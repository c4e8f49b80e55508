// The messages of Envoy's API, known by their descriptions alone: no code is generated for them.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <memory>
#include <string>
#include <string_view>

namespace hone::mesh::envoy {

using Message = google::protobuf::Message;

// Returns an empty message by its full name, such as "envoy.config.bootstrap.v3.Bootstrap"; nullptr where there is
// none. All parts of the message lie in one arena, which ends with it.
std::shared_ptr<Message> make_message(std::string_view name);

// Returns the description of a message's field. Throws std::logic_error where the message has no field of this name.
const google::protobuf::FieldDescriptor& field_of(const Message& message, std::string_view name);

// Returns the message in a google.protobuf.Any; nullptr where its kind is not known or its bytes are broken.
std::shared_ptr<Message> unpack(const Message& any);

// The kind of the message that stands in for one of an unknown kind, with its fields and its "@type".
inline constexpr std::string_view kUnknown = "google.protobuf.Struct";

// Json is a YAML text as JSON, with its scalars read as those of JSON; or the reason why this failed.
struct Json {
  std::string text;
  std::string problem;
};
Json json_of(const std::string& yaml);

// Fills a message from JSON. Returns the error; empty where there is none.
std::string parse(const std::string& json, Message& message);

}  // namespace hone::mesh::envoy
