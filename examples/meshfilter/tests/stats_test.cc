#include "core/stats.h"

#include <gtest/gtest.h>

#include "fake_stream.h"

namespace mesh {
namespace {

TEST(Stats, MetricsAreInterned) {
  StatsHub hub;
  EXPECT_EQ(hub.counter("a").index, hub.counter("a").index);
  EXPECT_NE(hub.counter("a").index, hub.counter("b").index);
  EXPECT_EQ(hub.metrics().size(), 2u);
}

TEST(Stats, EverySinkSeesEveryChange) {
  StatsHub hub;
  StringSink out;
  hub.addSink(std::make_unique<StatsdSink>(out, "p", 1400));
  auto memory = std::make_unique<MemorySink>();
  const MemorySink* kept = memory.get();
  hub.addSink(std::move(memory));
  const MetricId count = hub.counter("n");
  hub.add(count);
  hub.add(count, 4);
  hub.record(hub.histogram("h"), 7);
  EXPECT_EQ(out.text, "");
  hub.flush();
  EXPECT_EQ(out.text, "p.n:1|c\np.n:4|c\np.h:7|h\n");
  EXPECT_EQ(kept->counter(count), 5u);
}

TEST(Stats, StatsdPacketsKeepTheirSize) {
  class Packets : public ByteSink {
   public:
    void write(std::string_view bytes) override {
      ++count;
      longest = std::max(longest, bytes.size());
    }
    size_t count = 0;
    size_t longest = 0;
  } packets;
  StatsdSink sink(packets, "prefix", 128);
  const Metric metric{"some.metric", Metric::Kind::kCounter};
  for (int i = 0; i < 50; ++i) sink.add({0}, metric, 1'000'000);
  sink.flush();
  EXPECT_GT(packets.count, 5u);
  EXPECT_LE(packets.longest, 128u);
}

TEST(Stats, QuantilesAreWithinABucket) {
  MemorySink sink;
  const Metric metric{"h", Metric::Kind::kHistogram};
  for (uint64_t value = 1; value <= 10'000; ++value) sink.record({0}, metric, value);
  EXPECT_EQ(sink.samples({0}), 10'000u);
  EXPECT_NEAR(static_cast<double>(sink.quantile({0}, 500)), 5000, 5000 / 8.0);
  EXPECT_NEAR(static_cast<double>(sink.quantile({0}, 990)), 9900, 9900 / 8.0);
  EXPECT_EQ(sink.quantile({1}, 500), 0u);
  MemorySink small;
  small.record({0}, metric, 3);
  EXPECT_EQ(small.quantile({0}, 1), 3u);
  EXPECT_EQ(small.quantile({0}, 1000), 3u);
}

}  // namespace
}  // namespace mesh
