// The parts of a configuration, each made from the message of Envoy's API that describes it.
#pragma once

#include <yaml-cpp/yaml.h>

#include <optional>
#include <string>
#include <vector>

#include "envoy/fields.hpp"
#include "net/tls.hpp"

namespace hone::mesh::envoy {

// Resources finds the routes, endpoints and secrets that listeners and clusters name, where they come apart from these.
// Each function returns nothing where there is none of this name; those of this class always do.
class Resources {
 public:
  virtual ~Resources() = default;
  virtual std::optional<Named> routes(const std::string&) const { return std::nullopt; }
  virtual std::optional<Named> endpoints(const std::string&) const { return std::nullopt; }
  virtual std::optional<Named> secret(const std::string&) const { return std::nullopt; }
  // True if a missing resource may come later, and is no fault.
  virtual bool may_come_later() const { return false; }
};

// Numbers and names as texts.
std::string whole(double number);
std::string fraction(double number);
// Returns a regular expression for this text and no other, with no more backslashes than it needs.
std::string literal(const std::string& text);
// Returns a name of Envoy's as a valid name of hone-mesh: the same, or its letters with a number that tells it apart.
std::string name_of(const std::string& name);
// Sets a key where there is a value.
template <class Value>
void put(YAML::Node node, const char* key, const std::optional<Value>& value) {
  if (value) node[key] = *value;
}

// An endpoint of a ClusterLoadAssignment. The address is in hone-mesh's own form; nothing where it was refused.
struct Assigned {
  std::optional<std::string> address = std::nullopt;
  std::optional<double> weight = std::nullopt;
  double level = 0;
  std::string place = {};
};
// The endpoints of an assignment that are to be used.
std::vector<Assigned> assigned_in(Fields assignment);

// An address of a listener or an endpoint; nothing where it was refused.
std::optional<std::string> address_of(std::optional<Fields> address);

// A condition on a text becomes exact:, prefix:, suffix: or regex: in a node. Returns false where it was refused.
bool put_text(Fields matcher, YAML::Node into);
// Conditions on headers become methods: and headers: of a match.
void put_headers(std::vector<Fields> headers, YAML::Node match);
// The path that a StringMatcher matches becomes path:, prefix: or regex: of a match.
void put_path(Fields matcher, YAML::Node match);
// Returns the identity that a StringMatcher matches, with a star behind a prefix; nothing for other conditions.
std::optional<std::string> identity_in(Fields& matcher);
// Returns the path of a ConfigSource that is a file; nothing for the one stream of all resources. Other sources are
// refused.
std::optional<std::string> file_of_source(Fields source);
// A route's match.
YAML::Node match_of(Fields match);

// An HTTP filter in the list of a listener, in the order of that list: `kind` is hone-mesh's word for it.
struct Slot {
  std::string name;
  std::string kind;
  bool is_on_listener = false;
};
// Makes a filter of a listener; null where it does nothing for the requests of the listener as a whole.
YAML::Node filter_of(Fields config, Slot& slot);
// Makes the filter that a route has in place of the listener's; null where it has none.
YAML::Node route_filter_of(Fields config);
// Adds filters for the header fields that a route, a host or all routes add and remove.
void put_header_changes(Fields& fields, YAML::Node filters);

// The hosts of a RouteConfiguration.
YAML::Node hosts_of(Fields routes, const std::vector<Slot>& slots);
// Makes a listener; `root` gets the settings that all listeners share, such as the path of the access log.
YAML::Node listener_of(Fields listener, const Resources& resources, YAML::Node root);
YAML::Node cluster_of(Fields cluster, const Resources& resources);
// Make the TLS of a listener and of a cluster from a transport socket; null where the socket has no TLS.
YAML::Node listener_tls_of(Fields socket, const Resources& resources);
YAML::Node cluster_tls_of(Fields socket, const Resources& resources);

// SecretParts holds the parts that a Secret has.
struct SecretParts {
  std::optional<PemSource> certificate = std::nullopt;
  std::optional<PemSource> key = std::nullopt;
  std::optional<PemSource> authorities = std::nullopt;
  std::optional<PemSource> revoked = std::nullopt;

  const std::optional<PemSource>& of(PemPart part) const;
};
SecretParts secret_of(Fields secret);

}  // namespace hone::mesh::envoy
