// Listeners: their address, their TLS, and the filters of their connections.
#include "envoy/parts.hpp"

namespace hone::mesh::envoy {
namespace {

constexpr char kManager[] = "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";
constexpr char kTcp[] = "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy";
constexpr char kRouter[] = "envoy.extensions.filters.http.router.v3.Router";

void put_log(Fields log, YAML::Node root) {
  log.pass_over({"name"});
  auto config = log.any("typed_config");
  if (!config) return;
  std::string path;
  if (config->kind() == "envoy.extensions.access_loggers.file.v3.FileAccessLog") {
    path = config->text("path").value_or("");
  } else if (config->kind() == "envoy.extensions.access_loggers.stream.v3.StdoutAccessLog") {
    path = "-";
  } else {
    return config->refuse_kind("the access log ");
  }
  for (const char* const format : {"log_format", "format", "json_format", "typed_json_format"}) {
    if (!config->has(format)) continue;
    config->note(format, "lines are those of Envoy's default format, or of hone-mesh's own in JSON");
    config->pass_over({format});
    if (std::string_view(format) != "format") root["access_log"]["format"] = "json";
  }
  if (root["access_log"]["path"] && root["access_log"]["path"].Scalar() != path) {
    config->refuse("path", "there is one access log for all listeners");
  }
  root["access_log"]["path"] = path;
}

void put_forwarded(Fields& manager, YAML::Node listener) {
  const bool is_edge = manager.truth("use_remote_address").value_or(false);
  const bool is_kept = manager.truth("skip_xff_append").value_or(false);
  listener["forwarded"] = is_edge && !is_kept ? "append" : "keep";
  const std::string identity = manager.word("forward_client_cert_details").value_or("SANITIZE");
  if (identity == "ALWAYS_FORWARD_ONLY") {
    listener["forward_identity"] = "keep";
  } else if (identity == "SANITIZE_SET") {
    listener["forward_identity"] = "tell";
    manager.note("forward_client_cert_details", "endpoints are told the URI of the client alone");
  } else if (identity != "SANITIZE") {
    manager.refuse("forward_client_cert_details", "write SANITIZE, SANITIZE_SET or ALWAYS_FORWARD_ONLY");
  }
  if (auto details = manager.message("set_current_client_cert_details")) details->pass_over_all();
}

void put_http_limits(Fields& manager, YAML::Node listener) {
  YAML::Node timeouts(YAML::NodeType::Map);
  YAML::Node limits(YAML::NodeType::Map);
  // Envoy's own timeouts, where the configuration sets none.
  timeouts["idle"] = "60m";
  timeouts["stall"] = "5m";
  const auto time = [&](const char* key, const std::optional<std::string>& duration) {
    if (duration && *duration == "0ms") timeouts[key] = "1440m";
    if (duration && *duration != "0ms") timeouts[key] = *duration;
  };
  time("stall", manager.duration("stream_idle_timeout"));
  time("head", manager.duration("request_headers_timeout"));
  if (auto common = manager.message("common_http_protocol_options")) {
    time("idle", common->duration("idle_timeout"));
    if (const auto fields = common->number("max_headers_count")) limits["fields"] = whole(*fields);
    const std::string underscores = common->word("headers_with_underscores_action").value_or("ALLOW");
    if (underscores != "ALLOW") common->refuse("headers_with_underscores_action", "fields with underscores pass");
  }
  if (auto http2 = manager.message("http2_protocol_options")) {
    if (const auto streams = http2->number("max_concurrent_streams")) limits["streams"] = whole(*streams);
    // Windows and bounds on floods are hone-mesh's own.
    http2->pass_over({"initial_stream_window_size", "initial_connection_window_size"});
  }
  if (timeouts["stall"].Scalar() == "1440m") manager.note("stream_idle_timeout", "a body may stop for a day at most");
  listener["timeouts"] = timeouts;
  if (limits.size() > 0) listener["limits"] = limits;
}

// Reads the filters for all requests. Returns their slots, which routes need.
std::vector<Slot> put_http_filters(Fields& manager, YAML::Node listener) {
  std::vector<Slot> slots;
  YAML::Node filters(YAML::NodeType::Sequence);
  if (manager.truth("generate_request_id").value_or(true)) {
    YAML::Node named(YAML::NodeType::Map);
    const bool is_kept = manager.truth("preserve_external_request_id").value_or(false);
    named["request_id"]["keep"] = is_kept ? "true" : "false";
    if (manager.truth("always_set_request_id_in_response").value_or(false)) named["request_id"]["respond"] = "true";
    filters.push_back(named);
  }
  for (Fields& one : manager.list("http_filters")) {
    Slot slot{one.text("name").value_or(""), "", false};
    if (one.truth("disabled").value_or(false)) one.refuse("disabled", "a filter stands in the list, or it does not");
    auto config = one.any("typed_config");
    if (!config) continue;
    if (config->kind() == kRouter) {
      if (!config->truth("suppress_envoy_headers").value_or(false)) {
        config->note("suppress_envoy_headers", "no x-envoy- headers are made");
      }
      config->pass_over({"dynamic_stats", "start_child_span"});
      continue;
    }
    const YAML::Node filter = filter_of(*std::move(config), slot);
    if (!filter.IsNull()) filters.push_back(filter);
    slots.push_back(slot);
  }
  if (filters.size() > 0) listener["filters"] = filters;
  return slots;
}

// Returns the routes of a manager, which its message holds or names.
std::optional<Fields> routes_of(Fields& manager, const Resources& resources) {
  if (auto routes = manager.message("route_config")) return routes;
  auto rds = manager.message("rds");
  const std::string name = rds ? rds->text("route_config_name").value_or("") : "";
  if (rds) rds->pass_over({"config_source"});
  const std::optional<Named> found = rds ? resources.routes(name) : std::nullopt;
  if (found) return Fields(*found, manager.findings());
  if (rds && resources.may_come_later()) return std::nullopt;
  const std::string why = rds ? "there are no routes " + name + " in this configuration" : "is missing";
  manager.refuse(rds ? "rds" : "route_config", why);
  return std::nullopt;
}

void put_manager(Fields manager, const Resources& resources, YAML::Node listener, YAML::Node root) {
  manager.pass_over({"stat_prefix", "server_name"});
  for (const char* const name : {"http_protocol_options", "max_request_headers_kb"}) {
    if (!manager.has(name)) continue;
    manager.note(name, "is not read: heads have at most 16 KiB, and HTTP/1 is read strictly");
    manager.pass_over({name});
  }
  if (!manager.truth("normalize_path").value_or(false)) manager.note("normalize_path", "paths are always normalised");
  if (manager.word("server_header_transformation").value_or("OVERWRITE") != "PASS_THROUGH") {
    manager.note("server_header_transformation", "Server is passed on as the endpoint has it");
  }
  if (manager.word("codec_type").value_or("AUTO") != "AUTO") {
    manager.note("codec_type", "HTTP/1.1 and HTTP/2 are both spoken");
  }
  const std::string slashes = manager.word("path_with_escaped_slashes_action").value_or("KEEP_UNCHANGED");
  if (slashes != "KEEP_UNCHANGED") manager.refuse("path_with_escaped_slashes_action", "write KEEP_UNCHANGED");
  if (auto ids = manager.message("request_id_extension")) {
    auto kind = ids->any("typed_config");
    const bool is_uuid = kind && kind->kind() == "envoy.extensions.request_id.uuid.v3.UuidRequestIdConfig";
    if (kind) is_uuid ? kind->pass_over_all() : kind->refuse_kind("the extension ");
  }
  bool has_websocket = false;
  for (Fields& upgrade : manager.list("upgrade_configs")) {
    if (upgrade.text("upgrade_type").value_or("") != "websocket")
      upgrade.refuse("upgrade_type", "only websocket is passed on");
    has_websocket |= upgrade.truth("enabled").value_or(true);
  }
  if (!has_websocket) manager.note("upgrade_configs", "WebSocket is passed on");
  for (Fields& log : manager.list("access_log")) put_log(std::move(log), root);
  put_forwarded(manager, listener);
  put_http_limits(manager, listener);
  const std::vector<Slot> slots = put_http_filters(manager, listener);
  if (auto routes = routes_of(manager, resources)) listener["hosts"] = hosts_of(*std::move(routes), slots);
}

void put_tcp(Fields proxy, YAML::Node listener, YAML::Node root) {
  proxy.pass_over({"stat_prefix"});
  listener["tcp"] = name_of(proxy.text("cluster").value_or(""));
  if (const auto idle = proxy.duration("idle_timeout")) listener["timeouts"]["tunnel"] = *idle;
  for (Fields& log : proxy.list("access_log")) put_log(std::move(log), root);
}

void put_chain(Fields chain, const Resources& resources, YAML::Node listener, YAML::Node root) {
  chain.pass_over({"name", "metadata"});
  if (auto socket = chain.message("transport_socket")) {
    const YAML::Node tls = listener_tls_of(*std::move(socket), resources);
    if (!tls.IsNull()) listener["tls"] = tls;
  }
  if (const auto time = chain.duration("transport_socket_connect_timeout")) listener["timeouts"]["handshake"] = *time;
  for (Fields& filter : chain.list("filters")) {
    filter.pass_over({"name"});
    auto config = filter.any("typed_config");
    if (!config) continue;
    if (config->kind() == kManager) {
      put_manager(*std::move(config), resources, listener, root);
    } else if (config->kind() == kTcp) {
      put_tcp(*std::move(config), listener, root);
    } else {
      config->refuse_kind("the filter ");
    }
  }
}

}  // namespace

YAML::Node listener_of(Fields fields, const Resources& resources, YAML::Node root) {
  YAML::Node listener(YAML::NodeType::Map);
  fields.pass_over({"stat_prefix", "metadata", "traffic_direction", "per_connection_buffer_limit_bytes", "drain_type",
                    "tcp_backlog_size", "enable_reuse_port", "reuse_port", "continue_on_listener_filters_timeout",
                    "listener_filters_timeout"});
  const std::optional<std::string> address = address_of(fields.message("address"));
  listener["name"] = name_of(fields.text("name").value_or(address.value_or("")));
  put(listener, "address", address);
  for (Fields& filter : fields.list("listener_filters")) {
    filter.pass_over({"name"});
    auto config = filter.any("typed_config");
    if (!config) continue;
    // These inspectors are of no use to a listener with one chain.
    const bool is_idle = config->kind().ends_with("tls_inspector.v3.TlsInspector") ||
                         config->kind().ends_with("http_inspector.v3.HttpInspector");
    is_idle ? config->pass_over_all() : config->refuse_kind("the listener filter ");
  }
  std::vector<Fields> chains = fields.list("filter_chains");
  if (chains.size() != 1) fields.refuse("filter_chains", "a listener has one");
  for (std::size_t at = 0; at < chains.size(); ++at) {
    at == 0 ? put_chain(std::move(chains[at]), resources, listener, root) : chains[at].pass_over_all();
  }
  return listener;
}

}  // namespace hone::mesh::envoy
