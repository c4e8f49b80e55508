// Routes, and the endpoints that get the requests of a cluster.
#include <gtest/gtest.h>

#include <map>

#include "cluster/balancer.hpp"
#include "config/yaml.hpp"
#include "mocks.hpp"

namespace hone::mesh::testing {
namespace {

// Each route answers with a body that names it.
constexpr char kRoutes[] = R"(
listeners:
  - name: in
    address: 127.0.0.1:0
    hosts:
      - names: [shop.example, "*.shop.example"]
        routes:
          - match: {path: /exact, methods: [POST]}
            reply: {body: exact-post}
          - match: {prefix: /exact}
            reply: {body: below-exact}
          - match: {path: /exact}
            reply: {body: never}
          - match: {regex: "/item/[0-9]+"}
            reply: {body: item}
          - match: {prefix: /h, headers: [{name: X-Version, exact: "2"}, {name: x-debug, absent: true}]}
            reply: {body: header}
          - match: {prefix: /q, query: [{name: a, prefix: b}, {name: c}]}
            reply: {body: query}
          - reply: {body: shop}
      - names: ["*.example"]
        routes:
          - reply: {body: suffix}
      - names: ["*"]
        routes:
          - match: {prefix: /only}
            reply: {body: any}
)";

TEST(Routes, AreFoundByAllTheirConditions) {
  const auto read = config::read_yaml(kRoutes, "r.yaml");
  ASSERT_NE(read.snapshot, nullptr) << read.faults.front();
  BlockPool blocks;
  Arena arena(blocks);
  struct {
    const char* method;
    const char* host;
    const char* path;
    std::vector<std::pair<const char*, const char*>> headers;
    const char* found;
  } const cases[] = {
      {"POST", "shop.example", "/exact?x", {}, "exact-post"},
      {"GET", "SHOP.example:80", "/exact", {}, "below-exact"},
      {"GET", "shop.example", "/exact/more", {}, "below-exact"},
      {"GET", "shop.example", "/exactly", {}, "shop"},
      {"GET", "a.shop.example", "/item/12", {}, "item"},
      {"GET", "a.b.shop.example", "/item/12/x", {}, "shop"},
      {"GET", "shop.example", "/h", {{"x-version", "2"}}, "header"},
      {"GET", "shop.example", "/h", {{"x-version", "2"}, {"x-debug", ""}}, "shop"},
      {"GET", "shop.example", "/h", {{"x-version", "22"}}, "shop"},
      {"GET", "shop.example", "/q?c&a=bb", {}, "query"},
      {"GET", "shop.example", "/q?c=1&a=x", {}, "shop"},
      {"GET", "other.example", "/", {}, "suffix"},
      {"GET", "example", "/only", {}, "any"},
      {"GET", "", "/only/this", {}, "any"},
      {"GET", "elsewhere", "/", {}, nullptr},
  };
  for (const auto& one : cases) {
    Head head;
    head.method = one.method;
    head.authority = one.host;
    head.path = one.path;
    for (const auto& [name, value] : one.headers) head.headers.add(arena, {name, value, id_of(name)});
    const Route* const route = read.snapshot->listeners[0].hosts.find(head);
    const char* const found = route == nullptr ? nullptr : std::get<DirectReply>(route->action).body.c_str();
    EXPECT_STREQ(found, one.found) << one.method << " " << one.host << one.path;
  }
}

TEST(Routes, ShareRequestsByWeight) {
  Forward forward;
  forward.shares = {{0, 1}, {1, 0}, {2, 3}};
  forward.total_weight = 4;
  Random random(5);
  std::map<std::size_t, int> counts;
  for (int count = 0; count < 4000; ++count) ++counts[forward.pick(random)];
  // Five standard deviations are 137.
  EXPECT_NEAR(counts[0], 1000, 137);
  EXPECT_EQ(counts[1], 0);
}

ClusterSpec cluster_of(Balance balance) {
  ClusterSpec spec;
  spec.balance = balance;
  return spec;
}

TEST(Balancers, GiveByTurnsWhatWeightsSay) {
  const auto balancer = make_balancer(cluster_of(Balance::kRoundRobin));
  Random random(1);
  const std::vector<Load> loads = {{.weight = 5}, {.weight = 1}, {.weight = 2}};
  std::map<std::size_t, int> counts;
  std::size_t last = 9;
  int repeats = 0;
  for (int count = 0; count < 80; ++count) {
    const std::size_t picked = *balancer->pick(loads, {random});
    ++counts[picked];
    repeats = picked == last ? repeats + 1 : 0;
    last = picked;
    EXPECT_LT(repeats, 3) << "shares are spread";
  }
  EXPECT_EQ(counts, (std::map<std::size_t, int>{{0, 50}, {1, 10}, {2, 20}}));
}

TEST(Balancers, PreferWhoHasLess) {
  const auto balancer = make_balancer(cluster_of(Balance::kLeastRequest));
  Random random(1);
  std::vector<Load> loads(10);
  for (Load& load : loads) load.active = 5;
  loads[3].active = 0;
  int got = 0;
  for (int count = 0; count < 1000; ++count) got += *balancer->pick(loads, {random}) == 3 ? 1 : 0;
  // One of two draws out of ten: two tenths. Five standard deviations are 63.
  EXPECT_NEAR(got, 200, 63);
}

TEST(Balancers, KeepTheWeightsUnderLoad) {
  const auto balancer = make_balancer(cluster_of(Balance::kLeastRequest));
  Random random(1);
  std::vector<Load> loads = {{.weight = 3}, {.weight = 1}};
  for (int count = 0; count < 400; ++count) ++loads[*balancer->pick(loads, {random})].active;
  EXPECT_NEAR(loads[0].active, 300, 2);
}

TEST(Balancers, PickNoneOfThoseThatMayNotBePicked) {
  for (const Balance balance : {Balance::kLeastRequest, Balance::kRoundRobin}) {
    const auto balancer = make_balancer(cluster_of(balance));
    Random random(1);
    std::vector<Load> loads(3);
    loads[0].may_be_picked = loads[2].may_be_picked = false;
    for (int count = 0; count < 20; ++count) EXPECT_EQ(balancer->pick(loads, {random}), 1u);
    loads[1].may_be_picked = false;
    EXPECT_EQ(balancer->pick(loads, {random}), std::nullopt);
    EXPECT_EQ(balancer->pick({}, {random}), std::nullopt);
  }
}

}  // namespace
}  // namespace hone::mesh::testing
