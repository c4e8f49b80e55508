#include "envoy/translate.hpp"

#include "envoy/parts.hpp"

namespace hone::mesh::envoy {
namespace {

void put_static(Fields resources, YAML::Node root) {
  for (Fields& one : resources.list("listeners")) root["listeners"].push_back(listener_of(std::move(one), root));
  for (Fields& one : resources.list("clusters")) root["clusters"].push_back(cluster_of(std::move(one)));
}

void put_bootstrap(Fields bootstrap, YAML::Node root) {
  bootstrap.pass_over({"node", "stats_flush_interval", "stats_config", "stats_sinks", "watchdog", "watchdogs",
                       "cluster_manager", "default_regex_engine", "flags_path"});
  if (auto admin = bootstrap.message("admin")) {
    admin->pass_over({"access_log", "access_log_path", "profile_path"});
    put(root, "admin", address_of(admin->message("address")));
  }
  if (auto resources = bootstrap.message("static_resources")) put_static(*std::move(resources), root);
}

}  // namespace

Translation translate(const std::string& text) {
  Translation made{YAML::Node(YAML::NodeType::Map), {}};
  std::shared_ptr<Message> bootstrap = make_message("envoy.config.bootstrap.v3.Bootstrap");
  if (const std::string problem = parse(text, *bootstrap); !problem.empty()) {
    made.findings.refuse("", "this is no bootstrap of Envoy's: " + problem);
    return made;
  }
  put_bootstrap(Fields(std::move(bootstrap), "", made.findings), made.config);
  return made;
}

}  // namespace hone::mesh::envoy
