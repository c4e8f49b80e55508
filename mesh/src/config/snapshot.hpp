// The meaning of a configuration: plain, checked values that nobody changes. Every reader of configurations makes one.
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

// Forwarded is the treatment of X-Forwarded-For, which any client may have written.
enum class Forwarded : std::uint8_t {
  // The client's address is added to the addresses that are there: for sidecars, whose clients are known.
  kAppend,
  // The client's address alone: for an edge.
  kReplace,
  // Nothing is added, and nothing taken away.
  kKeep,
};

// IdentityTold is the content of X-Forwarded-Client-Cert for endpoints; any client may have written that field.
enum class IdentityTold : std::uint8_t {
  // Nothing: the field of a client is removed.
  kNone,
  // The identity of the client by its certificate.
  kTell,
  // The field as the client has sent it.
  kKeep,
};

// ListenerSpec is the specification of a listener. It is immutable but for its metrics and its open connections.
struct ListenerSpec {
  std::string name;
  Address address;
  // True if clients speak Thrift, and not HTTP.
  bool is_thrift = false;
  HostTable hosts;
  // Numbers of all its routes.
  std::vector<std::uint32_t> routes;
  // Number of the cluster that takes all bytes, where clients speak no protocol that is known here.
  std::optional<std::uint32_t> tcp;
  // Nullptr where clients do not speak TLS.
  std::shared_ptr<Tls> tls;
  // The time from a client's connection to the end of its handshake.
  Duration handshake = std::chrono::seconds(10);
  http1::ServerLimits limits;
  // The most connections that all workers together hold.
  std::uint32_t connections = 10'000;
  // The most requests that one connection of HTTP/2 or Thrift has under way.
  std::uint32_t streams = 100;
  // Thrift: the most bytes of a call.
  std::uint32_t message = 16 << 20;
  Forwarded forwarded = Forwarded::kAppend;
  IdentityTold identity_told = IdentityTold::kNone;
  // The filters that requests without a route pass; nullptr where there are none.
  std::shared_ptr<const Chain> filters;
  std::shared_ptr<std::atomic<std::uint32_t>> connections_open = std::make_shared<std::atomic<std::uint32_t>>(0);
  std::shared_ptr<PerWorker<ListenerMetrics>> metrics = std::make_shared<PerWorker<ListenerMetrics>>();
  // A number that is the same for listeners that were read from the same text. Certificates change without it.
  std::uint64_t fingerprint = 0;

  // True if `other` has the same address, so that it cannot stand beside this one: the kernel would let both listen,
  // and deal connections out.
  bool has_address_of(const ListenerSpec& other) const {
    return name != other.name && address.is_socket_of(other.address) && !address.has_any_port();
  }
  // True if connections that came in by one of the two listeners may stay with the other.
  bool speaks_like(const ListenerSpec& other) const {
    return address == other.address && is_thrift == other.is_thrift && tcp.has_value() == other.tcp.has_value() &&
           (tls == nullptr) == (other.tls == nullptr);
  }
};

// AccessLogSpec is the output of the access log: a path, or "-" for the standard output.
struct AccessLogSpec {
  std::string path;
  LogFormat format = LogFormat::kText;

  bool operator==(const AccessLogSpec&) const = default;
};

// TracingSpec is the destination of spans.
struct TracingSpec {
  // Number of the cluster of collectors.
  std::uint32_t cluster = 0;
  std::string path = "/v1/traces";
  // The value of Host; empty for the collector's address.
  std::string host;
  std::string service = "hone-mesh";

  bool operator==(const TracingSpec&) const = default;
};

// AgentSpec is the hone-agent that gets the metrics of the process.
struct AgentSpec {
  // The address as the agent's client library writes it: unixgram:PATH or udp:ADDRESS:PORT.
  std::string address = "unixgram:/run/hone-agent/agent.sock";
  Duration every = std::chrono::seconds(10);

  bool operator==(const AgentSpec&) const = default;
};

// NodeSpec is the identity of the process for a control plane.
struct NodeSpec {
  std::string id;
  std::string cluster;
  std::string region;
  std::string zone;

  bool operator==(const NodeSpec&) const = default;
};

// ControlPlaneSpec is the source of listeners and clusters beside the file.
struct ControlPlaneSpec {
  // Number of the cluster of control planes.
  std::uint32_t cluster = 0;
  // True if the control plane sends only changes, and not everything each time.
  bool is_delta = true;
  NodeSpec node;
  // The files with the resources, in place of a control plane and all other fields.
  std::vector<std::string> files;
  // The file that keeps the last resources; empty for none.
  std::string keep;

  bool operator==(const ControlPlaneSpec&) const = default;
};

// OverloadSpec holds the limits of the process beside those of its control group.
struct OverloadSpec {
  // The most bytes of memory; nothing for no limit of its own.
  std::optional<std::uint64_t> memory;
  // The percentage that the process may use of the CPU time of its control group or the machine.
  std::optional<std::uint32_t> cpu_percent;
};

// RestartSpec holds the time within which a process that takes over has to serve, and the time for which it then has to
// stay alive before the older process leaves.
struct RestartSpec {
  Duration ready_within = std::chrono::seconds(60);
  Duration trial = std::chrono::seconds(10);
};

// Snapshot is a whole configuration.
struct Snapshot {
  // The text that the snapshot was read from.
  std::string source;
  // Zero stands for one worker for each CPU that the process may use.
  std::uint32_t workers = 0;
  std::optional<Address> admin;
  std::optional<AccessLogSpec> access_log;
  std::optional<TracingSpec> tracing;
  std::optional<AgentSpec> agent;
  std::optional<ControlPlaneSpec> control_plane;
  // The longest time for requests that are under way when the process ends.
  Duration drain_timeout = std::chrono::seconds(30);
  RestartSpec restart;
  OverloadSpec overload;
  SharedMemorySpec shared_memory;
  std::vector<ListenerSpec> listeners;
  std::vector<ClusterSpec> clusters;
};

}  // namespace hone::mesh
