// A cluster as the configuration has it: endpoints that answer alike, and the rules for requests to them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/per_worker.hpp"
#include "base/time.hpp"
#include "cluster/hash_table.hpp"
#include "cluster/health.hpp"
#include "net/address.hpp"
#include "net/tls.hpp"
#include "observe/metrics.hpp"

namespace hone::mesh {

// EndpointCounts are a worker's counts for an endpoint.
struct EndpointCounts {
  Counter requests;
  // Answers of 5xx and tries without an answer.
  Counter failures;
};

// EndpointSpec is one server of a cluster. It is immutable but for its health and its counts.
struct EndpointSpec {
  Address address;
  // Share of the requests, relative to the others' weights.
  std::uint32_t weight = 1;
  // Endpoints of a level get the requests that those of the levels below it cannot take.
  std::uint32_t level = 0;
  // The machine or zone of the endpoint; empty where none is given.
  std::string place = {};
  std::shared_ptr<EndpointHealth> health = std::make_shared<EndpointHealth>();
  std::shared_ptr<PerWorker<EndpointCounts>> counts = std::make_shared<PerWorker<EndpointCounts>>();

  // True if both specifications are the same.
  bool is_like(const EndpointSpec& other) const {
    return address == other.address && weight == other.weight && level == other.level && place == other.place;
  }
};

// Balance is the method by which an endpoint is chosen.
enum class Balance : std::uint8_t { kLeastRequest, kRoundRobin, kHash };

// TableRule is the rule by which a table of hashes is made.
struct TableRule {
  bool is_maglev = false;
  std::uint64_t places = 0;
};

// Protocol is the protocol that a cluster's endpoints speak. With kAuto each of them chooses it by TLS; the last two
// are Thrift.
enum class Protocol : std::uint8_t { kHttp1, kHttp2, kAuto, kFramed, kTTHeader };

constexpr bool is_thrift(Protocol protocol) {
  return protocol == Protocol::kFramed || protocol == Protocol::kTTHeader;
}

// ClusterLimits bounds the use of a cluster by all workers together.
struct ClusterLimits {
  std::uint32_t connections = 1024;
  // Requests that are under way or wait for a connection.
  std::uint32_t requests = 4096;
  // Requests that are tried again, at one time.
  std::uint32_t retries = 64;
  // Thrift: calls that are under way on one connection, and bytes of an answer.
  std::uint32_t calls = 1;
  std::uint32_t message = 16 << 20;

  bool operator==(const ClusterLimits&) const = default;
};

// ClusterTotals counts the connections and requests that all workers together have under way. It is read and written
// without order: limits may be passed by as many requests as there are workers.
struct ClusterTotals {
  std::atomic<std::uint32_t> connections{0};
  std::atomic<std::uint32_t> requests{0};
  std::atomic<std::uint32_t> retries{0};
};

// ConnectionSpec is the specification of connections to the endpoints of a cluster, with their limits. It is immutable
// but for its totals.
struct ConnectionSpec {
  Protocol protocol = Protocol::kHttp1;
  // Nullptr where the endpoints do not speak TLS.
  std::shared_ptr<Tls> tls;
  // The time until a connection is good for requests: with TLS, its handshake included.
  Duration connect_timeout = std::chrono::seconds(1);
  // The time after which a connection without requests is closed.
  Duration idle_timeout = std::chrono::seconds(30);
  ClusterLimits limits;
  // True for connections on which nothing may come for long, and whose end has to be noticed.
  bool is_kept_alive = false;
  std::shared_ptr<ClusterTotals> totals = std::make_shared<ClusterTotals>();

  std::string_view scheme() const { return tls == nullptr ? "http" : "https"; }
  // True if connections made by either specification serve both.
  bool is_like(const ConnectionSpec& other) const;
  // Goes on with the Tls of `before`, which gets the certificates of this one, where both want the same of the other
  // side.
  void keep_tls_of(const ConnectionSpec& before);
};

// ClusterSpec is immutable but for its totals, its health and its metrics.
struct ClusterSpec : ConnectionSpec {
  std::string name;
  // The number by which routes know the cluster.
  std::uint32_t number = 0;
  std::vector<EndpointSpec> endpoints;
  Balance balance = Balance::kLeastRequest;
  // For kHash: the rule for the table of keys, and the table that was made from the endpoints.
  TableRule table_rule;
  std::shared_ptr<const HashTable> table;
  // Sums of the endpoints' weights that keep requests local: the sum of each endpoint includes the endpoints before it.
  // Empty where all endpoints are alike.
  std::vector<std::uint32_t> local_first;
  std::optional<OutlierRule> outlier;
  std::optional<HealthRule> check;
  // Where the levels cannot take all requests, and fewer than this percentage of the endpoints are up, all endpoints
  // are used: those that are up would break under all requests.
  std::uint32_t panic_percent = 50;
  std::shared_ptr<ClusterHealth> health = std::make_shared<ClusterHealth>();
  std::shared_ptr<PerWorker<ClusterMetrics>> metrics = std::make_shared<PerWorker<ClusterMetrics>>();

  // True if both specifications are the same.
  bool is_like(const ClusterSpec& other) const;
  // Goes on with the totals, the health and the metrics of `before`, and with the health and the counts of its
  // endpoints, by their addresses. Where `before` is nullptr, it begins with counts for `workers` workers.
  void go_on_from(const ClusterSpec* before, std::size_t workers);

  // Returns the cluster for requests that the proxy makes itself, which do not count against the limits of others.
  ClusterSpec with_own_totals() const {
    ClusterSpec own = *this;
    own.totals = std::make_shared<ClusterTotals>();
    return own;
  }
};

}  // namespace hone::mesh
