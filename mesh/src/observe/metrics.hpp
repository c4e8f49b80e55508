// The counters of workers. Labels are names of the configuration, so that no client can make new series.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/counter.hpp"
#include "base/per_worker.hpp"

namespace hone::mesh {

struct ListenerMetrics {
  Counter connections;
  Counter connections_open;
  // Connections that were closed at once, since there were too many.
  Counter connections_refused;
  // Connections that stood still, and requests, that were turned away since resources were short.
  Counter connections_shed;
  Counter requests_shed;
  // Connections whose handshake of TLS failed.
  Counter handshake_failures;
  Classes responses;
  // Requests that were refused before their head was complete.
  Counter requests_refused;
  // Requests whose client went away before the end.
  Counter requests_abandoned;
  // Requests that filters refused, delayed or aborted, and those that filters in shadow mode would have refused.
  Counter access_refused;
  Counter access_shadow;
  Counter rate_limited;
  Counter rate_limit_shadow;
  Counter faults_delayed;
  Counter faults_aborted;
  Histogram seconds;
  // Bytes from clients and for clients, on listeners of TCP.
  Counter tcp_received;
  Counter tcp_sent;
};

struct ClusterMetrics {
  Classes responses;
  Counter connect_failures;
  Counter timeouts;
  Counter resets;
  // Requests that were refused since the cluster had reached its limits.
  Counter overflows;
  Counter retries;
  Histogram seconds;
};

// SharedMemoryMetrics count open connections of addresses that share memory: those through memory, and those over their
// socket, where the other side does not know shared memory or one of the two sides gives none.
struct SharedMemoryMetrics {
  Counter in_memory;
  Counter on_sockets;
};

// WorkerMetrics are a worker's counters about itself.
struct WorkerMetrics {
  // Lines of the access log that found no room.
  Counter log_lines_lost;
  // Spans that found no room.
  Counter spans_lost;
  SharedMemoryMetrics shared_memory;
};

// ClusterGauges are the numbers of a cluster that all workers have in common.
struct ClusterGauges {
  std::uint64_t endpoints = 0;
  // Endpoints that pass their checks and are not ejected.
  std::uint64_t endpoints_up = 0;
  std::uint64_t ejections = 0;
};

// Measured holds the counters of all workers for something with a name.
template <class Counts>
struct Measured {
  std::string name;
  std::shared_ptr<const PerWorker<Counts>> counts;
};

// ControlPlaneNumbers count the control plane's responses, taken and refused.
struct ControlPlaneNumbers {
  bool is_connected = false;
  std::uint64_t taken = 0;
  std::uint64_t refused = 0;
};

// CertificateNumbers describe the certificates that a listener or a cluster shows to the other side.
struct CertificateNumbers {
  bool is_of_listener = true;
  std::string name;
  // The time at which the first of them expires, in seconds of Unix time.
  std::int64_t expires_s = 0;
};

// Measures holds all numbers that are reported.
struct Measures {
  std::vector<Measured<ListenerMetrics>> listeners = {};
  std::vector<Measured<ClusterMetrics>> clusters = {};
  // In the order of the clusters.
  std::vector<ClusterGauges> gauges = {};
  std::uint64_t log_lines_lost = 0;
  // Spans that found no room, or that no collector took.
  std::uint64_t spans_lost = 0;
  // Sums of SharedMemoryMetrics.
  std::uint64_t shared_in_memory = 0;
  std::uint64_t shared_on_sockets = 0;
  // Configurations that were read while the process ran: those that are in force since, and those with faults.
  std::uint64_t reloads_taken = 0;
  std::uint64_t reloads_refused = 0;
  // Used parts of the memory and the CPU time that are allowed, in thousandths; zero where there is no limit.
  std::uint32_t memory = 0;
  std::uint32_t cpu = 0;
  // Processes that were to take over and did not.
  std::uint64_t restarts_refused = 0;
  std::vector<CertificateNumbers> certificates = {};
  // Files of certificates that were written anew: taken, and not taken since something was wrong with them.
  std::uint64_t rotations_taken = 0;
  std::uint64_t rotations_refused = 0;
  std::optional<ControlPlaneNumbers> control_plane = std::nullopt;
  // Samples that the agent did not take.
  std::uint64_t agent_samples_lost = 0;
};

// MeasureSink takes measures, series by series: for a page (prometheus_text), or for an agent
// (process/agent_sender.hpp).
class MeasureSink {
 public:
  // Labels are names with values.
  using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;
  enum class Type : std::uint8_t { kCounter, kGauge, kHistogram };
  enum class Unit : std::uint8_t { kOne, kMicrosecond };

  virtual ~MeasureSink() = default;

  // Begins a series, whose samples follow.
  virtual void series(std::string_view name, Type type, std::string_view help) = 0;
  // Takes a sample; for histograms, `suffix` follows the name and says which of their samples it is. Microseconds are
  // reported in seconds.
  virtual void sample(std::string_view suffix, Labels labels, std::uint64_t value, Unit unit) = 0;
};

// Reports the sums of all workers to a sink.
void tell(const Measures& measures, MeasureSink& sink);

// Returns the sums of all workers in the text format of Prometheus.
std::string prometheus_text(const Measures& measures);

}  // namespace hone::mesh
