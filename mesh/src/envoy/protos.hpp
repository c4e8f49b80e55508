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
// none. All that is in it has its memory in one piece, and ends with it.
std::shared_ptr<Message> make_message(std::string_view name);

// Returns the description of a message's field. Throws std::logic_error where it has none of this name.
const google::protobuf::FieldDescriptor& field_of(const Message& message, std::string_view name);

// Returns what a google.protobuf.Any holds; nullptr where its kind is not known or its bytes are broken.
std::shared_ptr<Message> unpack(const Message& any);

// The kind of what stands in the place of a message of an unknown kind: its words, with its "@type".
inline constexpr std::string_view kUnknown = "google.protobuf.Struct";

// Json is a text of YAML, whose words are those of JSON, as JSON; or what is wrong with it.
struct Json {
  std::string text;
  std::string problem;
};
Json json_of(const std::string& yaml);

// Fills a message from JSON. Returns what is wrong; empty where nothing is.
std::string parse(const std::string& json, Message& message);

}  // namespace hone::mesh::envoy
