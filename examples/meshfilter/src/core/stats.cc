#include "core/stats.h"

#include <bit>
#include <utility>

#include "core/text.h"

namespace mesh {

namespace {

size_t bucketOf(uint64_t value) {
  if (value < 16) return static_cast<size_t>(value);
  const unsigned power = static_cast<unsigned>(std::bit_width(value)) - 1;
  return (power - 2) * 8 + (value >> (power - 3) & 7);
}

uint64_t bucketEdge(size_t bucket) {
  if (bucket < 16) return bucket;
  const size_t power = bucket / 8 + 2;
  return (8 + bucket % 8) << (power - 3);
}

}  // namespace

MemorySink::Slot& MemorySink::slot(MetricId id) {
  if (id.index >= slots_.size()) slots_.resize(id.index + 1);
  return slots_[id.index];
}

void MemorySink::add(MetricId id, const Metric&, uint64_t by) {
  slot(id).total += by;
}

void MemorySink::record(MetricId id, const Metric&, uint64_t value) {
  Slot& s = slot(id);
  const size_t bucket = bucketOf(value);
  if (bucket >= s.buckets.size()) s.buckets.resize(bucket + 1);
  ++s.buckets[bucket];
  ++s.samples;
  s.total += value;
}

uint64_t MemorySink::counter(MetricId id) const {
  return id.index < slots_.size() ? slots_[id.index].total : 0;
}

uint64_t MemorySink::samples(MetricId id) const {
  return id.index < slots_.size() ? slots_[id.index].samples : 0;
}

uint64_t MemorySink::quantile(MetricId id, unsigned perMille) const {
  if (samples(id) == 0) return 0;
  const Slot& s = slots_[id.index];
  const uint64_t wanted = (s.samples * perMille + 999) / 1000;
  uint64_t seen = 0;
  for (size_t bucket = 0; bucket < s.buckets.size(); ++bucket) {
    seen += s.buckets[bucket];
    if (seen >= wanted && seen > 0) return bucketEdge(bucket);
  }
  return 0;
}

StatsdSink::StatsdSink(ByteSink& out, std::string prefix, size_t packetBytes)
    : out_(out), prefix_(std::move(prefix)), packetBytes_(packetBytes) {}

void StatsdSink::add(MetricId, const Metric& metric, uint64_t by) {
  line(metric, by, "|c\n");
}

void StatsdSink::record(MetricId, const Metric& metric, uint64_t value) {
  line(metric, value, "|h\n");
}

void StatsdSink::line(const Metric& metric, uint64_t value, std::string_view type) {
  constexpr size_t kNumberBytesMax = 20;
  const size_t bytes = prefix_.size() + metric.name.size() + 2 + kNumberBytesMax + type.size();
  if (packet_.size() + bytes > packetBytes_) flush();
  packet_.append(prefix_).append(".").append(metric.name).append(":");
  appendDecimal(packet_, value);
  packet_.append(type);
}

void StatsdSink::flush() {
  if (packet_.empty()) return;
  out_.write(packet_);
  packet_.clear();
}

void StatsHub::add(MetricId id, uint64_t by) {
  for (const auto& sink : sinks_) sink->add(id, metrics_[id.index], by);
}

void StatsHub::record(MetricId id, uint64_t value) {
  for (const auto& sink : sinks_) sink->record(id, metrics_[id.index], value);
}

void StatsHub::flush() {
  for (const auto& sink : sinks_) sink->flush();
}

MetricId StatsHub::intern(std::string_view name, Metric::Kind kind) {
  const auto known = byName_.find(name);
  if (known != byName_.end()) return MetricId{known->second};
  const uint32_t index = static_cast<uint32_t>(metrics_.size());
  metrics_.push_back({std::string(name), kind});
  byName_.emplace(std::string(name), index);
  return MetricId{index};
}

MemorySink* addConfiguredSink(const Directive& directive, ByteSink& out, StatsHub& hub) {
  directive.expectArgs(1, 1);
  if (directive.wordArg(0, {"memory", "statsd"}) == 0) {
    auto memory = std::make_unique<MemorySink>();
    MemorySink* raw = memory.get();
    hub.addSink(std::move(memory));
    return raw;
  }
  std::string prefix = "mesh";
  size_t packetBytes = 1400;
  for (const Directive& child : directive.children) {
    if (child.name == "prefix") {
      prefix = child.arg(0);
    } else if (child.name == "packet_bytes") {
      packetBytes = child.numberArg(0, 128, 65536);
    } else {
      child.failUnknown("sink statsd");
    }
  }
  hub.addSink(std::make_unique<StatsdSink>(out, std::move(prefix), packetBytes));
  return nullptr;
}

}  // namespace mesh
