#include "config/yaml.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <future>
#include <set>

#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "cluster/levels.hpp"
#include "config/balance.hpp"
#include "config/health.hpp"
#include "config/name.hpp"
#include "config/routes.hpp"
#include "config/tls.hpp"
#include "config/value.hpp"

namespace hone::mesh::config {
namespace {

// A configuration of 10,000 routes has 3 MB.
constexpr std::size_t kMostBytes = 32 * 1024 * 1024;
constexpr std::uint32_t kMostConnections = 1'000'000;

// Adds a fault for TLS over shared memory: processes that share memory are on one machine, and the kernel tells each
// who the other one is.
void refuse_tls_in_memory(const Value& tls, const Address& address) {
  if (!address.shares_memory()) return;
  tls.fault("memory is not encrypted, and " + address.text() + " is memory", "take tls: out, or write unix: for shm:");
}

std::string read_name(const Section& section, std::set<std::string>& taken) {
  const auto value = section.need("name", "write name: and a word for logs and metrics");
  const auto name = value ? value->text() : std::nullopt;
  if (!name) return {};
  if (!is_name(*name)) {
    value->fault("\"" + *name + "\" is no name", "write up to 64 letters, digits, -, _ and .");
  } else if (!taken.insert(*name).second) {
    value->fault("\"" + *name + "\" is the name of another one", "give each its own name");
  }
  return *name;
}

const auto kNumber = [](const Value& value) { return value.number(1, kMostConnections); };
// Reads the most calls or streams of one connection.
const auto kCalls = [](const Value& value) { return value.number(1, 10'000); };
// Reads the most bytes of a message of Thrift.
const auto kMessage = [](const Value& value) { return value.number(1024, 1 << 30); };

EndpointSpec read_endpoint(const Value& value) {
  EndpointSpec endpoint;
  const auto address = [](const Value& one) { return one.address(); };
  if (!value.is_map()) {
    if (const auto read = value.address()) endpoint.address = *read;
    return endpoint;
  }
  const Section section(value, {"address", "weight", "level", "place"});
  section.need("address", "write address: 127.0.0.1:8080, say");
  section.set("address", endpoint.address, address);
  section.set("weight", endpoint.weight, [](const Value& one) { return one.number(1, 1'000'000); });
  section.set("level", endpoint.level, [](const Value& one) { return one.number(0, kHighestLevel); });
  section.set("place", endpoint.place, kText);
  return endpoint;
}

// Reads a cluster. One from a control plane may have no endpoints, and name secrets.
ClusterSpec read_cluster(const Value& value, std::set<std::string>& names, bool is_told = false) {
  const Section section(value, {"name", "endpoints", "protocol", "tls", "balance", "local_first", "connect_timeout",
                                "idle_timeout", "limits", "check", "outlier", "panic"});
  ClusterSpec cluster;
  cluster.name = read_name(section, names);
  const auto endpoints =
      is_told ? section.find("endpoints") : section.need("endpoints", "write endpoints: [127.0.0.1:8080], say");
  if (endpoints) {
    for (const Value& one : endpoints->list()) cluster.endpoints.push_back(read_endpoint(one));
    if (cluster.endpoints.empty() && !is_told) endpoints->fault("there is no endpoint", "write at least one address");
    if (cluster.endpoints.size() > 1000) endpoints->fault("there are more than 1000", "make several clusters");
  }
  section.set("protocol", cluster.protocol, [](const Value& one) {
    return one.choice<Protocol>({{"http1", Protocol::kHttp1},
                                 {"http2", Protocol::kHttp2},
                                 {"auto", Protocol::kAuto},
                                 {"framed", Protocol::kFramed},
                                 {"ttheader", Protocol::kTTHeader}});
  });
  if (const auto found = section.find("tls")) {
    cluster.tls = read_cluster_tls(*found, is_told);
    for (const EndpointSpec& endpoint : cluster.endpoints) refuse_tls_in_memory(*found, endpoint.address);
  } else if (cluster.protocol == Protocol::kAuto) {
    value.fault("auto is agreed by TLS, and there is none", "write tls: with name: below it, or http1 or http2");
  }
  if (const auto found = section.find("balance")) read_balance(*found, cluster);
  if (const auto found = section.find("local_first")) read_local_first(*found, cluster);
  section.set("connect_timeout", cluster.connect_timeout, kDuration);
  section.set("idle_timeout", cluster.idle_timeout, kDuration);
  if (const auto found = section.find("check")) {
    cluster.check = read_check(*found);
    if (cluster.check->kind == HealthRule::Kind::kGrpc && cluster.protocol == Protocol::kHttp1) {
      found->fault("gRPC does not go over HTTP/1",
                   "write protocol: http2 for the cluster, or for the check http or tcp");
    }
    if (is_thrift(cluster.protocol) && cluster.check->kind != HealthRule::Kind::kTcp) {
      found->fault("endpoints of Thrift answer no requests of HTTP", "write tcp: for the check");
    }
  }
  if (const auto found = section.find("outlier")) cluster.outlier = read_outlier(*found);
  section.set("panic", cluster.panic_percent, [](const Value& one) { return one.number(0, 100); });
  if (const auto found = section.find("limits")) {
    const Section limits(*found, {"connections", "requests", "retries", "calls", "message"});
    limits.set("connections", cluster.limits.connections, kNumber);
    limits.set("requests", cluster.limits.requests, kNumber);
    limits.set("retries", cluster.limits.retries, kNumber);
    limits.set("calls", cluster.limits.calls, kCalls);
    limits.set("message", cluster.limits.message, kMessage);
    const auto calls = limits.find("calls");
    if (calls && cluster.limits.calls > 1 && cluster.protocol != Protocol::kTTHeader) {
      calls->fault("only a connection with TTHeaders carries several calls at once", "write protocol: ttheader");
    }
  }
  return cluster;
}

void read_hosts(const Section& section, ListenerSpec& listener, const RouteContext& context) {
  const auto hosts = section.find("hosts");
  const auto routes = section.find("routes");
  if (!hosts && !routes) return section.value().fault("there are no routes", "write routes:, hosts: or tcp:");
  if (hosts && routes) return routes->fault("routes stand beside hosts", "put them below one of the hosts");
  if (routes) {
    listener.hosts.add({"*"}, read_routes(*routes, context));
    return;
  }
  for (const Value& one : hosts->list()) {
    const Section host(one, {"names", "routes"});
    std::vector<std::string> names;
    if (const auto list = host.need("names", "write names: [\"*\"], or those that clients ask for")) {
      for (const Value& name : list->list()) {
        std::string text = name.text().value_or("");
        std::transform(text.begin(), text.end(), text.begin(), lower);
        const bool is_plain = text.find_first_of("*:/ ", text.starts_with("*.") ? 2 : 0) == text.npos;
        if (text != "*" && (text.empty() || !is_plain)) {
          name.fault("\"" + text + "\" is no host", "write a name without its port, *.example.com, or *");
        }
        names.push_back(std::move(text));
      }
    }
    const auto list = host.need("routes", "write routes: below it");
    RouteList read = list ? read_routes(*list, context) : RouteList();
    if (const auto taken = listener.hosts.add(names, std::move(read))) {
      one.fault("\"" + *taken + "\" is a name of another host too", "leave one of them");
    }
  }
}

// Returns a number that is the same for listeners of the same text and place, since names of routes have their lines.
std::uint64_t fingerprint_of(const Value& value) {
  return hash_of(std::to_string(value.line()), value.fingerprint());
}

ListenerSpec read_listener(const Value& value, std::set<std::string>& names, const Clusters& clusters,
                           Numbers& routes) {
  const Section section(value, {"name", "address", "protocol", "tls", "hosts", "routes", "tcp", "filters", "limits",
                                "timeouts", "forwarded", "forward_identity"});
  ListenerSpec listener;
  listener.name = read_name(section, names);
  section.need("address", "write address: 127.0.0.1:8080, say");
  section.set("address", listener.address, [](const Value& one) { return one.address(); });
  section.set("protocol", listener.is_thrift,
              [](const Value& one) { return one.choice<bool>({{"http", false}, {"thrift", true}}); });
  const bool has_alpn = !section.has("tcp") && !listener.is_thrift;
  if (const auto found = section.find("tls")) {
    listener.tls = read_listener_tls(*found, has_alpn ? Alpn::kEither : Alpn::kNone, clusters.others != nullptr);
    refuse_tls_in_memory(*found, listener.address);
  }
  section.set("forwarded", listener.forwarded, [](const Value& one) {
    return one.choice<Forwarded>(
        {{"append", Forwarded::kAppend}, {"replace", Forwarded::kReplace}, {"keep", Forwarded::kKeep}});
  });
  section.set("forward_identity", listener.identity_told, [](const Value& one) {
    return one.choice<IdentityTold>(
        {{"none", IdentityTold::kNone}, {"tell", IdentityTold::kTell}, {"keep", IdentityTold::kKeep}});
  });
  if (const auto found = section.find("limits")) {
    const Section limits(*found, {"connections", "fields", "streams", "message"});
    limits.set("connections", listener.connections, kNumber);
    limits.set("fields", listener.limits.fields, [](const Value& one) { return one.number(1, 1000); });
    limits.set("streams", listener.streams, kCalls);
    limits.set("message", listener.message, kMessage);
  }
  if (const auto found = section.find("timeouts")) {
    const Section timeouts(*found, {"handshake", "head", "idle", "stall", "tunnel"});
    timeouts.set("tunnel", listener.limits.tunnel, kDuration);
    timeouts.set("handshake", listener.handshake, kDuration);
    timeouts.set("head", listener.limits.head, kDuration);
    timeouts.set("idle", listener.limits.idle, kDuration);
    timeouts.set("stall", listener.limits.stall, kDuration);
  }
  if (const auto tcp = section.find("tcp")) {
    listener.tcp = read_cluster_name(*tcp, clusters, Speech::kBytes);
    for (const std::string_view key : {"protocol", "hosts", "routes", "filters", "forwarded", "forward_identity"}) {
      if (const auto found = section.find(key)) found->fault("this is for listeners of HTTP", "take it or tcp: out");
    }
    return listener;
  }
  ListenerFilters filters;
  if (const auto found = section.find("filters")) {
    filters.list = read_filters(*found);
    if (listener.is_thrift) refuse_filters_of_http(*found, filters.list);
  }
  filters.chain = listener.filters = chain_of(filters.list);
  const Speech speech = listener.is_thrift ? Speech::kThrift : Speech::kHttp;
  if (listener.is_thrift) {
    if (const auto found = section.find("forwarded")) found->fault("this is for listeners of HTTP", "take it out");
    listener.forwarded = Forwarded::kKeep;
  }
  read_hosts(section, listener, {clusters, filters, speech, listener.name, routes, listener.routes});
  return listener;
}

AgentSpec read_agent(const Value& value) {
  AgentSpec agent;
  const Section section(value, {"address", "every"});
  section.set("address", agent.address, kText);
  section.set("every", agent.every, kDuration);
  if (!agent.address.starts_with("unixgram:/") && !agent.address.starts_with("udp:")) {
    value.fault("\"" + agent.address + "\" is no address of an agent", "write unixgram:PATH or udp:ADDRESS:PORT");
  }
  if (agent.every < std::chrono::seconds(1)) value.fault("every is less than a second", "write 1s or more");
  return agent;
}

SharedMemorySpec read_shared_memory(const Value& value) {
  SharedMemorySpec shared;
  const Section section(value, {"ring_kb", "connections", "users"});
  section.set("ring_kb", shared.ring_bytes, [](const Value& one) -> std::optional<std::uint64_t> {
    const auto kb = one.number(shm::kSmallestRing >> 10, shm::kLargestRing >> 10);
    if (!kb || std::has_single_bit(*kb)) return kb ? std::optional(*kb << 10) : std::nullopt;
    one.fault(std::to_string(*kb) + " is no power of two", "write 64, 128, 256 or the like");
    return std::nullopt;
  });
  section.set("connections", shared.connections, [](const Value& one) { return one.number(1, 1 << 16); });
  if (const auto users = section.find("users")) {
    for (const Value& one : users->list()) {
      if (const auto user = one.number(0, UINT32_MAX)) shared.users.push_back(static_cast<std::uint32_t>(*user));
    }
  }
  return shared;
}

AccessLogSpec read_access_log(const Value& value) {
  AccessLogSpec log;
  const Section section(value, {"path", "format"});
  section.need("path", "write path: and a file, or - for the standard output");
  section.set("path", log.path, kText);
  section.set("format", log.format, [](const Value& one) {
    return one.choice<LogFormat>({{"text", LogFormat::kText}, {"json", LogFormat::kJson}});
  });
  return log;
}

TracingSpec read_tracing(const Value& value, const Clusters& clusters) {
  TracingSpec tracing;
  const Section section(value, {"to", "path", "host", "service"});
  if (const auto to = section.need("to", "write to: and a cluster of collectors")) {
    tracing.cluster = read_cluster_name(*to, clusters, Speech::kHttp);
  }
  section.set("path", tracing.path, kTarget);
  section.set("host", tracing.host, kAuthority);
  section.set("service", tracing.service, kText);
  return tracing;
}

ControlPlaneSpec read_control_plane(const Value& value, const Snapshot& snapshot, const Clusters& clusters) {
  ControlPlaneSpec plane;
  const Section section(value, {"to", "by", "node", "keep", "files"});
  if (const auto files = section.find("files")) {
    for (const Value& one : files->list()) plane.files.push_back(one.text().value_or(""));
    if (plane.files.empty()) files->fault("there is no file", "write at least one, or to: and a cluster");
    for (const char* const key : {"to", "by", "node", "keep"}) {
      if (const auto found = section.find(key)) found->fault("files are not asked", "take it or files: out");
    }
    return plane;
  }
  if (const auto to = section.need("to", "write to: and a cluster with protocol: http2")) {
    plane.cluster = read_cluster_name(*to, clusters, Speech::kHttp);
    const auto is_meant = [&](const ClusterSpec& one) { return one.number == plane.cluster; };
    const auto found = std::find_if(snapshot.clusters.begin(), snapshot.clusters.end(), is_meant);
    if (found != snapshot.clusters.end() && found->protocol != Protocol::kHttp2) {
      to->fault("gRPC does not go over HTTP/1", "give the cluster protocol: http2");
    }
  }
  section.set("by", plane.is_delta,
              [](const Value& one) { return one.choice<bool>({{"delta", true}, {"state", false}}); });
  if (const auto node = section.need("node", "write node: {id: mesh-1}, say")) {
    const Section parts(*node, {"id", "cluster", "region", "zone"});
    parts.need("id", "write id: and what tells this process from others");
    parts.set("id", plane.node.id, kText);
    parts.set("cluster", plane.node.cluster, kText);
    parts.set("region", plane.node.region, kText);
    parts.set("zone", plane.node.zone, kText);
  }
  section.set("keep", plane.keep, kText);
  return plane;
}

void read_all(const Value& root, Snapshot& snapshot, Names& numbered) {
  const Section section(root, {"workers", "admin", "access_log", "tracing", "agent", "control_plane", "drain_timeout",
                               "restart", "overload", "shared_memory", "listeners", "clusters"});
  section.set("workers", snapshot.workers, [](const Value& one) { return one.number(1, 1024); });
  section.set("admin", snapshot.admin, [](const Value& one) { return one.address(); });
  if (snapshot.admin && snapshot.admin->shares_memory()) {
    section.find("admin")->fault("the operator's pages are not read through memory", "write unix: for shm:");
  }
  section.set("drain_timeout", snapshot.drain_timeout, kDuration);
  if (const auto found = section.find("restart")) {
    const Section times(*found, {"ready_within", "trial"});
    times.set("ready_within", snapshot.restart.ready_within, kDuration);
    times.set("trial", snapshot.restart.trial, kDuration);
  }
  if (const auto found = section.find("overload")) {
    const Section limits(*found, {"memory_mb", "cpu"});
    limits.set("cpu", snapshot.overload.cpu_percent, [](const Value& one) { return one.number(1, 100); });
    if (const auto memory = limits.find("memory_mb")) {
      if (const auto mb = memory->number(16, 1 << 20)) snapshot.overload.memory = *mb << 20;
    }
  }
  if (const auto found = section.find("agent")) snapshot.agent = read_agent(*found);
  if (const auto found = section.find("shared_memory")) snapshot.shared_memory = read_shared_memory(*found);
  if (const auto found = section.find("access_log")) snapshot.access_log = read_access_log(*found);
  Clusters clusters;
  if (const auto found = section.find("clusters")) {
    std::set<std::string> names;
    for (const Value& one : found->list()) {
      ClusterSpec& cluster = snapshot.clusters.emplace_back(read_cluster(one, names));
      cluster.number = numbered.clusters.of(cluster.name);
      const Speech speech = is_thrift(cluster.protocol) ? Speech::kThrift : Speech::kHttp;
      clusters.known.emplace(cluster.name, NamedCluster{cluster.number, speech});
    }
  }
  if (const auto found = section.find("tracing")) snapshot.tracing = read_tracing(*found, clusters);
  if (const auto found = section.find("control_plane")) {
    snapshot.control_plane = read_control_plane(*found, snapshot, clusters);
  }
  // A control plane may send all of them.
  const auto listeners = snapshot.control_plane
                             ? section.find("listeners")
                             : section.need("listeners", "write listeners: with a name, an address and routes");
  if (!listeners) return;
  std::set<std::string> names;
  for (const Value& one : listeners->list()) {
    ListenerSpec listener = read_listener(one, names, clusters, numbered.routes);
    const auto is_same = [&](const ListenerSpec& other) { return listener.has_address_of(other); };
    if (std::any_of(snapshot.listeners.begin(), snapshot.listeners.end(), is_same)) {
      one.fault("\"" + listener.address.text() + "\" is the address of another one too", "give each its own");
    }
    listener.fingerprint = fingerprint_of(one);
    snapshot.listeners.push_back(std::move(listener));
  }
  if (snapshot.listeners.empty()) listeners->fault("there is no listener", "write at least one");
}

// Returns the nodes of a text, which take a hundred times its size. Another thread makes them, since allocators keep
// the memory of threads apart: so all of that memory is free again with the nodes, and does not lie between memory that
// stays.
YAML::Node loaded(const std::string& text) {
  return std::async(std::launch::async, [&] { return YAML::Load(text); }).get();
}

}  // namespace

Read read_yaml(const std::string& text, const std::string& file, Names& names) {
  Faults faults(file);
  auto snapshot = std::make_unique<Snapshot>();
  try {
    if (text.size() > kMostBytes) {
      faults.add(0, "", "the file has more than 32 MiB", "split it, or leave out what is not needed");
    } else {
      const YAML::Node root = loaded(text);
      if (root.IsMap()) {
        read_all(Value(root, "", faults), *snapshot, names);
      } else {
        faults.add(1, "", "there is no configuration", "begin with listeners: and clusters:");
      }
    }
  } catch (const YAML::Exception& error) {
    faults.add(error.mark.line + 1, "", "this is no YAML: " + error.msg, "look at this line and the one before");
  }
  if (!faults.is_empty()) return {.snapshot = nullptr, .faults = faults.lines()};
  snapshot->source = text;
  return {.snapshot = std::move(snapshot), .faults = {}};
}

std::optional<ClusterSpec> read_cluster_part(const YAML::Node& node, const std::string& where, Names& names,
                                             std::vector<std::string>& faults) {
  Faults found(where);
  std::set<std::string> taken;
  ClusterSpec spec = read_cluster(Value(node, "", found), taken, true);
  faults.insert(faults.end(), found.lines().begin(), found.lines().end());
  if (!found.is_empty()) return std::nullopt;
  spec.number = names.clusters.of(spec.name);
  return spec;
}

std::optional<ListenerSpec> read_listener_part(const YAML::Node& node, const std::string& where, Names& names,
                                               std::vector<std::string>& faults) {
  Faults found(where);
  std::set<std::string> taken;
  const Clusters clusters{.others = &names.clusters};
  const Value value(node, "", found);
  ListenerSpec spec = read_listener(value, taken, clusters, names.routes);
  faults.insert(faults.end(), found.lines().begin(), found.lines().end());
  if (!found.is_empty()) return std::nullopt;
  spec.fingerprint = fingerprint_of(value);
  return spec;
}

Read read_yaml(const std::string& text, const std::string& file) {
  Names names;
  return read_yaml(text, file, names);
}

Read read_file(const std::string& path, Names& names) {
  const std::optional<std::string> text = text_of_file(path);
  if (text) return read_yaml(*text, path, names);
  return {nullptr, {path + ": " + std::strerror(errno) + "; next step: name a file that can be read"}, false};
}

}  // namespace hone::mesh::config
