// Traces as others write them, and spans as collectors take them.
#include <gtest/gtest.h>

#include <string>

#include "config/yaml.hpp"
#include "observe/cpu_parts.hpp"
#include "observe/trace.hpp"

namespace hone::mesh::testing {
namespace {

TEST(TraceParents, AreReadAsTheirStandardSays) {
  const std::string trace = "0af7651916cd43dd8448eb211c80319c";
  const std::string span = "b7ad6b7169203331";
  const std::string good = "00-" + trace + "-" + span + "-01";
  const auto parent = parse_traceparent(good);
  ASSERT_TRUE(parent);
  EXPECT_EQ(parent->trace_id, trace);
  EXPECT_EQ(parent->span_id, span);
  EXPECT_TRUE(parent->is_sampled);
  EXPECT_FALSE(parse_traceparent("00-" + trace + "-" + span + "-02")->is_sampled) << "another bit";
  EXPECT_TRUE(parse_traceparent("cc-" + trace + "-" + span + "-03-what-comes-later")) << "a later version";
  EXPECT_TRUE(parse_traceparent("cc-" + trace + "-" + span + "-03"));
  for (const std::string& wrong :
       {std::string(), std::string("00"), "ff-" + trace + "-" + span + "-01", good + "-", good + "x",
        good.substr(0, 54), "cc-" + trace + "-" + span + "-03x", "00-" + std::string(32, '0') + "-" + span + "-01",
        "00-" + trace + "-" + std::string(16, '0') + "-01", "00-0AF7651916cd43dd8448eb211c80319c-" + span + "-01",
        "00_" + trace + "-" + span + "-01", "00-" + trace + "_" + span + "-01", "00-" + trace + "-" + span + "_01",
        "00-" + trace + "-" + span + "-0g", "0x-" + trace + "-" + span + "-01"}) {
    EXPECT_FALSE(parse_traceparent(wrong)) << wrong;
  }
}

TEST(Spans, SayWhatBecameOfARequest) {
  LogRecord record{.method = "GET", .path = "/a\"b?secret", .authority = "shop", .cluster = "back"};
  record.status = 503;
  record.flags.add(Flag::kConnectFailure);
  record.took = std::chrono::milliseconds(5);
  record.tries = 2;
  const Span span{{"0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", true}, "00f067aa0ba902b7"};
  std::string text;
  append_span(text, span, record, std::chrono::system_clock::time_point(std::chrono::milliseconds(1000)));
  EXPECT_EQ(
      text,
      "{\"traceId\":\"0af7651916cd43dd8448eb211c80319c\",\"spanId\":\"b7ad6b7169203331\",\"parentSpanId\":"
      "\"00f067aa0ba902b7\",\"name\":\"GET\",\"kind\":2,\"startTimeUnixNano\":\"1000000000\",\"endTimeUnixNano\":"
      "\"1005000000\",\"attributes\":[{\"key\":\"http.request.method\",\"value\":{\"stringValue\":\"GET\"}},"
      "{\"key\":\"url.path\",\"value\":{\"stringValue\":\"/a\\\"b\"}},{\"key\":\"server.address\",\"value\":"
      "{\"stringValue\":\"shop\"}},{\"key\":\"http.response.status_code\",\"value\":{\"intValue\":\"503\"}},"
      "{\"key\":\"hone.cluster\",\"value\":{\"stringValue\":\"back\"}},{\"key\":\"hone.tries\",\"value\":"
      "{\"intValue\":\"2\"}},{\"key\":\"hone.flags\",\"value\":{\"stringValue\":\"UF\"}}],\"status\":{\"code\":2}},");
  EXPECT_EQ(otlp_request("a\"b", "{},{},"),
            "{\"resourceSpans\":[{\"resource\":{\"attributes\":[{\"key\":\"service.name\",\"value\":{\"stringValue\":"
            "\"a\\\"b\"}}]},\"scopeSpans\":[{\"scope\":{\"name\":\"hone-mesh\"},\"spans\":[{},{}]}]}]}");
}

TEST(TracingConfigurations, SayWhereSpansGo) {
  const auto with = [](const std::string& tracing) {
    return config::read_yaml(
        "tracing: " + tracing +
            "\nlisteners: [{name: in, address: 127.0.0.1:1, routes: [{to: one}], filters: [{trace: "
            "{percent: 0.5, keep: false}}]}]\nclusters: [{name: one, endpoints: [127.0.0.1:1]}, "
            "{name: two, endpoints: [127.0.0.1:2]}]\n",
        "m.yaml");
  };
  const auto read = with("{to: two, path: /x, host: collector, service: edge}");
  ASSERT_NE(read.snapshot, nullptr) << read.faults.front();
  EXPECT_EQ(read.snapshot->tracing->cluster, 1u);
  EXPECT_EQ(read.snapshot->tracing->path, "/x");
  EXPECT_EQ(read.snapshot->tracing->service, "edge");
  const std::pair<const char*, std::string> cases[] = {
      {"{}", "m.yaml:1: tracing: the key \"to\" is missing; write to: and a cluster of collectors"},
      {"{to: three}", "m.yaml:1: tracing.to: there is no cluster \"three\"; write one of: one, two"},
      {"{to: one, path: x}", "m.yaml:1: tracing.path: \"x\" is no path; begin with a slash"},
      {"{to: one, host: a/b}", "m.yaml:1: tracing.host: \"a/b\" is no host; "},
  };
  for (const auto& [text, said] : cases) {
    const auto wrong = with(text);
    ASSERT_FALSE(wrong.faults.empty()) << text;
    EXPECT_EQ(wrong.faults.front().substr(0, said.size()), said);
  }
}

TEST(CpuParts, AreThoseOfTheInnermostFunctionOfOursThatIsKnown) {
  EXPECT_EQ(
      cpu_parts("main;hone::mesh::EpollLoop::turn(x);hone::mesh::http1::ServerConnection::process();"
                "hone::mesh::Stream::on_head(hone::mesh::Head);hone::mesh::RateLimit::on_request(a) const;memcpy 30\n"
                "main;hone::mesh::EpollLoop::turn(x);epoll_wait;[k] do_epoll_wait 20\n"
                "main;std::vector<hone::mesh::Slice>::push_back;[unknown] 10\n"
                "main;hone::mesh::Channel::flush();hone::mesh::Output::flush(hone::mesh::Transport&);writev 40\n"),
      " 40.0 %  reading and writing\n 30.0 %  filter rate_limit\n 20.0 %  event loop\n 10.0 %  other\n");
  EXPECT_EQ(cpu_parts("no number\n\n"), "no CPU time was used\n");
}

}  // namespace
}  // namespace hone::mesh::testing
