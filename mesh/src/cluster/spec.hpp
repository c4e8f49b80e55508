// A cluster as the configuration has it: endpoints that answer alike, and what may be asked of them.
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

// EndpointCounts are what a worker has seen of an endpoint.
struct EndpointCounts {
  Counter requests;
  // Answers of 5xx and tries without an answer.
  Counter failures;
};

// EndpointSpec is one server of a cluster. It is immutable but for its health and what was seen of it.
struct EndpointSpec {
  Address address;
  // Share of the requests, relative to the others' weights.
  std::uint32_t weight = 1;
  // Endpoints of a level get what those of the levels below it cannot take.
  std::uint32_t level = 0;
  // The machine or zone that it is at; empty where nothing is said.
  std::string place = {};
  std::shared_ptr<EndpointHealth> health = std::make_shared<EndpointHealth>();
  std::shared_ptr<PerWorker<EndpointCounts>> counts = std::make_shared<PerWorker<EndpointCounts>>();

  // True if both say the same.
  bool is_like(const EndpointSpec& other) const {
    return address == other.address && weight == other.weight && level == other.level && place == other.place;
  }
};

// Balance is how an endpoint is chosen.
enum class Balance : std::uint8_t { kLeastRequest, kRoundRobin, kHash };

// TableRule is how a table of hashes is made.
struct TableRule {
  bool is_maglev = false;
  std::uint64_t places = 0;
};

// Protocol is what a cluster's endpoints speak. With kAuto each of them says so by TLS; the last two are Thrift.
enum class Protocol : std::uint8_t { kHttp1, kHttp2, kAuto, kFramed, kTTHeader };

constexpr bool is_thrift(Protocol protocol) {
  return protocol == Protocol::kFramed || protocol == Protocol::kTTHeader;
}

// ClusterLimits bounds what all workers together ask of a cluster.
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

// ClusterTotals is what all workers together have under way. It is read and written without order: limits may be passed
// by as many requests as there are workers.
struct ClusterTotals {
  std::atomic<std::uint32_t> connections{0};
  std::atomic<std::uint32_t> requests{0};
  std::atomic<std::uint32_t> retries{0};
};

// ConnectionSpec is how connections to the endpoints of a cluster are made, and how many. It is immutable but for its
// totals.
struct ConnectionSpec {
  Protocol protocol = Protocol::kHttp1;
  // Nullptr where the endpoints do not speak TLS.
  std::shared_ptr<Tls> tls;
  // Until a connection is good for requests: with TLS, its handshake included.
  Duration connect_timeout = std::chrono::seconds(1);
  // After which a connection without requests is closed.
  Duration idle_timeout = std::chrono::seconds(30);
  ClusterLimits limits;
  // True for connections on which nothing may come for long, and whose end has to be noticed.
  bool is_kept_alive = false;
  std::shared_ptr<ClusterTotals> totals = std::make_shared<ClusterTotals>();

  std::string_view scheme() const { return tls == nullptr ? "http" : "https"; }
  // True if connections made by either serve both.
  bool is_like(const ConnectionSpec& other) const;
  // Has the TLS of the one before it go on with the certificates of this one, where it wants the same.
  void keep_tls_of(const ConnectionSpec& before);
};

// ClusterSpec is immutable but for its totals, its health and its metrics.
struct ClusterSpec : ConnectionSpec {
  std::string name;
  // What routes know it by.
  std::uint32_t number = 0;
  std::vector<EndpointSpec> endpoints;
  Balance balance = Balance::kLeastRequest;
  // Where keys belong, for kHash, and how that was made of the endpoints.
  TableRule table_rule;
  std::shared_ptr<const HashTable> table;
  // Sums of the endpoints' weights that keep requests local, each with those of the endpoints before it; empty where
  // all endpoints are alike.
  std::vector<std::uint32_t> local_first;
  std::optional<OutlierRule> outlier;
  std::optional<HealthRule> check;
  // Where no level can take what is left, and fewer than this percentage of the endpoints are up, all of them are used:
  // those that are up would break under all requests.
  std::uint32_t panic_percent = 50;
  std::shared_ptr<ClusterHealth> health = std::make_shared<ClusterHealth>();
  std::shared_ptr<PerWorker<ClusterMetrics>> metrics = std::make_shared<PerWorker<ClusterMetrics>>();

  // True if both say the same.
  bool is_like(const ClusterSpec& other) const;
  // Has this one go on with the totals, the health and the counts of the one before it: those of its endpoints by their
  // addresses. Without one before it, it begins with counts for so many workers.
  void go_on_from(const ClusterSpec* before, std::size_t workers);

  // Returns the cluster for requests that the proxy makes itself, which take nothing from the limits of others.
  ClusterSpec with_own_totals() const {
    ClusterSpec own = *this;
    own.totals = std::make_shared<ClusterTotals>();
    return own;
  }
};

}  // namespace hone::mesh
