#include <gtest/gtest.h>

#include <map>

#include "fake_stream.h"

namespace mesh {
namespace {

constexpr std::string_view kClusters =
    "cluster a {\n endpoint a:1\n}\n"
    "cluster b {\n endpoint b:1\n}\n"
    "cluster sticky {\n endpoint s:1\n endpoint s:2\n endpoint s:3\n balance rendezvous\n}\n";

std::string host(std::string_view routes) {
  return "virtual_host v {\ndomain exact h\n" + std::string(routes) + "\n}";
}

TEST(Router, FirstFullMatchWins) {
  FilterHarness t("router",
                  host("route one {\n match path prefix /x\n match method POST\n cluster a\n}\n"
                       "route two {\n match path prefix /x\n cluster b\n}\n"
                       "route three {\n cluster a\n}"),
                  kClusters);
  t.request->set(HeaderId::kAuthority, "h:8080");
  EXPECT_EQ(t.get("/x/y"), FilterStatus::kContinue);
  EXPECT_EQ(t.stream.streamInfo.route, "two");
  EXPECT_EQ(t.stream.streamInfo.cluster, "b");
  EXPECT_EQ(t.stream.streamInfo.endpoint, "b:1");
  t.restart();
  t.request->set(HeaderId::kAuthority, "h");
  EXPECT_EQ(t.get("/z"), FilterStatus::kContinue);
  EXPECT_EQ(t.stream.streamInfo.route, "three");
}

TEST(Router, UnknownHostsAndRoutesAreNotFound) {
  FilterHarness t("router", host("route r {\n match path exact /r\n cluster a\n}"), kClusters);
  t.request->set(HeaderId::kAuthority, "other");
  EXPECT_EQ(t.get("/r"), FilterStatus::kStop);
  EXPECT_EQ(t.stream.replyDetail, "no_virtual_host");
  t.restart();
  t.request->set(HeaderId::kAuthority, "h");
  EXPECT_EQ(t.get("/rr"), FilterStatus::kStop);
  EXPECT_EQ(t.stream.replyStatus, 404u);
  EXPECT_EQ(t.stream.replyDetail, "no_route");
  EXPECT_EQ(t.counter("router.no_virtual_host"), 1u);
  EXPECT_EQ(t.counter("router.no_route"), 1u);
}

TEST(Router, LooksAtHeadersAndQuery) {
  FilterHarness t("router",
                  host("route h {\n match header x-v prefix 2.\n cluster a\n}\n"
                       "route q {\n match query debug exact yes\n cluster a\n}\n"
                       "route u {\n unless header x-v present\n cluster b\n}\n"
                       "route rest {\n cluster b\n}"),
                  kClusters);
  const auto routeOf = [&t](std::string_view path, std::string_view version) {
    t.restart();
    t.request->set(HeaderId::kAuthority, "h");
    if (!version.empty()) t.request->set("x-v", version);
    t.get(path);
    return std::string(t.stream.streamInfo.route);
  };
  EXPECT_EQ(routeOf("/", "2.1"), "h");
  EXPECT_EQ(routeOf("/?a&debug=yes", "1"), "q");
  EXPECT_EQ(routeOf("/?debug=no", "1"), "rest");
  EXPECT_EQ(routeOf("/", ""), "u");
}

TEST(Router, WeightsAreRespected) {
  FilterHarness t("router", host("route w {\n weighted {\n cluster a 90\n cluster b 10\n }\n}"),
                  kClusters);
  std::map<std::string, int> hits;
  for (int i = 0; i < 4000; ++i) {
    t.restart();
    t.request->set(HeaderId::kAuthority, "h");
    t.request->set(HeaderId::kRequestId, "request-" + std::to_string(i));
    t.get("/");
    ++hits[std::string(t.stream.streamInfo.cluster)];
  }
  EXPECT_NEAR(hits["b"], 400, 120);
  EXPECT_EQ(hits["a"] + hits["b"], 4000);
}

TEST(Router, FractionsTakeTheirShare) {
  FilterHarness t("router",
                  host("route f {\n match fraction 250\n cluster a\n}\nroute g {\n cluster b\n}"),
                  kClusters);
  int hits = 0;
  for (int i = 0; i < 4000; ++i) {
    t.restart();
    t.request->set(HeaderId::kAuthority, "h");
    t.request->set(HeaderId::kRequestId, std::to_string(i * 7919));
    t.get("/");
    hits += t.stream.streamInfo.route == "f" ? 1 : 0;
  }
  EXPECT_NEAR(hits, 1000, 150);
}

TEST(Router, RewritesPrefixes) {
  FilterHarness t("router", host("route r {\n rewrite_prefix /api/v2 /v2\n cluster a\n}"),
                  kClusters);
  t.request->set(HeaderId::kAuthority, "h");
  t.get("/api/v2/x?y");
  EXPECT_EQ(t.request->get(HeaderId::kPath), "/v2/x?y");
}

TEST(Router, RedirectsAndReplies) {
  FilterHarness t("router",
                  host("route r {\n match path prefix /old\n redirect 308 https://new\n}\n"
                       "route d {\n reply 200 well\n}"),
                  kClusters);
  t.request->set(HeaderId::kAuthority, "h");
  t.stream.streamInfo.originalPath = "/old/x";
  EXPECT_EQ(t.get("/old/x"), FilterStatus::kStop);
  EXPECT_EQ(t.stream.replyStatus, 308u);
  t.filter->onResponseHeaders(*t.response);
  EXPECT_EQ(t.response->get(HeaderId::kLocation), "https://new/old/x");
  t.restart();
  t.request->set(HeaderId::kAuthority, "h");
  EXPECT_EQ(t.get("/"), FilterStatus::kStop);
  EXPECT_EQ(t.stream.replyBody, "well");
}

TEST(Router, AffinityKeepsItsEndpoint) {
  FilterHarness t("router", host("route r {\n cluster sticky\n}"), kClusters);
  std::map<std::string, std::string> seen;
  std::map<std::string, int> used;
  for (int i = 0; i < 300; ++i) {
    t.restart();
    t.request->set(HeaderId::kAuthority, "h");
    const std::string affinity = "user-" + std::to_string(i % 30);
    t.stream.streamInfo.affinity = affinity;
    t.get("/");
    const std::string endpoint(t.stream.streamInfo.endpoint);
    ++used[endpoint];
    EXPECT_EQ(seen.emplace(affinity, endpoint).first->second, endpoint);
  }
  EXPECT_EQ(used.size(), 3u);
}

TEST(Router, MistakesAreNamed) {
  const auto errorOf = [](const std::string& routes) {
    return configErrorOf([&] { FilterHarness t("router", host(routes), kClusters); });
  };
  EXPECT_EQ(errorOf("route r {\n}"), "test.conf:4: route 'r' does nothing");
  EXPECT_EQ(errorOf("route r {\n cluster a\n cluster b\n}"),
            "test.conf:6: a second action for route 'r'");
  EXPECT_EQ(errorOf("route r {\n match colour red\n cluster a\n}"),
            "test.conf:5: 'colour' is none of: path, method, header, query, fraction");
  EXPECT_EQ(errorOf("route r {\n weighted {\n }\n}"),
            "test.conf:5: 'weighted' needs at least one cluster");
}

}  // namespace
}  // namespace mesh
