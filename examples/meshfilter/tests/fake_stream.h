#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/byte_sink.h"
#include "core/config.h"
#include "core/stats.h"
#include "core/time.h"
#include "filters/builtin.h"
#include "filters/cluster.h"
#include "filters/filter.h"

namespace mesh {

class StringSink : public ByteSink {
 public:
  void write(std::string_view bytes) override { text.append(bytes); }
  std::string text;
};

/// Stands in for the stream that a filter belongs to, and records what the filter asks of it.
class FakeStream : public StreamCallbacks {
 public:
  StreamInfo& info() override { return streamInfo; }
  const TimeSource& time() const override { return clock; }
  void sendLocalReply(unsigned status, std::string_view body, std::string_view detail) override {
    ++replies;
    replyStatus = status;
    replyBody.assign(body);
    replyDetail.assign(detail);
  }

  /// Forgets the stream, but not the time.
  void reset() {
    streamInfo = StreamInfo();
    replies = 0;
    replyStatus = 0;
    replyBody.clear();
    replyDetail.clear();
  }

  StreamInfo streamInfo;
  ManualTime clock{1'000'000'000};
  int replies = 0;
  unsigned replyStatus = 0;
  std::string replyBody;
  std::string replyDetail;
};

/// One filter, made from configuration text as a proxy makes it, with a fake stream around it.
class FilterHarness {
 public:
  FilterHarness(std::string_view name, std::string_view settings, std::string_view clusters = "") {
    auto sink = std::make_unique<MemorySink>();
    memory = sink.get();
    stats.addSink(std::move(sink));
    const Directive clusterRoot = parseConfig("clusters", clusters);
    for (const Directive& cluster : clusterRoot.children) table.add(cluster);
    addBuiltinFilters(registry);
    const std::string text =
        "filter " + std::string(name) + " {\n" + std::string(settings) + "\n}\n";
    const Directive root = parseConfig("test.conf", text);
    FilterContext context{stats, table, log};
    factory = registry.make(root.children.at(0), context);
    restart();
  }

  /// A new stream and a new filter instance; configuration, counters and clock stay.
  void restart() {
    filter.reset();
    stream.reset();
    stream.streamInfo.remoteAddress = "10.20.0.1";
    request = makeHeaderMap();
    response = makeHeaderMap();
    filter = factory->create(stream);
  }

  FilterStatus get(std::string_view path) {
    request->set(HeaderId::kMethod, "GET");
    request->set(HeaderId::kPath, path);
    return filter->onRequestHeaders(*request, false);
  }

  uint64_t counter(std::string_view name) { return memory->counter(stats.counter(name)); }

  StatsHub stats;
  MemorySink* memory = nullptr;
  ClusterTable table;
  StringSink log;
  FilterRegistry registry;
  FakeStream stream;
  std::unique_ptr<FilterFactory> factory;
  std::unique_ptr<HeaderMap> request;
  std::unique_ptr<HeaderMap> response;
  std::unique_ptr<StreamFilter> filter;
};

/// What a configuration's error says, or "" if there is none.
template <typename Action>
std::string configErrorOf(Action action) {
  try {
    action();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

}  // namespace mesh
