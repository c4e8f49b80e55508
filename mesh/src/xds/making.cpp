#include "xds/making.hpp"

#include <algorithm>

#include "cluster/levels.hpp"
#include "config/balance.hpp"
#include "config/yaml.hpp"

namespace hone::mesh::xds {
namespace {

constexpr double kMostWeight = 1e6;

// Asked finds routes, and notes the names that are needed. Endpoints and secrets are set later.
class Asked final : public envoy::Resources {
 public:
  explicit Asked(const Store& store) : store_(store) {}

  std::optional<envoy::Named> routes(const std::string& name) const override {
    needs_[Kind::kRoutes].insert(name);
    std::optional<envoy::Named> one = store_.find(Kind::kRoutes, name);
    is_waiting_ |= !one;
    return one;
  }
  std::optional<envoy::Named> endpoints(const std::string& name) const override {
    needs_[Kind::kEndpoints].insert(name);
    return std::nullopt;
  }
  std::optional<envoy::Named> secret(const std::string& name) const override {
    needs_[Kind::kSecrets].insert(name);
    return std::nullopt;
  }
  bool may_come_later() const override { return true; }
  Needs take_needs() { return std::move(needs_); }
  bool is_waiting() const { return is_waiting_; }

 private:
  const Store& store_;
  mutable Needs needs_;
  mutable bool is_waiting_ = false;
};

// Makes a specification with two functions: one translates a message into hone-mesh's words, the other reads these.
template <class Spec, class Translate, class Read>
Made<Spec> make_spec(const Store& store, Kind kind, const std::string& name, Translate translate, Read read) {
  Made<Spec> made;
  envoy::Findings findings;
  std::optional<envoy::Named> message = store.find(kind, name);
  const std::string where = std::string(word_of(kind)).append(".").append(name);
  if (!message) {
    made.faults.push_back(where + ": its bytes are broken");
    return made;
  }
  Asked asked(store);
  YAML::Node words;
  try {
    words = translate(envoy::Fields(*message, findings), asked);
  } catch (const YAML::Exception& error) {
    findings.refuse(where, std::string("what it says does not fit together: ") + error.what());
  }
  made.needs = asked.take_needs();
  made.faults = findings.refused();
  if (made.faults.empty() && !asked.is_waiting()) made.spec = read(words, where, made.faults);
  // The control plane will remove the resource by this name.
  if (made.spec && made.spec->name != envoy::name_of(name)) {
    made.faults.push_back(where + ": it calls itself " + made.spec->name);
    made.spec.reset();
  }
  if (made.spec && made.spec->tls != nullptr && made.spec->tls->has_secrets()) {
    set_secrets(store, *made.spec->tls, made.faults);
    if (!made.faults.empty()) made.spec.reset();
  }
  return made;
}

}  // namespace

Made<ClusterSpec> make_cluster_spec(const Store& store, const std::string& name, config::Names& names) {
  return make_spec<ClusterSpec>(
      store, Kind::kClusters, name,
      [](envoy::Fields fields, const envoy::Resources& resources) {
        return envoy::cluster_of(std::move(fields), resources);
      },
      [&](const YAML::Node& words, const std::string& where, std::vector<std::string>& faults) {
        return config::read_cluster_part(words, where, names, faults);
      });
}

void set_endpoints(const Store& store, const std::string& name, ClusterSpec& spec, std::vector<std::string>& faults) {
  std::optional<envoy::Named> message = store.find(Kind::kEndpoints, name);
  const std::string where = std::string(word_of(Kind::kEndpoints)).append(".").append(name).append(": ");
  if (!message) return faults.push_back(where + "its bytes are broken");
  envoy::Findings findings;
  spec.endpoints.clear();
  for (const envoy::Assigned& one : envoy::assigned_in(envoy::Fields(*message, findings))) {
    const std::optional<Address> address = one.address ? Address::parse(*one.address) : std::nullopt;
    const double weight = one.weight.value_or(1);
    if (one.address && !address) faults.push_back(where + "\"" + *one.address + "\" is no address");
    if (weight < 1 || weight > kMostWeight) faults.push_back(where + "a weight is not between 1 and 1000000");
    if (one.level > kHighestLevel) faults.push_back(where + "a priority is too high");
    if (!address || !faults.empty()) continue;
    spec.endpoints.push_back({.address = *address,
                              .weight = static_cast<std::uint32_t>(weight),
                              .level = static_cast<std::uint32_t>(one.level),
                              .place = one.place});
  }
  faults.insert(faults.end(), findings.refused().begin(), findings.refused().end());
  config::make_table(spec);
}

void set_secrets(const Store& store, Tls& tls, std::vector<std::string>& faults) {
  std::map<std::string, envoy::SecretParts> known;
  bool is_missing = false;
  const Secrets find = [&](const std::string& name, PemPart part) -> std::optional<PemSource> {
    const auto found = known.find(name);
    if (found != known.end()) return found->second.of(part);
    const std::optional<envoy::Named> message = store.find(Kind::kSecrets, name);
    is_missing |= !message;
    if (!message) return std::nullopt;
    envoy::Findings findings;
    envoy::SecretParts parts = envoy::secret_of(envoy::Fields(*message, findings));
    faults.insert(faults.end(), findings.refused().begin(), findings.refused().end());
    // No part of a refused secret is used.
    if (!findings.refused().empty()) parts = {};
    return known.emplace(name, std::move(parts)).first->second.of(part);
  };
  const std::vector<TlsProblem> problems = tls.read(find);
  if (is_missing) return;
  for (const TlsProblem& one : problems) {
    const bool is_secret = !one.source.secret.empty();
    const std::string of = is_secret ? "secrets." + one.source.secret : one.source.where;
    std::string fault = of + ": " + one.problem;
    // Several clusters may have the same fault.
    if (std::find(faults.begin(), faults.end(), fault) == faults.end()) faults.push_back(std::move(fault));
  }
}

Made<ListenerSpec> make_listener_spec(const Store& store, const std::string& name,
                                      const std::optional<AccessLogSpec>& log, config::Names& names) {
  YAML::Node root(YAML::NodeType::Map);
  if (log) root["access_log"]["path"] = log->path;
  Made<ListenerSpec> made = make_spec<ListenerSpec>(
      store, Kind::kListeners, name,
      [&](envoy::Fields fields, const envoy::Resources& resources) {
        return envoy::listener_of(std::move(fields), resources, root);
      },
      [&](const YAML::Node& words, const std::string& where, std::vector<std::string>& faults) {
        std::optional<ListenerSpec> spec;
        if (!log && root["access_log"]) {
          faults.push_back(where + ": access_log: the process writes none; write access_log: into its file");
        } else {
          spec = config::read_listener_part(words, where, names, faults);
        }
        return spec;
      });
  // A listener takes no connections before its secrets are there.
  if (made.spec && made.spec->tls != nullptr && made.spec->tls->context() == nullptr) made.spec.reset();
  return made;
}

}  // namespace hone::mesh::xds
