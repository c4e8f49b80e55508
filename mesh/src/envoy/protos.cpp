#include "envoy/protos.hpp"

#include <google/protobuf/arena.h>
#include <google/protobuf/descriptor_database.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/util/json_util.h>
#include <yaml-cpp/yaml.h>

#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "base/escape.hpp"

// A google.protobuf.FileDescriptorSet of the files that descriptors.S names.
extern "C" const char hone_mesh_envoy_descriptors[];
extern "C" const char hone_mesh_envoy_descriptors_end[];

namespace hone::mesh::envoy {
namespace {

namespace protobuf = google::protobuf;

// How deep YAML may be nested: Envoy's own deepest configurations have some twenty levels.
constexpr int kDeepest = 100;
constexpr std::size_t kMostBytes = 256 << 20;
// Field 1 of google.protobuf.FileDescriptorSet.
constexpr std::uint32_t kFileTag = 1 << 3 | 2;

// Known makes the description of a message when it is first needed: few of Envoy's files ever are.
struct Known {
  protobuf::EncodedDescriptorDatabase files;
  protobuf::DescriptorPool pool{&files};
  protobuf::DynamicMessageFactory factory{&pool};

  Known() {
    // The reader of the bytes reports what is wrong with them; the library does not log it.
    protobuf::SetLogHandler(nullptr);
    // The set is a list of files, each behind its tag and its length; its bytes are not copied.
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(hone_mesh_envoy_descriptors);
    const auto size = static_cast<int>(hone_mesh_envoy_descriptors_end - hone_mesh_envoy_descriptors);
    protobuf::io::CodedInputStream input(bytes, size);
    while (input.ReadTag() == kFileTag) {
      std::uint32_t length = 0;
      if (!input.ReadVarint32(&length)) std::abort();
      const void* file = nullptr;
      int left = 0;
      if (!input.GetDirectBufferPointer(&file, &left) || !input.Skip(static_cast<int>(length))) std::abort();
      if (!files.Add(file, static_cast<int>(length))) std::abort();
    }
  }
};

Known& known() {
  static Known known;
  return known;
}

void append_text(std::string& json, const std::string& text) {
  json.push_back('"');
  append_escaped(json, text, Beyond::kUtf8);
  json.push_back('"');
}

// Returns whether an unquoted scalar of YAML is a number, true or false of JSON.
bool is_literal(const YAML::Node& scalar) {
  const std::string& text = scalar.Scalar();
  if (scalar.Tag() == "!" || text.empty()) return false;
  if (text == "true" || text == "false") return true;
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return *end == '\0' && text.find_first_not_of("+-.0123456789eE") == text.npos;
}

// Returns whether a map is a message whose kind is not in Envoy's API.
bool is_unknown(const YAML::Node& map) {
  const YAML::Node type = map["@type"];
  if (!type || !type.IsScalar()) return false;
  const std::string& url = type.Scalar();
  return known().pool.FindMessageTypeByName(url.substr(url.rfind('/') + 1)) == nullptr;
}

void append_json(std::string& json, const YAML::Node& node, int depth) {
  if (depth > kDeepest) throw std::runtime_error("it is nested too deeply");
  // Aliases can make a long text out of a short one.
  if (json.size() > kMostBytes) throw std::runtime_error("it has more than 256 MiB, or its aliases make so much of it");
  const char* separator = "";
  const bool is_kept = node.IsMap() && is_unknown(node);
  if (is_kept) json.append("{\"@type\":\"type.googleapis.com/").append(kUnknown).append("\",\"value\":");
  switch (node.Type()) {
    case YAML::NodeType::Map:
      json.push_back('{');
      for (const auto& entry : node) {
        json.append(std::exchange(separator, ","));
        append_text(json, entry.first.as<std::string>());
        json.push_back(':');
        append_json(json, entry.second, depth + 1);
      }
      json.push_back('}');
      break;
    case YAML::NodeType::Sequence:
      json.push_back('[');
      for (const YAML::Node& item : node) {
        json.append(std::exchange(separator, ","));
        append_json(json, item, depth + 1);
      }
      json.push_back(']');
      break;
    case YAML::NodeType::Scalar:
      if (is_literal(node)) {
        json.append(node.Scalar());
      } else {
        append_text(json, node.Scalar());
      }
      break;
    default:
      json.append("null");
  }
  if (is_kept) json.push_back('}');
}

}  // namespace

std::shared_ptr<Message> make_message(std::string_view name) {
  const protobuf::Descriptor* const descriptor = known().pool.FindMessageTypeByName(std::string(name));
  if (descriptor == nullptr) return nullptr;
  const auto arena = std::make_shared<protobuf::Arena>();
  return {arena, known().factory.GetPrototype(descriptor)->New(arena.get())};
}

const protobuf::FieldDescriptor& field_of(const Message& message, std::string_view name) {
  const protobuf::FieldDescriptor* const field = message.GetDescriptor()->FindFieldByName(std::string(name));
  if (field == nullptr) throw std::logic_error(message.GetTypeName() + " has no field " + std::string(name));
  return *field;
}

std::shared_ptr<Message> unpack(const Message& any) {
  const protobuf::Descriptor& descriptor = *any.GetDescriptor();
  const protobuf::Reflection& reflection = *any.GetReflection();
  std::string url = reflection.GetString(any, descriptor.FindFieldByNumber(1));
  std::shared_ptr<Message> message = make_message(url.substr(url.rfind('/') + 1));
  if (message == nullptr) return nullptr;
  const std::string value = reflection.GetString(any, descriptor.FindFieldByNumber(2));
  return message->ParseFromString(value) ? message : nullptr;
}

Json json_of(const std::string& yaml) {
  Json made;
  try {
    append_json(made.text, YAML::Load(yaml), 0);
  } catch (const std::exception& error) {
    made.problem = error.what();
  }
  return made;
}

std::string parse(const std::string& json, Message& message) {
  const auto status = protobuf::util::JsonStringToMessage(json, &message);
  return status.ok() ? "" : std::string(status.message());
}

}  // namespace hone::mesh::envoy
