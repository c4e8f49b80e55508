// Requests and responses of Envoy's discovery services, in both of their forms: changes alone (delta), and the state of
// the world each time.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "config/snapshot.hpp"
#include "xds/store.hpp"

namespace hone::mesh::xds {

// Returns the method of a stream that carries all kinds.
std::string_view method_of(bool is_delta);

// Request asks for resources of a kind, or answers a response.
struct Request {
  Kind kind = Kind::kClusters;
  // The node of this process; nullptr in all requests of a stream but the first.
  const NodeSpec* node = nullptr;
  // Delta: names that are added and dropped. State: all names.
  std::vector<std::string> names;
  std::vector<std::string> names_gone = {};
  // Delta, in the first request of a kind: the resources that are known already.
  const Resources* known = nullptr;
  // State: the version that is in force.
  std::string version = {};
  // The nonce of the response that is answered; empty where there was none.
  std::string nonce = {};
  // The reason why the response is refused; empty where it is taken.
  std::string refusal = {};
};
std::string bytes_of(const Request& request, bool is_delta);

// Response is a response of a control plane.
struct Response {
  // The kind; nothing for a kind that is not known here, whose name is in the URL.
  std::optional<Kind> kind;
  std::string url;
  Resources resources;
  // The names of removed resources. Delta alone.
  std::vector<std::string> gone;
  std::string version;
  std::string nonce;
};
// Parses a response. Returns nothing where the bytes are no such message.
std::optional<Response> parse_response(std::string_view bytes, bool is_delta);
// Adds the resources of a file: a DiscoveryResponse in JSON or YAML, in which each resource has its own kind. Returns
// the fault of the file; empty where there is none.
std::string add_resources(const std::string& text, Store& into);
// Returns a response of the delta form with these resources.
std::string response_of(Kind kind, const Resources& resources);

}  // namespace hone::mesh::xds
