// Sends spans to a collector of OpenTelemetry, by OTLP over HTTP, in the main thread for all workers.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "cluster/asker.hpp"
#include "cluster/spec.hpp"
#include "config/snapshot.hpp"
#include "net/parts.hpp"
#include "observe/gathered.hpp"

namespace hone::mesh {

// SpanExporter sends one batch after the other. A batch that the collector does not take is sent again, to another of
// its endpoints if there is one. The number of batches that wait meanwhile has a bound.
class SpanExporter {
 public:
  // `idle` is called when no batch waits any more.
  SpanExporter(Parts parts, const ClusterSpec& cluster, const TracingSpec& tracing, Delegate<void()> idle);

  // Takes the spans that a worker has gathered.
  void take(TextRing& ring);
  bool is_idle() const { return waiting_.empty(); }
  // Returns the number of spans that no collector took.
  std::uint64_t lost() const { return lost_; }

 private:
  static constexpr std::size_t kMostWaiting = 64;
  static constexpr int kMostTries = 5;

  void send();
  void on_answer(const Answer& answer);
  void lose(const std::string& spans);

  Parts parts_;
  // The cluster with totals of its own.
  const ClusterSpec cluster_;
  const TracingSpec tracing_;
  const Delegate<void()> idle_;
  std::vector<std::unique_ptr<Asker>> askers_;
  // The index of the endpoint that gets the requests.
  std::size_t at_ = 0;
  std::string authority_;
  std::deque<std::string> waiting_;
  std::string body_;
  int tries_ = 0;
  std::uint64_t lost_ = 0;
  bool is_sending_ = false;
  Timer again_;
};

}  // namespace hone::mesh
