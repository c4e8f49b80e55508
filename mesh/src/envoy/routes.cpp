// The hosts of a RouteConfiguration, with their routes.
#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "envoy/parts.hpp"

namespace hone::mesh::envoy {
namespace {

// Envoy's own timeout, where a route sets none.
constexpr char kTimeout[] = "15s";

void put_retry(Fields policy, YAML::Node route) {
  YAML::Node retry(YAML::NodeType::Map);
  retry["attempts"] = whole(policy.number("num_retries").value_or(1));
  retry["on"] = YAML::Node(YAML::NodeType::Sequence);
  const std::string words = policy.text("retry_on").value_or("");
  bool on_statuses = false;
  std::vector<std::string> on;
  for (std::string_view rest = words; !rest.empty();) {
    const std::string word(take_until(rest, ','));
    // An endpoint has not looked at a stream that it refused, just as where no connection came about.
    if (word == "connect-failure" || word == "refused-stream") {
      on.push_back("connect-failure");
    } else if (word == "reset" || word == "reset-before-request") {
      on.push_back("reset");
    } else if (word == "cancelled" || word == "deadline-exceeded" || word == "internal" ||
               word == "resource-exhausted" || word == "unavailable") {
      retry["grpc"].push_back(word);
    } else if (word == "retriable-status-codes") {
      on_statuses = true;
    } else if (word == "gateway-error" || word == "5xx") {
      const bool is_any = word == "5xx";
      if (is_any) policy.note("retry_on", "5xx also means statuses that no server uses: 500 to 504 are tried again");
      for (int status = is_any ? 500 : 502; status <= 504; ++status) retry["statuses"].push_back(status);
      on.insert(on.end(), {"connect-failure", "reset", "timeout"});
    } else {
      policy.refuse("retry_on", word + " is not supported");
    }
  }
  std::sort(on.begin(), on.end());
  on.erase(std::unique(on.begin(), on.end()), on.end());
  for (const std::string& word : on) retry["on"].push_back(word);
  for (const double status : policy.numbers("retriable_status_codes")) {
    if (on_statuses) retry["statuses"].push_back(whole(status));
  }
  // Further tries always go to other endpoints.
  policy.pass_over({"host_selection_retry_max_attempts"});
  for (Fields& predicate : policy.list("retry_host_predicate")) {
    predicate.pass_over({"name"});
    auto kind = predicate.any("typed_config");
    if (!kind) continue;
    const bool is_previous = kind->kind() == "envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate";
    is_previous ? kind->pass_over_all() : kind->refuse_kind("the predicate ");
  }
  put(retry, "per_try_timeout", policy.duration("per_try_timeout"));
  if (auto backoff = policy.message("retry_back_off")) {
    backoff->pass_over({"max_interval"});
    put(retry, "backoff", backoff->duration("base_interval"));
  }
  route["retry"] = retry;
}

YAML::Node hash_rule_of(Fields policy) {
  YAML::Node rule(YAML::NodeType::Map);
  if (auto header = policy.message("header")) rule["header"] = header->text("header_name").value_or("");
  if (auto cookie = policy.message("cookie")) {
    rule["cookie"] = cookie->text("name").value_or("");
    put(rule, "lives", cookie->duration("ttl"));
  }
  if (auto query = policy.message("query_parameter")) rule["query"] = query->text("name").value_or("");
  if (auto client = policy.message("connection_properties")) {
    if (client->truth("source_ip").value_or(false)) return YAML::Node("client");
  }
  policy.pass_over({"terminal"});
  return rule;
}

void put_clusters(Fields& action, YAML::Node route) {
  if (const auto cluster = action.text("cluster")) route["to"] = name_of(*cluster);
  auto weighted = action.message("weighted_clusters");
  if (!weighted) return;
  // The sum of the weights is known from the weights themselves.
  weighted->pass_over({"total_weight"});
  for (Fields& one : weighted->list("clusters")) {
    YAML::Node share(YAML::NodeType::Map);
    share["cluster"] = name_of(one.text("name").value_or(""));
    share["weight"] = whole(one.number("weight").value_or(0));
    route["to"].push_back(share);
  }
}

// Calls of gRPC always keep their own deadlines, unless the timeout of the route ends sooner.
void pass_over_no_limit(Fields& fields, const char* name) {
  if (fields.duration(name).value_or("0ms") != "0ms") fields.refuse(name, "write timeout, or 0s here");
}

void put_forward(Fields action, YAML::Node route) {
  put_clusters(action, route);
  YAML::Node rewrite(YAML::NodeType::Map);
  if (const auto prefix = action.text("prefix_rewrite")) {
    rewrite["prefix"] = *prefix;
    if (!route["match"]["prefix"] && route["match"]["regex"]) {
      action.refuse("prefix_rewrite",
                    "a prefix is rewritten where it ends with a part of the path: match by path_separated_prefix");
    }
  }
  put(rewrite, "host", action.text("host_rewrite_literal"));
  if (rewrite.size() > 0) route["rewrite"] = rewrite;
  const std::string timeout = action.duration("timeout").value_or(kTimeout);
  route["timeout"] = timeout == "0ms" ? "none" : timeout;
  pass_over_no_limit(action, "max_grpc_timeout");
  if (auto longest = action.message("max_stream_duration")) {
    for (const char* const name : {"max_stream_duration", "grpc_timeout_header_max"})
      pass_over_no_limit(*longest, name);
  }
  if (auto policy = action.message("retry_policy")) put_retry(*std::move(policy), route);
  for (Fields& policy : action.list("hash_policy")) route["hash"].push_back(hash_rule_of(std::move(policy)));
  for (Fields& upgrade : action.list("upgrade_configs")) {
    if (upgrade.text("upgrade_type").value_or("") != "websocket")
      upgrade.refuse("upgrade_type", "only websocket is passed on");
    if (!upgrade.truth("enabled").value_or(true)) upgrade.refuse("enabled", "WebSocket is passed on on all routes");
  }
}

void put_redirect(Fields action, YAML::Node route) {
  YAML::Node redirect(YAML::NodeType::Map);
  const std::map<std::string, const char*> statuses = {
      {"FOUND", "302"}, {"SEE_OTHER", "303"}, {"TEMPORARY_REDIRECT", "307"}, {"PERMANENT_REDIRECT", "308"}};
  const auto found = statuses.find(action.word("response_code").value_or(""));
  redirect["status"] = found == statuses.end() ? "301" : found->second;
  if (action.truth("https_redirect").value_or(false)) redirect["scheme"] = "https";
  put(redirect, "scheme", action.text("scheme_redirect"));
  put(redirect, "host", action.text("host_redirect"));
  put(redirect, "path", action.text("path_redirect"));
  put(redirect, "prefix", action.text("prefix_rewrite"));
  route["redirect"] = redirect;
}

void put_reply(Fields action, YAML::Node route) {
  route["reply"]["status"] = whole(action.number("status").value_or(200));
  if (auto body = action.message("body")) put(route["reply"], "body", body->text("inline_string"));
}

// Puts a route's own filters in the order of the listener's, and has the route skip those of the listener's that they
// replace.
void put_route_filters(std::vector<std::pair<std::string, Fields>> configs, const std::vector<Slot>& slots,
                       YAML::Node route) {
  std::map<std::string, YAML::Node> made;
  for (auto& [name, config] : configs) {
    const auto is_named = [wanted = name](const Slot& slot) { return slot.name == wanted; };
    if (std::none_of(slots.begin(), slots.end(), is_named)) {
      config.note("", "the listener has no filter of this name, so nothing comes of it");
      config.pass_over_all();
      continue;
    }
    made.emplace(name, route_filter_of(std::move(config)));
  }
  for (const Slot& slot : slots) {
    const auto found = made.find(slot.name);
    if (found == made.end()) continue;
    if (!found->second.IsNull()) route["filters"].push_back(found->second);
    if (slot.is_on_listener) route["skip"].push_back(slot.kind);
  }
}

YAML::Node route_of(Fields fields, const std::vector<Slot>& slots) {
  YAML::Node route(YAML::NodeType::Map);
  fields.pass_over({"name", "metadata", "decorator"});
  if (auto match = fields.message("match")) route["match"] = match_of(*std::move(match));
  if (auto action = fields.message("route")) put_forward(*std::move(action), route);
  if (auto action = fields.message("redirect")) put_redirect(*std::move(action), route);
  if (auto action = fields.message("direct_response")) put_reply(*std::move(action), route);
  put_route_filters(fields.entries("typed_per_filter_config"), slots, route);
  YAML::Node changes = route["filters"] ? route["filters"] : YAML::Node(YAML::NodeType::Sequence);
  put_header_changes(fields, changes);
  if (changes.size() > 0) route["filters"] = changes;
  if (route["match"] && route["match"].size() == 0) route.remove("match");
  return route;
}

// Returns the name of a host without a port, by which hone-mesh tells hosts apart.
std::optional<std::string> host_of(const std::string& domain, const Fields& host) {
  const std::size_t colon = domain.rfind(':');
  const std::string name = domain.ends_with(":*") ? domain.substr(0, colon) : domain;
  if (name == domain && colon != domain.npos && domain.find(']') == domain.npos) {
    host.refuse("domains", domain + ": hosts have no port");
    return std::nullopt;
  }
  if (name.size() > 1 && name.ends_with('*')) {
    host.refuse("domains", domain + ": a host is a whole name, or a star with its end");
    return std::nullopt;
  }
  return name;
}

}  // namespace

YAML::Node hosts_of(Fields routes, const std::vector<Slot>& slots) {
  // Ports of hosts are never looked at.
  routes.pass_over(
      {"name", "validate_clusters", "max_direct_response_body_size_bytes", "ignore_port_in_host_matching"});
  YAML::Node all(YAML::NodeType::Sequence);
  put_header_changes(routes, all);
  YAML::Node hosts(YAML::NodeType::Sequence);
  for (Fields& fields : routes.list("virtual_hosts")) {
    fields.pass_over({"name", "metadata"});
    if (fields.truth("include_request_attempt_count").value_or(false)) {
      fields.note("include_request_attempt_count", "endpoints are not told how often a request was tried");
    }
    YAML::Node host(YAML::NodeType::Map);
    std::vector<std::string> names;
    for (const std::string& domain : fields.texts("domains")) {
      const auto name = host_of(domain, fields);
      if (name && std::find(names.begin(), names.end(), *name) == names.end()) names.push_back(*name);
    }
    for (const std::string& name : names) host["names"].push_back(name);
    YAML::Node shared(YAML::NodeType::Sequence);
    put_header_changes(fields, shared);
    for (const YAML::Node& one : all) shared.push_back(one);
    const std::string tls = fields.word("require_tls").value_or("NONE");
    if (tls != "NONE") fields.refuse("require_tls", "write a listener of its own that redirects to https");
    for (Fields& one : fields.list("routes")) {
      YAML::Node route = route_of(std::move(one), slots);
      for (const YAML::Node& filter : shared) route["filters"].push_back(YAML::Clone(filter));
      host["routes"].push_back(route);
    }
    if (!host["routes"]) {
      fields.note("routes", "a host without routes answers 404");
      continue;
    }
    hosts.push_back(host);
  }
  return hosts;
}

}  // namespace hone::mesh::envoy
