// Parts of a configuration, each made of the message of Envoy's that has it.
#pragma once

#include <yaml-cpp/yaml.h>

#include <optional>
#include <string>
#include <vector>

#include "envoy/fields.hpp"
#include "net/tls.hpp"

namespace hone::mesh::envoy {

// Resources finds what listeners and clusters name, where it is told apart from these; nothing where it is not there,
// as by itself.
class Resources {
 public:
  virtual ~Resources() = default;
  virtual std::optional<Named> routes(const std::string&) const { return std::nullopt; }
  virtual std::optional<Named> endpoints(const std::string&) const { return std::nullopt; }
  virtual std::optional<Named> secret(const std::string&) const { return std::nullopt; }
  // True if what is not there is told of later, and is no fault.
  virtual bool may_come_later() const { return false; }
};

// Words.
std::string whole(double number);
std::string fraction(double number);
// An expression for this text and no other, with no more backslashes than it needs.
std::string literal(const std::string& text);
// Returns a name of Envoy's as hone-mesh has names: the same, or one of its letters with a number that tells it apart.
std::string name_of(const std::string& name);
// Sets a key where there is a value.
template <class Value>
void put(YAML::Node node, const char* key, const std::optional<Value>& value) {
  if (value) node[key] = *value;
}

// An endpoint as a ClusterLoadAssignment has it. The address is that of hone-mesh's own words; nothing where it was
// refused.
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
// The path that a StringMatcher is for becomes path:, prefix: or regex: of a match.
void put_path(Fields matcher, YAML::Node match);
// Returns an identity by the StringMatcher for it, with a star behind a prefix; nothing for other conditions.
std::optional<std::string> identity_in(Fields& matcher);
// Reads a ConfigSource, which is the one stream for all resources, or a file: returns its path. Refused where it is
// neither.
std::optional<std::string> file_of_source(Fields source);
// A route's match.
YAML::Node match_of(Fields match);

// A filter of HTTP as it stands in the list of a listener, in its order: `kind` is hone-mesh's word for it.
struct Slot {
  std::string name;
  std::string kind;
  bool is_on_listener = false;
};
// Makes a filter of a listener; null where nothing is to be done for all of its requests.
YAML::Node filter_of(Fields config, Slot& slot);
// Makes the filter that a route has in place of the listener's; null where it has none.
YAML::Node route_filter_of(Fields config);
// Fields that are added and taken away, of a route, a host or all routes: filters that are added to a list.
void put_header_changes(Fields& fields, YAML::Node filters);

// The hosts of a RouteConfiguration.
YAML::Node hosts_of(Fields routes, const std::vector<Slot>& slots);
// A listener; `root` gets what is said once for all of them, such as where the access log is.
YAML::Node listener_of(Fields listener, const Resources& resources, YAML::Node root);
YAML::Node cluster_of(Fields cluster, const Resources& resources);
// TLS of a listener and of a cluster, by a transport socket; null where it speaks none.
YAML::Node listener_tls_of(Fields socket, const Resources& resources);
YAML::Node cluster_tls_of(Fields socket, const Resources& resources);

// SecretParts is what a Secret has of these.
struct SecretParts {
  std::optional<PemSource> certificate = std::nullopt;
  std::optional<PemSource> key = std::nullopt;
  std::optional<PemSource> authorities = std::nullopt;
  std::optional<PemSource> revoked = std::nullopt;

  const std::optional<PemSource>& of(PemPart part) const;
};
SecretParts secret_of(Fields secret);

}  // namespace hone::mesh::envoy
