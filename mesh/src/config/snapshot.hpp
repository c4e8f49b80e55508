// What a configuration means: plain, checked values that nobody changes. Every reader of configurations makes one.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cluster/spec.hpp"
#include "net/address.hpp"
#include "net/shared_memory.hpp"
#include "net/tls.hpp"
#include "observe/access_log.hpp"
#include "observe/metrics.hpp"
#include "route/table.hpp"
#include "wire/http1/server.hpp"

namespace hone::mesh {

// Forwarded is what becomes of X-Forwarded-For, which any client may have written.
enum class Forwarded : std::uint8_t {
  // The client's address is added to what is there: for sidecars, whose clients are known.
  kAppend,
  // The client's address alone: for an edge.
  kReplace,
  // Nothing is added, and nothing taken away.
  kKeep,
};

// IdentityTold is what endpoints read in X-Forwarded-Client-Cert, which any client may have written.
enum class IdentityTold : std::uint8_t {
  // Nothing: what a client says is taken away.
  kNone,
  // Who the client is by its certificate.
  kTell,
  // What a client says.
  kKeep,
};

// ListenerSpec is where clients come in. It is immutable but for its metrics and its open connections.
struct ListenerSpec {
  std::string name;
  Address address;
  // Clients speak Thrift, and not HTTP.
  bool is_thrift = false;
  HostTable hosts;
  // Numbers of all its routes.
  std::vector<std::uint32_t> routes;
  // Number of the cluster that takes all bytes, where clients speak no protocol that is known here.
  std::optional<std::uint32_t> tcp;
  // Nullptr where clients do not speak TLS.
  std::shared_ptr<Tls> tls;
  // From a client's connection to the end of its handshake.
  Duration handshake = std::chrono::seconds(10);
  http1::ServerLimits limits;
  // Connections that all workers together hold.
  std::uint32_t connections = 10'000;
  // Requests that one connection of HTTP/2 or Thrift has under way.
  std::uint32_t streams = 100;
  // Thrift: bytes of a call.
  std::uint32_t message = 16 << 20;
  Forwarded forwarded = Forwarded::kAppend;
  IdentityTold identity_told = IdentityTold::kNone;
  // What requests pass that no route is for; nullptr where there is nothing.
  std::shared_ptr<const Chain> filters;
  std::shared_ptr<std::atomic<std::uint32_t>> connections_open = std::make_shared<std::atomic<std::uint32_t>>(0);
  std::shared_ptr<PerWorker<ListenerMetrics>> metrics = std::make_shared<PerWorker<ListenerMetrics>>();
  // What is the same for listeners that were read from the same text. Certificates change without it.
  std::uint64_t fingerprint = 0;

  // True if another listener cannot stand beside this one. The kernel would let both listen, and deal connections out.
  bool has_address_of(const ListenerSpec& other) const {
    return name != other.name && address.is_socket_of(other.address) && !address.has_any_port();
  }
  // True if connections that came in by one of both may stay with the other.
  bool speaks_like(const ListenerSpec& other) const {
    return address == other.address && is_thrift == other.is_thrift && tcp.has_value() == other.tcp.has_value() &&
           (tls == nullptr) == (other.tls == nullptr);
  }
};

// AccessLogSpec is where lines go: a path, or "-" for the standard output.
struct AccessLogSpec {
  std::string path;
  LogFormat format = LogFormat::kText;

  bool operator==(const AccessLogSpec&) const = default;
};

// TracingSpec is where spans go.
struct TracingSpec {
  // Number of the cluster of collectors.
  std::uint32_t cluster = 0;
  std::string path = "/v1/traces";
  // What stands in Host; empty for the collector's address.
  std::string host;
  std::string service = "hone-mesh";

  bool operator==(const TracingSpec&) const = default;
};

// AgentSpec is the hone-agent that is told what the process counts.
struct AgentSpec {
  // As its client library writes it: unixgram:PATH or udp:ADDRESS:PORT.
  std::string address = "unixgram:/run/hone-agent/agent.sock";
  Duration every = std::chrono::seconds(10);

  bool operator==(const AgentSpec&) const = default;
};

// NodeSpec is what a control plane knows the process by.
struct NodeSpec {
  std::string id;
  std::string cluster;
  std::string region;
  std::string zone;

  bool operator==(const NodeSpec&) const = default;
};

// ControlPlaneSpec is who says what is served beside the file.
struct ControlPlaneSpec {
  // Number of the cluster of control planes.
  std::uint32_t cluster = 0;
  // True if it is asked for what changes, and not for all of it each time.
  bool is_delta = true;
  NodeSpec node;
  // Or the files that say it, in place of all else.
  std::vector<std::string> files;
  // The file that keeps what was said last; empty for none.
  std::string keep;

  bool operator==(const ControlPlaneSpec&) const = default;
};

// OverloadSpec is what the process may use beside what its control group allows.
struct OverloadSpec {
  // Bytes that it may have; nothing for no limit of its own.
  std::optional<std::uint64_t> memory;
  // Percentage of the CPU time that its control group or the machine has.
  std::optional<std::uint32_t> cpu_percent;
};

// RestartSpec is how long a process that takes over may take until it serves, and how long it then has to stay alive
// before the one that it takes over from leaves.
struct RestartSpec {
  Duration ready_within = std::chrono::seconds(60);
  Duration trial = std::chrono::seconds(10);
};

// Snapshot is a whole configuration.
struct Snapshot {
  // The text that it was read from.
  std::string source;
  // Zero: one for each CPU that the process may use.
  std::uint32_t workers = 0;
  std::optional<Address> admin;
  std::optional<AccessLogSpec> access_log;
  std::optional<TracingSpec> tracing;
  std::optional<AgentSpec> agent;
  std::optional<ControlPlaneSpec> control_plane;
  // How long requests that are under way may take when the process ends.
  Duration drain_timeout = std::chrono::seconds(30);
  RestartSpec restart;
  OverloadSpec overload;
  SharedMemorySpec shared_memory;
  std::vector<ListenerSpec> listeners;
  std::vector<ClusterSpec> clusters;
};

}  // namespace hone::mesh
