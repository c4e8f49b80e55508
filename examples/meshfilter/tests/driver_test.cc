#include <gtest/gtest.h>

#include "driver/generator.h"
#include "driver/mix.h"
#include "driver/replay.h"
#include "fake_stream.h"

namespace mesh {
namespace {

constexpr std::string_view kMix =
    "seed 3\ndistinct 50\nclients 4\nsplit_per_mille 500\nissuer me\ntoken_key k s\n"
    "list word one two\n"
    "request r {\nhost h\npath /{pick word}/{number 5 9}\ntoken valid 1\njson_body 20 400\n"
    "chunked_per_mille 500\n}\n";

constexpr std::string_view kConfig =
    "sink memory\ncluster c {\nendpoint e:1\n}\nfilter stats {\n}\n"
    "filter auth {\nissuer me\nkey k s\n}\nfilter json_guard {\n}\n"
    "filter router {\nvirtual_host v {\ndomain present\nroute r {\nmatch path glob /*/?\n"
    "cluster c\n}\n}\n}\n";

TEST(Generator, TheSameSeedGivesTheSameRequests) {
  const Mix mix = readMix(parseConfig("m", kMix));
  const auto a = generateRequests(mix, 1, 0);
  const auto b = generateRequests(mix, 1, 0);
  const auto c = generateRequests(mix, 2, 0);
  ASSERT_EQ(a.size(), 50u);
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].bytes, b[i].bytes);
    EXPECT_EQ(a[i].cuts, b[i].cuts);
    EXPECT_EQ(a[i].cuts.back(), a[i].bytes.size());
  }
  EXPECT_NE(a[0].bytes, c[0].bytes);
}

TEST(Replay, EveryGeneratedRequestIsUnderstood) {
  const Mix mix = readMix(parseConfig("m", kMix));
  const RunResult result = replay(parseConfig("c", kConfig), mix, 300, 0);
  EXPECT_EQ(result.refusedConnections, 0u);
  uint64_t answered = 0;
  for (const Counter& counter : result.counters) {
    if (counter.name == "auth.allowed" || counter.name == "json_guard.values.samples" ||
        counter.name == "cluster.c.duration_us.samples") {
      EXPECT_EQ(counter.value, 300u) << counter.name;
      ++answered;
    }
  }
  EXPECT_EQ(answered, 3u);
}

TEST(Replay, ChecksumsRepeatAndDependOnTheSeed) {
  const Directive config = parseConfig("c", kConfig);
  const Mix mix = readMix(parseConfig("m", kMix));
  const uint64_t first = replay(config, mix, 200, 1).checksum();
  EXPECT_EQ(first, replay(config, mix, 200, 1).checksum());
  EXPECT_NE(first, replay(config, mix, 200, 2).checksum());
  EXPECT_NE(first, replay(config, mix, 201, 1).checksum());
}

TEST(Mix, MistakesAreNamed) {
  const auto errorOf = [](std::string_view text) {
    return configErrorOf([text] { readMix(parseConfig("m.txt", text)); });
  };
  EXPECT_EQ(errorOf("seed 1\n"), "m.txt: there is no 'request'");
  EXPECT_EQ(errorOf("request r {\nhost h\n}\n"), "m.txt:1: a request needs a 'path'");
  EXPECT_EQ(errorOf("request r {\nwait 5\n}\n"), "m.txt:2: unknown directive 'wait' in request");
  EXPECT_EQ(errorOf("request r {\ntoken stale 5\n}\n"),
            "m.txt:2: 'stale' is none of: valid, expired, forged, broken, none");
}

}  // namespace
}  // namespace mesh
