// Requests and responses of Envoy's discovery services, in both of their forms: what changes (delta), and the state of
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

// The method of a stream that carries all kinds.
std::string_view method_of(bool is_delta);

// Request asks for resources of a kind, or answers a response.
struct Request {
  Kind kind = Kind::kClusters;
  // Nullptr but in the first one of a stream.
  const NodeSpec* node = nullptr;
  // Delta: names that come and go. State: all names.
  std::vector<std::string> names;
  std::vector<std::string> names_gone = {};
  // Delta, in the first of its kind: what is known already.
  const Resources* known = nullptr;
  // State: the version that is in force.
  std::string version = {};
  // Of the response that is answered; empty where there was none.
  std::string nonce = {};
  // Why the response is not taken; empty where it is.
  std::string refusal = {};
};
std::string bytes_of(const Request& request, bool is_delta);

// Response is what a control plane says.
struct Response {
  // Nothing for one that is not known here, whose name is in the URL.
  std::optional<Kind> kind;
  std::string url;
  Resources resources;
  // Delta alone.
  std::vector<std::string> gone;
  std::string version;
  std::string nonce;
};
// Returns nothing where the bytes are no such message.
std::optional<Response> parse_response(std::string_view bytes, bool is_delta);
// Adds the resources of a file: a DiscoveryResponse in JSON or YAML, whose resources say themselves of which kind they
// are. Returns what is wrong with it; empty where nothing is.
std::string add_resources(const std::string& text, Store& into);
// Returns a response of the delta form with these resources.
std::string response_of(Kind kind, const Resources& resources);

}  // namespace hone::mesh::xds
