// Counts requests by outcome, measures durations and sizes, in all and for each cluster.

#include <array>
#include <unordered_map>
#include <utility>

#include "filters/builtin.h"

namespace mesh {

namespace {

struct OutcomeMetrics {
  std::array<MetricId, 6> statusClass;  // 1xx to 5xx; 0 for anything else
  MetricId durationUs;

  OutcomeMetrics(StatsHub& stats, const std::string& prefix) {
    for (size_t i = 0; i < statusClass.size(); ++i) {
      const std::string name = i == 0 ? "other" : std::to_string(i) + "xx";
      statusClass[i] = stats.counter(prefix + ".requests_" + name);
    }
    durationUs = stats.histogram(prefix + ".duration_us");
  }
};

struct StatsConfig {
  StatsHub& stats;
  OutcomeMetrics all;
  MetricId bytesIn;
  MetricId bytesOut;
  MetricId headers;
  MetricId localReplies;
  std::unordered_map<std::string_view, OutcomeMetrics> byCluster;
};

class StatsFilter : public PassThroughFilter {
 public:
  StatsFilter(const StatsConfig& config, StreamCallbacks& callbacks)
      : config_(config), callbacks_(callbacks) {}

  FilterStatus onRequestHeaders(HeaderMap& headers, bool) override {
    config_.stats.record(config_.headers, headers.size());
    return FilterStatus::kContinue;
  }

  void onComplete(const HeaderMap&, const HeaderMap&) override {
    const StreamInfo& info = callbacks_.info();
    countOutcome(config_.all, info);
    config_.stats.add(config_.bytesIn, info.requestBodyBytes);
    config_.stats.add(config_.bytesOut, info.responseBodyBytes);
    if (!info.detail.empty()) config_.stats.add(config_.localReplies);
    const auto cluster = config_.byCluster.find(info.cluster);
    if (cluster != config_.byCluster.end()) countOutcome(cluster->second, info);
  }

 private:
  void countOutcome(const OutcomeMetrics& metrics, const StreamInfo& info) const {
    const size_t statusClass = info.status / 100;
    config_.stats.add(metrics.statusClass[statusClass <= 5 ? statusClass : 0]);
    config_.stats.record(metrics.durationUs, info.durationUs);
  }

  const StatsConfig& config_;
  StreamCallbacks& callbacks_;
};

class StatsFactory : public FilterFactory {
 public:
  explicit StatsFactory(StatsConfig config) : config_(std::move(config)) {}
  std::unique_ptr<StreamFilter> create(StreamCallbacks& callbacks) override {
    return std::make_unique<StatsFilter>(config_, callbacks);
  }

 private:
  const StatsConfig config_;
};

}  // namespace

std::unique_ptr<FilterFactory> makeStats(const Directive& directive, FilterContext& context) {
  bool perCluster = true;
  for (const Directive& child : directive.children) {
    if (child.name != "per_cluster") child.failUnknown("filter stats");
    perCluster = child.wordArg(0, {"no", "yes"}) == 1;
  }
  StatsHub& stats = context.stats;
  StatsConfig config{stats,
                     OutcomeMetrics(stats, "mesh"),
                     stats.counter("mesh.bytes_in"),
                     stats.counter("mesh.bytes_out"),
                     stats.histogram("mesh.request_headers"),
                     stats.counter("mesh.local_replies"),
                     {}};
  if (perCluster) {
    for (const auto& cluster : context.clusters.all()) {
      config.byCluster.emplace(cluster->name, OutcomeMetrics(stats, "cluster." + cluster->name));
    }
  }
  return std::make_unique<StatsFactory>(std::move(config));
}

}  // namespace mesh
