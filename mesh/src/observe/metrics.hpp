// What a worker counts. Labels are names of the configuration, so that no client can make new series.
#pragma once

#include <array>
#include <deque>
#include <string>
#include <vector>

#include "base/counter.hpp"

namespace hone::mesh {

// Classes are counts of responses by the first digit of their status.
class Classes {
 public:
  void add(int status) {
    if (status >= 100 && status < 600) counts_[static_cast<std::size_t>(status / 100 - 1)].add();
  }
  std::uint64_t read(std::size_t first_digit) const { return counts_[first_digit - 1].read(); }

 private:
  std::array<Counter, 5> counts_;
};

struct ListenerMetrics {
  Counter connections;
  Counter connections_open;
  // Connections that were closed at once, since there were too many.
  Counter connections_refused;
  // Connections whose handshake of TLS failed.
  Counter handshake_failures;
  Classes responses;
  // Requests that were refused before their head was complete.
  Counter requests_refused;
  // Requests whose client went away before the end.
  Counter requests_abandoned;
  // What filters did, and what those of shadow mode would have done.
  Counter access_refused;
  Counter access_shadow;
  Counter rate_limited;
  Counter rate_limit_shadow;
  Counter faults_delayed;
  Counter faults_aborted;
  Histogram seconds;
  // Bytes of clients and for clients, on listeners of TCP.
  Counter tcp_received;
  Counter tcp_sent;
};

struct ClusterMetrics {
  Classes responses;
  Counter connect_failures;
  Counter timeouts;
  Counter resets;
  // Requests that were refused since the cluster had enough of them.
  Counter overflows;
  Counter retries;
  Histogram seconds;
};

// WorkerMetrics is in the order of the snapshot's listeners and clusters.
struct WorkerMetrics {
  WorkerMetrics(std::size_t listener_count, std::size_t cluster_count)
      : listeners(listener_count), clusters(cluster_count) {}

  std::deque<ListenerMetrics> listeners;
  std::deque<ClusterMetrics> clusters;
  // Lines of the access log that found no room.
  Counter log_lines_lost;
  // Spans that found none.
  Counter spans_lost;
};

// ClusterGauges are what all workers together know of a cluster.
struct ClusterGauges {
  std::uint64_t endpoints = 0;
  // Those that pass their checks and are not ejected.
  std::uint64_t endpoints_up = 0;
  std::uint64_t ejections = 0;
};

// SharedNumbers are no sums of workers.
struct SharedNumbers {
  // In the order of the snapshot.
  std::vector<ClusterGauges> clusters;
  // Spans that no collector took.
  std::uint64_t spans_lost = 0;
};

// Returns the sums of all workers in the text format of Prometheus.
std::string prometheus_text(const std::vector<std::string>& listeners, const std::vector<std::string>& clusters,
                            const std::vector<const WorkerMetrics*>& workers, const SharedNumbers& shared);

}  // namespace hone::mesh
