// Clusters: their endpoints, balancing, limits, protocol, health checks and outlier detection.
#include <algorithm>

#include "envoy/parts.hpp"

namespace hone::mesh::envoy {
namespace {

constexpr char kProtocols[] = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";

Assigned endpoint_of(Fields one, double priority, const std::string& place) {
  Assigned endpoint{.level = priority, .place = place};
  one.pass_over({"metadata"});
  if (auto host = one.message("endpoint")) {
    host->pass_over({"hostname"});
    // The field is often set, and empty.
    host->message("health_check_config");
    endpoint.address = address_of(host->message("address"));
  }
  endpoint.weight = one.number("load_balancing_weight");
  return endpoint;
}

void put_endpoints(Fields assignment, YAML::Node cluster) {
  for (const Assigned& one : assigned_in(std::move(assignment))) {
    YAML::Node endpoint(YAML::NodeType::Map);
    put(endpoint, "address", one.address);
    if (one.weight) endpoint["weight"] = whole(*one.weight);
    if (one.level > 0) endpoint["level"] = whole(one.level);
    if (!one.place.empty()) endpoint["place"] = one.place;
    cluster["endpoints"].push_back(endpoint);
  }
}

void put_balance(Fields& fields, YAML::Node cluster) {
  const std::string policy = fields.word("lb_policy").value_or("ROUND_ROBIN");
  if (policy == "ROUND_ROBIN") cluster["balance"] = "round-robin";
  if (policy == "LEAST_REQUEST") cluster["balance"] = "least-request";
  if (policy == "RANDOM") {
    cluster["balance"] = "least-request";
    fields.note("lb_policy", "the less loaded of two by chance takes the place of one by chance");
  }
  if (policy == "RING_HASH" || policy == "MAGLEV") {
    YAML::Node balance(YAML::NodeType::Map);
    balance["by"] = policy == "MAGLEV" ? "maglev" : "ring-hash";
    if (auto ring = fields.message("ring_hash_lb_config")) {
      ring->pass_over({"maximum_ring_size"});
      if (const auto least = ring->number("minimum_ring_size")) balance["places"] = whole(*least);
    }
    if (auto table = fields.message("maglev_lb_config")) {
      if (const auto size = table->number("table_size")) balance["places"] = whole(*size);
    }
    cluster["balance"] = balance;
  } else if (!cluster["balance"]) {
    fields.refuse("lb_policy", policy + " is not supported");
  }
  if (auto two = fields.message("least_request_lb_config")) {
    if (two->number("choice_count").value_or(2) != 2) two->note("choice_count", "the choice is among two");
  }
}

void put_breakers(Fields& fields, YAML::Node cluster) {
  YAML::Node limits(YAML::NodeType::Map);
  // Envoy's own limits, where the configuration sets none.
  limits["connections"] = "1024";
  limits["requests"] = "1024";
  limits["retries"] = "3";
  if (auto breakers = fields.message("circuit_breakers")) {
    for (Fields& threshold : breakers->list("thresholds")) {
      if (threshold.word("priority").value_or("DEFAULT") != "DEFAULT") {
        // No request has another priority: routes that give requests one are refused.
        threshold.pass_over_all();
        continue;
      }
      threshold.pass_over({"track_remaining"});
      // Requests that wait count as requests here.
      threshold.pass_over({"max_pending_requests"});
      for (const auto& [name, key] :
           {std::pair{"max_connections", "connections"}, {"max_requests", "requests"}, {"max_retries", "retries"}}) {
        if (const auto most = threshold.number(name)) limits[key] = whole(std::clamp(*most, 1.0, 1e6));
      }
    }
  }
  cluster["limits"] = limits;
}

void put_protocol(Fields& fields, YAML::Node cluster) {
  if (auto options = fields.message("http2_protocol_options")) {
    options->pass_over_all();
    cluster["protocol"] = "http2";
  }
  if (auto options = fields.message("http_protocol_options")) options->pass_over_all();
  for (auto& [name, options] : fields.entries("typed_extension_protocol_options")) {
    if (options.kind() != kProtocols) {
      options.refuse_kind("");
      continue;
    }
    if (auto common = options.message("common_http_protocol_options"))
      put(cluster, "idle_timeout", common->duration("idle_timeout"));
    if (auto explicitly = options.message("explicit_http_config")) {
      if (auto http2 = explicitly->message("http2_protocol_options")) {
        http2->pass_over_all();
        cluster["protocol"] = "http2";
      }
      if (auto http1 = explicitly->message("http_protocol_options")) http1->pass_over_all();
    }
    if (auto by_tls = options.message("auto_config")) {
      by_tls->pass_over_all();
      cluster["protocol"] = "auto";
    }
  }
}

YAML::Node check_of(Fields check) {
  YAML::Node rule(YAML::NodeType::Map);
  check.pass_over({"reuse_connection", "no_traffic_interval", "always_log_health_check_failures"});
  put(rule, "timeout", check.duration("timeout"));
  put(rule, "interval", check.duration("interval"));
  put(rule, "jitter", check.duration("interval_jitter"));
  if (const auto count = check.number("unhealthy_threshold")) rule["failures"] = whole(*count);
  if (const auto count = check.number("healthy_threshold")) rule["successes"] = whole(*count);
  if (auto http = check.message("http_health_check")) {
    put(rule, "path", http->text("path"));
    put(rule, "host", http->text("host"));
    // The protocol is that of the cluster.
    http->pass_over({"codec_client_type"});
    auto ranges = http->list("expected_statuses");
    if (ranges.size() > 1) http->refuse("expected_statuses", "there is one range");
    if (ranges.size() == 1) {
      rule["statuses"]["from"] = whole(ranges[0].number("start").value_or(200));
      rule["statuses"]["to"] = whole(ranges[0].number("end").value_or(201) - 1);
    }
  }
  if (auto grpc = check.message("grpc_health_check")) {
    rule["protocol"] = "grpc";
    put(rule, "service", grpc->text("service_name"));
  }
  if (auto tcp = check.message("tcp_health_check")) rule["protocol"] = "tcp";
  return rule;
}

YAML::Node outlier_of(Fields detection) {
  YAML::Node rule(YAML::NodeType::Map);
  const auto count = [&](const char* name, double otherwise) { return detection.number(name).value_or(otherwise); };
  const double by_5xx = count("enforcing_consecutive_5xx", 100) > 0 ? count("consecutive_5xx", 5) : 0;
  const double by_gateway =
      count("enforcing_consecutive_gateway_failure", 0) > 0 ? count("consecutive_gateway_failure", 5) : 0;
  if (by_5xx > 0) detection.note("consecutive_5xx", "only 502, 503 and 504 in a row count");
  rule["gateway_failures"] = whole(by_gateway > 0 ? by_gateway : by_5xx);
  const bool is_split = detection.truth("split_external_local_origin_errors").value_or(false);
  if (!is_split) detection.note("split_external_local_origin_errors", "tries without an answer always count apart");
  rule["local_failures"] = whole(
      count("enforcing_consecutive_local_origin_failure", 100) > 0 ? count("consecutive_local_origin_failure", 5) : 0);
  detection.pass_over({"consecutive_5xx", "consecutive_gateway_failure", "consecutive_local_origin_failure",
                       "enforcing_local_origin_success_rate"});
  put(rule, "interval", detection.duration("interval"));
  put(rule, "time", detection.duration("base_ejection_time"));
  put(rule, "longest", detection.duration("max_ejection_time"));
  rule["most"] = whole(count("max_ejection_percent", 10));
  const double hosts = count("success_rate_minimum_hosts", 5);
  const double requests = count("success_rate_request_volume", 100);
  const double deviations = count("success_rate_stdev_factor", 1900) / 1000;
  if (count("enforcing_success_rate", 100) > 0) {
    rule["success_rate"]["endpoints"] = whole(hosts);
    rule["success_rate"]["requests"] = whole(requests);
    rule["success_rate"]["deviations"] = fraction(deviations);
  } else {
    rule["success_rate"] = "none";
  }
  return rule;
}

// Puts the endpoints of a cluster, which its message holds or names.
void put_all_endpoints(Fields& fields, const std::string& name, const Resources& resources, YAML::Node cluster) {
  const std::string type = fields.word("type").value_or("STATIC");
  auto assignment = fields.message("load_assignment");
  std::string service = name;
  if (auto eds = fields.message("eds_cluster_config")) {
    eds->pass_over({"eds_config"});
    service = eds->text("service_name").value_or(name);
  }
  if (type == "EDS") {
    const std::optional<Named> found = resources.endpoints(service);
    if (!found && resources.may_come_later()) return;
    if (!found) {
      return fields.refuse("eds_cluster_config", "there are no endpoints of " + service + " in this configuration");
    }
    return put_endpoints(Fields(*found, fields.findings()), cluster);
  }
  if (type != "STATIC" && type != "STRICT_DNS") fields.refuse("type", type + " is not supported: write STATIC");
  if (assignment) put_endpoints(*std::move(assignment), cluster);
}

}  // namespace

std::vector<Assigned> assigned_in(Fields assignment) {
  std::vector<Assigned> all;
  assignment.pass_over({"cluster_name"});
  for (Fields& locality : assignment.list("endpoints")) {
    std::string place;
    if (auto of = locality.message("locality")) {
      of->pass_over({"region"});
      place = of->text("zone").value_or("");
      if (const auto sub = of->text("sub_zone")) place.append("/").append(*sub);
    }
    locality.pass_over({"metadata"});
    const double priority = locality.number("priority").value_or(0);
    if (locality.has("load_balancing_weight")) {
      locality.note("load_balancing_weight", "endpoints have weights of their own, whatever their locality has");
      locality.pass_over({"load_balancing_weight"});
    }
    for (Fields& one : locality.list("lb_endpoints")) {
      const std::string health = one.word("health_status").value_or("UNKNOWN");
      if (health == "UNKNOWN" || health == "HEALTHY" || health == "DEGRADED") {
        all.push_back(endpoint_of(std::move(one), priority, place));
      } else {
        one.note("health_status", "an endpoint that is " + health + " is left out");
        one.pass_over_all();
      }
    }
  }
  if (auto policy = assignment.message("policy")) {
    // The share of the requests that each level takes is computed as by Envoy, with its default factor of 140.
    const double factor = policy->number("overprovisioning_factor").value_or(140);
    if (factor != 140) policy->refuse("overprovisioning_factor", "is always 140");
    policy->pass_over({"endpoint_stale_after"});
  }
  return all;
}

YAML::Node cluster_of(Fields fields, const Resources& resources) {
  YAML::Node cluster(YAML::NodeType::Map);
  fields.pass_over({"alt_stat_name", "metadata", "per_connection_buffer_limit_bytes", "upstream_connection_options",
                    "close_connections_on_host_health_failure", "ignore_health_on_host_removal", "respect_dns_ttl",
                    "dns_refresh_rate", "dns_lookup_family"});
  const std::string name = fields.text("name").value_or("");
  cluster["name"] = name_of(name);
  put_all_endpoints(fields, name, resources, cluster);
  cluster["connect_timeout"] = fields.duration("connect_timeout").value_or("5s");
  put_balance(fields, cluster);
  put_breakers(fields, cluster);
  put_protocol(fields, cluster);
  if (auto socket = fields.message("transport_socket")) {
    const YAML::Node tls = cluster_tls_of(*std::move(socket), resources);
    if (!tls.IsNull()) cluster["tls"] = tls;
  }
  auto checks = fields.list("health_checks");
  if (checks.size() > 1) fields.refuse("health_checks", "there is one");
  for (Fields& check : checks) cluster["check"] = check_of(std::move(check));
  if (auto detection = fields.message("outlier_detection")) cluster["outlier"] = outlier_of(*std::move(detection));
  if (auto common = fields.message("common_lb_config")) {
    if (const auto percent = common->percent("healthy_panic_threshold")) cluster["panic"] = whole(*percent);
  }
  return cluster;
}

}  // namespace hone::mesh::envoy
