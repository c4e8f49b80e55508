#include "envoy/translate.hpp"

#include <map>

#include "envoy/parts.hpp"

namespace hone::mesh::envoy {
namespace {

constexpr char kDump[] = "envoy.admin.v3.";

bool is_part(const Fields& part, std::string_view name) {
  return part.kind() == std::string(kDump).append(name);
}

// Returns the name that a resource has in one of its fields.
std::string own_name(const Named& named, std::string_view field, Findings& findings) {
  Fields look(named, findings);
  std::string name = look.text(field).value_or("");
  look.pass_over_all();
  return name;
}

// Found holds the routes, endpoints and secrets that stand by themselves in the configuration, by their names.
class Found final : public Resources {
 public:
  std::optional<Named> routes(const std::string& name) const override { return in(all_routes, name); }
  std::optional<Named> endpoints(const std::string& name) const override { return in(all_endpoints, name); }
  std::optional<Named> secret(const std::string& name) const override { return in(all_secrets, name); }

  std::map<std::string, Named> all_routes;
  std::map<std::string, Named> all_endpoints;
  std::map<std::string, Named> all_secrets;

 private:
  static std::optional<Named> in(const std::map<std::string, Named>& all, const std::string& name) {
    const auto one = all.find(name);
    return one == all.end() ? std::nullopt : std::optional(one->second);
  }
};

void put_static(Fields resources, YAML::Node root) {
  Found found;
  for (Named& one : resources.nameds("secrets")) {
    const std::string name = own_name(one, "name", resources.findings());
    found.all_secrets.insert_or_assign(name, std::move(one));
  }
  for (Fields& one : resources.list("listeners")) {
    root["listeners"].push_back(listener_of(std::move(one), found, root));
  }
  for (Fields& one : resources.list("clusters")) root["clusters"].push_back(cluster_of(std::move(one), found));
}

// Adds the file that listeners or clusters come from, if they come from one.
void put_file(Fields& resources, const char* name, YAML::Node files) {
  auto source = resources.message(name);
  const auto path = source ? file_of_source(*std::move(source)) : std::nullopt;
  if (path) files.push_back(*path);
}

YAML::Node node_of(std::optional<Fields> node) {
  YAML::Node made(YAML::NodeType::Map);
  if (!node) return made;
  put(made, "id", node->text("id"));
  put(made, "cluster", node->text("cluster"));
  if (auto locality = node->message("locality")) {
    put(made, "region", locality->text("region"));
    put(made, "zone", locality->text("zone"));
    if (locality->has("sub_zone")) locality->note("sub_zone", "control planes are not told of it");
    locality->pass_over({"sub_zone"});
  }
  if (node->has("metadata")) node->note("metadata", "control planes are not told of it");
  node->pass_over_all();
  return made;
}

void put_control_plane(Fields resources, std::optional<Fields> node, YAML::Node root) {
  YAML::Node files(YAML::NodeType::Sequence);
  for (const char* const source : {"cds_config", "lds_config"}) put_file(resources, source, files);
  auto ads = resources.message("ads_config");
  if (files.size() > 0) {
    if (ads) resources.refuse("ads_config", "clusters and listeners come both by ads, or both from files");
    if (ads) ads->pass_over_all();
    if (node) node->pass_over_all();
    root["control_plane"]["files"] = files;
    return;
  }
  if (!ads) return resources.refuse("ads_config", "is missing");
  YAML::Node plane(YAML::NodeType::Map);
  ads->pass_over({"transport_api_version", "set_node_on_first_message_only"});
  const std::string type = ads->word("api_type").value_or("");
  if (type != "GRPC" && type != "DELTA_GRPC") ads->refuse("api_type", "write GRPC or DELTA_GRPC");
  plane["by"] = type == "GRPC" ? "state" : "delta";
  auto services = ads->list("grpc_services");
  if (services.size() != 1) ads->refuse("grpc_services", "there is one");
  for (Fields& service : services) {
    if (auto envoy = service.message("envoy_grpc")) {
      plane["to"] = name_of(envoy->text("cluster_name").value_or(""));
    } else {
      service.refuse("envoy_grpc", "is missing");
    }
  }
  plane["node"] = node_of(std::move(node));
  root["control_plane"] = plane;
}

void put_bootstrap(Fields bootstrap, bool is_dumped, YAML::Node root) {
  bootstrap.pass_over({"stats_flush_interval", "stats_config", "stats_sinks", "watchdog", "watchdogs",
                       "cluster_manager", "default_regex_engine", "flags_path"});
  if (auto admin = bootstrap.message("admin")) {
    admin->pass_over({"access_log", "access_log_path", "profile_path"});
    put(root, "admin", address_of(admin->message("address")));
  }
  // A dump lists all resources in other parts, wherever they come from.
  if (is_dumped) return bootstrap.pass_over_all();
  auto node = bootstrap.message("node");
  if (auto dynamic = bootstrap.message("dynamic_resources")) {
    put_control_plane(*std::move(dynamic), std::move(node), root);
  } else if (node) {
    node->pass_over_all();
  }
  if (auto resources = bootstrap.message("static_resources")) put_static(*std::move(resources), root);
}

// Keeps a resource of a dump under the name in its field `name_field`.
void keep(Fields& entry, std::string_view field, std::string_view name_field, std::map<std::string, Named>& into) {
  entry.pass_over_all_but(field);
  std::optional<Named> named = entry.named(field);
  if (!named) return;
  const std::string name = own_name(*named, name_field, entry.findings());
  into.insert_or_assign(name, *std::move(named));
}

// Takes the routes and endpoints of a part of a dump. Returns false for other parts.
bool take(Fields& part, Found& resources) {
  if (is_part(part, "RoutesConfigDump")) {
    for (const char* const list : {"static_route_configs", "dynamic_route_configs"}) {
      for (Fields& entry : part.list(list)) keep(entry, "route_config", "name", resources.all_routes);
    }
    return true;
  }
  if (is_part(part, "EndpointsConfigDump")) {
    for (const char* const list : {"static_endpoint_configs", "dynamic_endpoint_configs"}) {
      for (Fields& entry : part.list(list)) keep(entry, "endpoint_config", "cluster_name", resources.all_endpoints);
    }
    return true;
  }
  return false;
}

void put_listeners(Fields part, const Resources& resources, YAML::Node root) {
  part.pass_over({"version_info"});
  const auto add = [&](Fields& holder) {
    holder.pass_over_all_but("listener");
    if (auto one = holder.any("listener")) root["listeners"].push_back(listener_of(*std::move(one), resources, root));
  };
  for (Fields& entry : part.list("static_listeners")) add(entry);
  for (Fields& entry : part.list("dynamic_listeners")) {
    // A listener that is warming does not serve yet, and one that is draining does not serve for long.
    entry.pass_over_all_but("active_state");
    if (auto state = entry.message("active_state")) add(*state);
  }
}

void put_clusters(Fields part, const Resources& resources, YAML::Node root) {
  part.pass_over({"version_info", "dynamic_warming_clusters"});
  for (const char* const list : {"static_clusters", "dynamic_active_clusters"}) {
    for (Fields& entry : part.list(list)) {
      entry.pass_over_all_but("cluster");
      if (auto one = entry.any("cluster")) root["clusters"].push_back(cluster_of(*std::move(one), resources));
    }
  }
}

void put_part(Fields part, const Resources& resources, YAML::Node root) {
  if (is_part(part, "BootstrapConfigDump")) {
    part.pass_over_all_but("bootstrap");
    if (auto bootstrap = part.message("bootstrap")) put_bootstrap(*std::move(bootstrap), true, root);
  } else if (is_part(part, "ListenersConfigDump")) {
    put_listeners(std::move(part), resources, root);
  } else if (is_part(part, "ClustersConfigDump")) {
    put_clusters(std::move(part), resources, root);
  } else if (is_part(part, "SecretsConfigDump")) {
    // A dump leaves out secrets: a listener or cluster that needs one is refused where it names the secret.
    part.pass_over_all();
  }
  // Other parts are always there, and refused where they are not empty.
}

void put_dump(Fields dump, YAML::Node root) {
  Found resources;
  std::vector<Fields> others;
  for (Fields& part : dump.anys("configs")) {
    if (!take(part, resources)) others.push_back(std::move(part));
  }
  for (Fields& part : others) put_part(std::move(part), resources, root);
}

}  // namespace

Translation translate(const std::string& text) {
  Translation made{YAML::Node(YAML::NodeType::Map), {}};
  const Json json = json_of(text);
  std::string problem = json.problem;
  std::shared_ptr<Message> dump = make_message("envoy.admin.v3.ConfigDump");
  std::shared_ptr<Message> bootstrap = make_message("envoy.config.bootstrap.v3.Bootstrap");
  if (problem.empty() && parse(json.text, *dump).empty() && dump->ByteSizeLong() > 0) {
    put_dump(Fields(std::move(dump), "", made.findings), made.config);
    return made;
  }
  if (problem.empty()) problem = parse(json.text, *bootstrap);
  if (problem.empty()) {
    put_bootstrap(Fields(std::move(bootstrap), "", made.findings), false, made.config);
  } else {
    made.findings.refuse("", "this is no bootstrap of Envoy's, and no dump of its configurations: " + problem);
  }
  return made;
}

}  // namespace hone::mesh::envoy
