// Envoy's configurations in hone-mesh's words, and the parts of them that are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "config/yaml.hpp"
#include "envoy/translate.hpp"

namespace hone::mesh::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kManager[] =
    "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";

// Returns a bootstrap with one listener, one host and one cluster: further fields of the manager, of the route, and of
// the cluster.
std::string bootstrap(const std::string& manager, const std::string& route = "", const std::string& cluster = "") {
  return std::string(R"(
static_resources:
  listeners:
  - name: in
    address: {socket_address: {address: 127.0.0.1, port_value: 8080}}
    filter_chains:
    - filters:
      - name: http
        typed_config:
          "@type": )") +
         kManager + R"(
          stat_prefix: in
          generate_request_id: false
          normalize_path: true
          server_header_transformation: PASS_THROUGH
          upgrade_configs: [{upgrade_type: websocket}]
          route_config:
            virtual_hosts:
            - name: all
              domains: ["shop.example", "shop.example:*", "*"]
              routes: [{match: {prefix: /}, route: {cluster: back}} )" +
         route + "]\n" + manager + R"(
  clusters:
  - name: back
    type: STATIC
    load_assignment: {cluster_name: back, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: "::1", port_value: 9000}}}}]}]}
)" + cluster;
}

TEST(Envoy, BecomesAConfigurationThatIsRead) {
  const envoy::Translation made = envoy::translate(bootstrap(""));
  EXPECT_THAT(made.findings.refused(), IsEmpty());
  EXPECT_THAT(made.findings.noted(), IsEmpty());
  const config::Read read = config::read_yaml(YAML::Dump(made.config), "x");
  ASSERT_NE(read.snapshot, nullptr) << read.faults.front();
  const Snapshot& snapshot = *read.snapshot;
  EXPECT_EQ(snapshot.listeners[0].name, "in");
  EXPECT_EQ(snapshot.listeners[0].address.text(), "127.0.0.1:8080");
  EXPECT_EQ(snapshot.listeners[0].forwarded, Forwarded::kKeep);
  EXPECT_EQ(snapshot.listeners[0].limits.idle, std::chrono::hours(1));
  EXPECT_EQ(snapshot.clusters[0].endpoints[0].address.text(), "[::1]:9000");
  EXPECT_EQ(snapshot.clusters[0].balance, Balance::kRoundRobin);
  EXPECT_EQ(snapshot.clusters[0].limits.retries, 3u);
  EXPECT_EQ(YAML::Dump(made.config["listeners"][0]["hosts"][0]["names"]), "- shop.example\n- \"*\"");
}

TEST(Envoy, IsRefusedByPath) {
  const envoy::Translation made = envoy::translate(bootstrap(
      R"(
          via: proxy
          http_filters:
          - name: lua
            typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.Lua, inline_code: ""}
)",
      ", {match: {prefix: /a, runtime_fraction: {}}, route: {cluster: back}}", "    lb_policy: CLUSTER_PROVIDED\n"));
  const std::string manager = "static_resources.listeners[0].filter_chains[0].filters[0].typed_config.";
  EXPECT_THAT(
      made.findings.refused(),
      ElementsAre(
          manager +
              "http_filters[0].typed_config: the filter envoy.extensions.filters.http.lua.v3.Lua is not supported",
          manager + "route_config.virtual_hosts[0].routes[1].match.runtime_fraction: is not supported",
          manager + "via: is not supported",
          "static_resources.clusters[0].lb_policy: CLUSTER_PROVIDED is not supported"));
}

TEST(Envoy, IsRefusedWhereItIsNoBootstrap) {
  for (const std::string text : {"[]", "a: 1", "{\"static_resources\": 3}", ": :", "{\"admin\": {\"@type\": 1}}",
                                 "static_resources: {listeners: [{name: a, nobody: knows}]}"}) {
    const envoy::Translation made = envoy::translate(text);
    ASSERT_EQ(made.findings.refused().size(), 1u) << text;
    EXPECT_THAT(made.findings.refused()[0], HasSubstr("no bootstrap of Envoy's")) << text;
  }
}

// A dump as Envoy's operator's page shows one: named resources are found, and names keep their letters.
constexpr char kDumped[] = R"(
configs:
- "@type": type.googleapis.com/envoy.admin.v3.BootstrapConfigDump
  bootstrap: {node: {id: a}, dynamic_resources: {}, static_resources: {}}
- "@type": type.googleapis.com/envoy.admin.v3.ClustersConfigDump
  version_info: "1"
  dynamic_active_clusters:
  - version_info: "1"
    cluster:
      "@type": type.googleapis.com/envoy.config.cluster.v3.Cluster
      name: outbound|80||reviews.shop.svc.cluster.local
      type: EDS
      eds_cluster_config: {service_name: reviews, eds_config: {ads: {}}}
- "@type": type.googleapis.com/envoy.admin.v3.EndpointsConfigDump
  dynamic_endpoint_configs:
  - endpoint_config:
      "@type": type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment
      cluster_name: reviews
      endpoints: [{locality: {zone: a}, lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]}]
- "@type": type.googleapis.com/envoy.admin.v3.ListenersConfigDump
  dynamic_listeners:
  - name: 0.0.0.0_80
    active_state:
      listener:
        "@type": type.googleapis.com/envoy.config.listener.v3.Listener
        name: 0.0.0.0_80
        address: {socket_address: {address: 0.0.0.0, port_value: 80}}
        filter_chains:
        - filters:
          - name: http
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
              rds: {route_config_name: "80", config_source: {ads: {}}}
              normalize_path: true
              http_filters:
              - name: stats
                typed_config: {"@type": type.googleapis.com/stats.PluginConfig, tcp_reporting_duration: 5s}
- "@type": type.googleapis.com/envoy.admin.v3.RoutesConfigDump
  dynamic_route_configs:
  - route_config:
      "@type": type.googleapis.com/envoy.config.route.v3.RouteConfiguration
      name: "80"
      virtual_hosts: [{name: r, domains: [reviews], routes: [{match: {prefix: /}, route: {cluster: outbound|80||reviews.shop.svc.cluster.local}}]}]
)";

TEST(Envoy, IsFoundInADump) {
  const envoy::Translation made = envoy::translate(kDumped);
  EXPECT_THAT(
      made.findings.refused(),
      ElementsAre("configs[3].dynamic_listeners[0].active_state.listener.filter_chains[0].filters[0].typed_config."
                  "http_filters[0].typed_config: the kind type.googleapis.com/stats.PluginConfig is not supported"));
  const config::Read read = config::read_yaml(YAML::Dump(made.config), "x");
  ASSERT_NE(read.snapshot, nullptr) << read.faults.front();
  EXPECT_THAT(read.snapshot->clusters[0].name, HasSubstr("outbound_80__reviews.shop.svc.cluster.l"));
  EXPECT_EQ(read.snapshot->clusters[0].endpoints[0].place, "a");
  EXPECT_EQ(read.snapshot->listeners[0].address.text(), "0.0.0.0:80");
}

// Returns the route behind the first one, as YAML.
std::string route_of(const std::string& route, std::size_t findings = 0) {
  const envoy::Translation made = envoy::translate(bootstrap("", ", " + route));
  EXPECT_EQ(made.findings.refused().size(), findings) << route;
  YAML::Emitter out;
  out << YAML::Flow << made.config["listeners"][0]["hosts"][0]["routes"][1];
  return out.c_str();
}

TEST(Envoy, HasRoutesThatMatchAlike) {
  const std::pair<const char*, const char*> cases[] = {
      {"{match: {path: /a}, route: {cluster: back, timeout: 0s}}", "{match: {path: /a}, to: back, timeout: none}"},
      {"{match: {prefix: /a.b}, direct_response: {status: 204}}", "{match: {regex: /a\\.b.*}, reply: {status: 204}}"},
      {"{match: {path_separated_prefix: /a}, route: {cluster: back, prefix_rewrite: /b, timeout: 1.5s}}",
       "{match: {prefix: /a}, to: back, rewrite: {prefix: /b}, timeout: 1500ms}"},
      {"{match: {prefix: /, headers: [{name: \":method\", string_match: {safe_regex: {regex: GET|PUT}}}, {name: x, "
       "present_match: false}]}, "
       "redirect: {host_redirect: b, response_code: FOUND}}",
       "{match: {methods: [GET, PUT], headers: [{name: x, absent: true}]}, redirect: {status: 302, host: b}}"},
      {"{match: {prefix: /, query_parameters: [{name: q, string_match: {exact: \"1\"}}], grpc: {}}, "
       "route: {weighted_clusters: {clusters: [{name: back, weight: 3}, {name: back, weight: 1}]}, timeout: 2s}}",
       "{match: {query: [{name: q, exact: 1}], headers: [{name: content-type, prefix: application/grpc}]}, "
       "to: [{cluster: back, weight: 3}, {cluster: back, weight: 1}], timeout: 2s}"},
      {"{match: {prefix: /}, route: {cluster: back, timeout: 1s, retry_policy: {retry_on: "
       "\"reset,connect-failure,retriable-status-codes\", "
       "num_retries: 2, retriable_status_codes: [503]}}}",
       "{to: back, timeout: 1s, retry: {attempts: 2, on: [connect-failure, reset], statuses: [503]}}"},
      {"{match: {prefix: /}, route: {cluster: back, timeout: 1s, retry_policy: {retry_on: "
       "\"connect-failure,unavailable,cancelled\"}}}",
       "{to: back, timeout: 1s, retry: {attempts: 1, on: [connect-failure], grpc: [unavailable, cancelled]}}"},
      {"{match: {prefix: /}, direct_response: {status: 200}, request_headers_to_remove: [x-a], "
       "response_headers_to_add: [{header: {key: x-b, value: c}, append_action: OVERWRITE_IF_EXISTS_OR_ADD}]}",
       "{reply: {status: 200}, filters: [{headers: {request: {remove: [x-a]}}}, {headers: {response: {set: {x-b: "
       "c}}}}]}"},
  };
  for (const auto& [theirs, ours] : cases) EXPECT_EQ(route_of(theirs), ours) << theirs;
  route_of("{match: {prefix: /a}, route: {cluster: back, prefix_rewrite: /b}}", 1);
  route_of(
      "{match: {prefix: /, headers: [{name: x, string_match: {exact: a, ignore_case: true}}]}, route: {cluster: back}}",
      1);
  route_of(
      "{match: {prefix: /}, direct_response: {status: 200}, response_headers_to_add: [{header: {key: a, value: "
      "\"%REQ(b)%\"}}]}",
      1);
}

TEST(Envoy, HasFiltersInTheirOrder) {
  constexpr char kFilters[] = R"(
          http_filters:
          - name: limit
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit
              stat_prefix: a
              token_bucket: {max_tokens: 20, tokens_per_fill: 10, fill_interval: 1s}
              filter_enabled: {default_value: {numerator: 100}}
              filter_enforced: {default_value: {numerator: 100}}
          - name: rbac
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.rbac.v3.RBAC
              rules:
                action: DENY
                policies:
                  no-admin:
                    permissions: [{url_path: {path: {exact: /admin}}}]
                    principals: [{direct_remote_ip: {address_prefix: 10.0.0.0, prefix_len: 8}}]
          - name: router
            typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router, suppress_envoy_headers: true}
)";
  constexpr char kRoute[] =
      ", {match: {path: /b}, direct_response: {status: 200}, typed_per_filter_config: {limit: {\"@type\": "
      "type.googleapis.com/envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit, stat_prefix: b}}}";
  const envoy::Translation made = envoy::translate(bootstrap(kFilters, kRoute));
  EXPECT_THAT(made.findings.refused(), IsEmpty());
  YAML::Emitter out;
  out << YAML::Flow << made.config["listeners"][0]["filters"];
  EXPECT_EQ(std::string(out.c_str()),
            "[{rate_limit: {requests: 10, burst: 20, per: 1s}}, "
            "{access: {deny: [{name: no-admin, match: {path: /admin}, clients: [10.0.0.0/8]}]}}]");
  YAML::Emitter route;
  route << YAML::Flow << made.config["listeners"][0]["hosts"][0]["routes"][1];
  EXPECT_EQ(std::string(route.c_str()), "{match: {path: /b}, reply: {status: 200}, skip: [rate_limit]}");
  EXPECT_NE(config::read_yaml(YAML::Dump(made.config), "x").snapshot, nullptr);
}

TEST(Envoy, HasNoIdentityThatWouldBeManyHere) {
  constexpr char kFilters[] = R"(
          http_filters:
          - name: rbac
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.rbac.v3.RBAC
              rules:
                policies:
                  carts:
                    permissions: [{any: true}]
                    principals: [{authenticated: {principal_name: {exact: "spiffe://shop.test/cart*"}}}]
          - name: router
            typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router, suppress_envoy_headers: true}
)";
  EXPECT_THAT(envoy::translate(bootstrap(kFilters, "")).findings.refused(),
              Contains(HasSubstr("identities are matched by exact, without a star at the end, or prefix")));
}

constexpr char kSteered[] = R"(
node: {id: mesh-1, cluster: shop, locality: {region: north, zone: a}, metadata: {team: basket}}
dynamic_resources:
  lds_config: {ads: {}, resource_api_version: V3}
  cds_config: {ads: {}, resource_api_version: V3}
  ads_config:
    api_type: DELTA_GRPC
    transport_api_version: V3
    grpc_services: [{envoy_grpc: {cluster_name: planes}}]
static_resources:
  clusters:
  - name: planes
    type: STATIC
    typed_extension_protocol_options:
      envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
        "@type": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
        explicit_http_config: {http2_protocol_options: {}}
    load_assignment: {cluster_name: planes, endpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 127.0.0.1, port_value: 18000}}}}]}]}
)";

TEST(Envoy, HasControlPlanesByOneStream) {
  const envoy::Translation made = envoy::translate(kSteered);
  EXPECT_THAT(made.findings.refused(), IsEmpty());
  EXPECT_THAT(made.findings.noted(), ElementsAre("node.metadata: control planes are not told of it"));
  const config::Read read = config::read_yaml(YAML::Dump(made.config), "x");
  ASSERT_NE(read.snapshot, nullptr) << read.faults.front();
  const ControlPlaneSpec& plane = *read.snapshot->control_plane;
  EXPECT_TRUE(plane.is_delta);
  EXPECT_EQ(plane.node.id, "mesh-1");
  EXPECT_EQ(plane.node.zone, "a");
  EXPECT_EQ(plane.cluster, read.snapshot->clusters[0].number);
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = kSteered;
    text.replace(text.find(from), from.size(), to);
    return envoy::translate(text).findings.refused();
  };
  EXPECT_THAT(with("cds_config: {ads: {}", "cds_config: {path_config_source: {path: /x}"),
              ElementsAre("dynamic_resources.ads_config: clusters and listeners come both by ads, or both from files"));
  EXPECT_THAT(with("cds_config: {ads: {}", "cds_config: {api_config_source: {}"),
              ElementsAre("dynamic_resources.cds_config: resources come by ads or from files: write ads: {} or "
                          "path_config_source"));
  EXPECT_THAT(with("DELTA_GRPC", "REST"),
              ElementsAre("dynamic_resources.ads_config.api_type: write GRPC or DELTA_GRPC"));
  EXPECT_THAT(with("envoy_grpc: {cluster_name: planes}", "google_grpc: {target_uri: a}"),
              ElementsAre("dynamic_resources.ads_config.grpc_services[0].envoy_grpc: is missing",
                          "dynamic_resources.ads_config.grpc_services[0].google_grpc: is not supported"));
}

}  // namespace
}  // namespace hone::mesh::testing
