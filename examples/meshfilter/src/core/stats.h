#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/byte_sink.h"
#include "core/config.h"
#include "core/hash.h"

namespace mesh {

/// A metric's place in the hub; made once, when the configuration is read.
struct MetricId {
  uint32_t index = 0;
};

struct Metric {
  std::string name;
  enum class Kind { kCounter, kHistogram } kind;
};

/// One consumer of every change. Sinks see the metric itself, so each can keep what it likes.
class StatsSink {
 public:
  virtual ~StatsSink() = default;
  virtual void add(MetricId id, const Metric& metric, uint64_t by) = 0;
  virtual void record(MetricId id, const Metric& metric, uint64_t value) = 0;
  virtual void flush() = 0;
};

/// Counts in memory. Histograms have eight buckets for each power of two.
class MemorySink : public StatsSink {
 public:
  void add(MetricId id, const Metric& metric, uint64_t by) override;
  void record(MetricId id, const Metric& metric, uint64_t value) override;
  void flush() override {}

  uint64_t counter(MetricId id) const;
  uint64_t samples(MetricId id) const;
  /// The lower edge of the bucket that holds the given part of the samples; 0 without samples.
  uint64_t quantile(MetricId id, unsigned perMille) const;

 private:
  struct Slot {
    uint64_t total = 0;
    uint64_t samples = 0;
    std::vector<uint64_t> buckets;
  };

  Slot& slot(MetricId id);

  std::vector<Slot> slots_;
};

/// Writes statsd lines in packets.
class StatsdSink : public StatsSink {
 public:
  StatsdSink(ByteSink& out, std::string prefix, size_t packetBytes);
  void add(MetricId id, const Metric& metric, uint64_t by) override;
  void record(MetricId id, const Metric& metric, uint64_t value) override;
  void flush() override;

 private:
  void line(const Metric& metric, uint64_t value, std::string_view type);

  ByteSink& out_;
  const std::string prefix_;
  const size_t packetBytes_;
  std::string packet_;
};

/// Interns metrics and hands every change to the sinks.
class StatsHub {
 public:
  MetricId counter(std::string_view name) { return intern(name, Metric::Kind::kCounter); }
  MetricId histogram(std::string_view name) { return intern(name, Metric::Kind::kHistogram); }
  void addSink(std::unique_ptr<StatsSink> sink) { sinks_.push_back(std::move(sink)); }

  void add(MetricId id, uint64_t by = 1);
  void record(MetricId id, uint64_t value);
  void flush();

  const std::vector<Metric>& metrics() const { return metrics_; }

 private:
  MetricId intern(std::string_view name, Metric::Kind kind);

  std::vector<Metric> metrics_;
  std::unordered_map<std::string, uint32_t, StringHash, std::equal_to<>> byName_;
  std::vector<std::unique_ptr<StatsSink>> sinks_;
};

/// Makes the sink that a directive `sink memory` or `sink statsd {..}` describes and adds it.
/// Returns the memory sink if it made one.
MemorySink* addConfiguredSink(const Directive& directive, ByteSink& out, StatsHub& hub);

}  // namespace mesh
