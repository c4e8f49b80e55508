#include "xds/store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/file.hpp"
#include "envoy/fields.hpp"
#include "net/descriptor.hpp"
#include "xds/discovery.hpp"

namespace hone::mesh::xds {
namespace {

constexpr std::string_view kUrl = "type.googleapis.com/";

struct Words {
  std::string_view word;
  std::string_view message;
  std::string_view name_field;
};
constexpr std::array<Words, kKinds.size()> kWords = {{
    {"clusters", "envoy.config.cluster.v3.Cluster", "name"},
    {"endpoints", "envoy.config.endpoint.v3.ClusterLoadAssignment", "cluster_name"},
    {"listeners", "envoy.config.listener.v3.Listener", "name"},
    {"routes", "envoy.config.route.v3.RouteConfiguration", "name"},
    {"secrets", "envoy.extensions.transport_sockets.tls.v3.Secret", "name"},
}};

const Words& words_of(Kind kind) {
  return kWords[static_cast<std::size_t>(kind)];
}

// Writes a file anew: a reader sees the old text or the new one.
bool replace_file(const std::string& path, std::string_view text) {
  const std::string beside = path + ".new";
  const Descriptor file(::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!file || !write_all(file.get(), text) || ::fsync(file.get()) != 0) return false;
  return std::rename(beside.c_str(), path.c_str()) == 0;
}

}  // namespace

std::string_view word_of(Kind kind) {
  return words_of(kind).word;
}
std::string_view message_of(Kind kind) {
  return words_of(kind).message;
}
std::string_view name_field_of(Kind kind) {
  return words_of(kind).name_field;
}
std::string url_of(Kind kind) {
  return std::string(kUrl).append(message_of(kind));
}

std::optional<Kind> kind_of(std::string_view url) {
  for (const Kind kind : kKinds) {
    if (url == url_of(kind)) return kind;
  }
  return std::nullopt;
}

std::optional<envoy::Named> Store::find(Kind kind, const std::string& name) const {
  const auto found = of(kind).find(name);
  if (found == of(kind).end()) return std::nullopt;
  std::shared_ptr<envoy::Message> message = envoy::make_message(message_of(kind));
  if (!message->ParseFromString(found->second.bytes)) return std::nullopt;
  return envoy::Named{std::move(message), std::string(word_of(kind)).append(".").append(name)};
}

std::string Store::save(const std::string& path) const {
  std::string text;
  for (const Kind kind : kKinds) {
    const std::string message = response_of(kind, of(kind));
    text.append(std::to_string(message.size())).append("\n").append(message);
  }
  if (replace_file(path, text)) return {};
  return path + ": " + std::strerror(errno);
}

std::string Store::load(const std::string& path) {
  const std::optional<std::string> text = text_of_file(path);
  if (!text) return path + ": " + std::strerror(errno);
  std::string_view rest = *text;
  for (const Kind kind : kKinds) {
    const std::size_t end = rest.find('\n');
    std::size_t size = 0;
    const bool has_size = end < 20 && std::sscanf(std::string(rest.substr(0, end)).c_str(), "%zu", &size) == 1;
    if (!has_size || rest.size() - end - 1 < size) return path + ": this is no such file, or a part of it is missing";
    std::optional<Response> response = parse_response(rest.substr(end + 1, size), true);
    if (!response || response->kind != kind) return path + ": a part of it is broken";
    of(kind) = std::move(response->resources);
    rest.remove_prefix(end + 1 + size);
  }
  return {};
}

}  // namespace hone::mesh::xds
