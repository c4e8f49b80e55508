#include "driver/replay.h"

#include <algorithm>
#include <memory>

#include "core/hash.h"
#include "core/random.h"
#include "core/text.h"
#include "core/time.h"
#include "driver/generator.h"
#include "driver/simulated_upstream.h"
#include "filters/builtin.h"
#include "proxy/connection.h"

namespace mesh {

namespace {

constexpr uint64_t kStartUs = 1'767'225'600'000'000;  // 2026-01-01T00:00:00Z

class DigestSink : public ByteSink {
 public:
  void write(std::string_view bytes) override {
    digest_.add(bytes);
    bytes_ += bytes.size();
  }
  uint64_t digest() const { return digest_.value(); }
  uint64_t bytes() const { return bytes_; }

 private:
  Digest digest_;
  uint64_t bytes_ = 0;
};

std::string clientAddress(uint64_t client) {
  std::string out = "10.20.";
  appendDecimal(out, client / 250);
  out.push_back('.');
  appendDecimal(out, client % 250 + 1);
  return out;
}

/// The clients' side: connections that are opened again after a refusal.
class Clients {
 public:
  Clients(ProxyContext& context, uint64_t count) : context_(context), connections_(count) {}

  /// False if the proxy refused the request and closed the connection.
  bool send(uint64_t client, const RawRequest& request) {
    std::unique_ptr<Connection>& connection = connections_[client];
    if (!connection) connection = std::make_unique<Connection>(context_, clientAddress(client));
    size_t from = 0;
    for (const size_t to : request.cuts) {
      if (!connection->onBytes(std::string_view(request.bytes).substr(from, to - from))) {
        connection.reset();
        return false;
      }
      from = to;
    }
    return true;
  }

 private:
  ProxyContext& context_;
  std::vector<std::unique_ptr<Connection>> connections_;
};

std::vector<Counter> collectCounters(MeshConfig& config) {
  std::vector<Counter> counters;
  const MemorySink* memory = config.memory();
  if (memory == nullptr) return counters;
  const std::vector<Metric>& metrics = config.stats().metrics();
  for (uint32_t index = 0; index < metrics.size(); ++index) {
    const Metric& metric = metrics[index];
    const MetricId id{index};
    if (metric.kind == Metric::Kind::kCounter) {
      counters.push_back({metric.name, memory->counter(id)});
    } else {
      counters.push_back({metric.name + ".samples", memory->samples(id)});
      counters.push_back({metric.name + ".p50", memory->quantile(id, 500)});
      counters.push_back({metric.name + ".p99", memory->quantile(id, 990)});
    }
  }
  std::sort(counters.begin(), counters.end(),
            [](const Counter& a, const Counter& b) { return a.name < b.name; });
  return counters;
}

}  // namespace

uint64_t RunResult::checksum() const {
  Digest digest;
  for (const uint64_t value : {requests, refusedConnections, upstreamDigest, downstreamDigest,
                               downstreamBytes, logDigest, logBytes, statsDigest}) {
    digest.add(value);
  }
  for (const Counter& counter : counters) {
    digest.add(counter.name);
    digest.add(counter.value);
  }
  return digest.value();
}

RunResult replay(const Directive& root, const Mix& mix, uint64_t requests, uint64_t seed) {
  FilterRegistry registry;
  addBuiltinFilters(registry);
  DigestSink log;
  DigestSink statsOut;
  DigestSink downstream;
  SimulatedUpstream upstream;
  ManualTime time(kStartUs);
  MeshConfig config(root, registry, log, statsOut);
  upstream.setClusters(config.clusters());
  ProxyContext context{config, upstream, time, downstream};

  const std::vector<RawRequest> raw = generateRequests(mix, mix.seed ^ seed, kStartUs);
  Clients clients(context, mix.clients);
  Random order(mix.seed + seed);
  RunResult result;
  for (; result.requests < requests; ++result.requests) {
    const RawRequest& request = raw[order.below(raw.size())];
    if (!clients.send(order.below(mix.clients), request)) ++result.refusedConnections;
    time.advance(mix.stepUs);
  }
  config.stats().flush();

  result.upstreamDigest = upstream.digest();
  result.downstreamDigest = downstream.digest();
  result.downstreamBytes = downstream.bytes();
  result.logDigest = log.digest();
  result.logBytes = log.bytes();
  result.statsDigest = statsOut.digest();
  result.counters = collectCounters(config);
  return result;
}

}  // namespace mesh
