// Which endpoints of a cluster are up: what is asked of them, what they fail at, and what is made of it.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "cluster/cluster.hpp"
#include "cluster/health_check.hpp"
#include "cluster/outlier.hpp"
#include "config/yaml.hpp"
#include "mocks.hpp"

namespace hone::mesh::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::ElementsAre;

constexpr Moment kStart{seconds(1000)};

ClusterSpec cluster_of(std::size_t endpoints) {
  ClusterSpec spec;
  spec.name = "back";
  for (std::size_t at = 0; at < endpoints; ++at) {
    spec.endpoints.push_back({*Address::parse("127.0.0.1:" + std::to_string(at + 1)), 1});
  }
  spec.outlier = OutlierRule();
  spec.outlier->most_percent = 100;
  return spec;
}

bool is_up(const ClusterSpec& spec, std::size_t at) {
  return spec.endpoints[at].health->is_up();
}

TEST(Outliers, GoAfterFailuresOfOneKindInARow) {
  const ClusterSpec spec = cluster_of(3);
  for (int count = 0; count < 4; ++count) {
    note_answer(spec, 0, true, kStart);
    note_local_failure(spec, 1, kStart);
    note_answer(spec, 2, true, kStart);
  }
  EXPECT_TRUE(is_up(spec, 0) && is_up(spec, 1) && is_up(spec, 2));
  // An answer ends a row without one, and an answer that is no gateway's failure both.
  note_answer(spec, 1, true, kStart);
  note_answer(spec, 2, false, kStart);
  note_answer(spec, 0, true, kStart);
  note_local_failure(spec, 1, kStart);
  note_answer(spec, 2, true, kStart);
  EXPECT_FALSE(is_up(spec, 0));
  EXPECT_TRUE(is_up(spec, 1) && is_up(spec, 2));
  // A try without an answer does not end a row of the other kind.
  for (int count = 0; count < 3; ++count) {
    note_answer(spec, 2, true, kStart);
    if (count < 2) note_local_failure(spec, 2, kStart);
  }
  EXPECT_TRUE(is_up(spec, 2));
  note_answer(spec, 2, true, kStart);
  EXPECT_FALSE(is_up(spec, 2));
  EXPECT_EQ(spec.health->ejected, 2u);
}

TEST(Outliers, NeverGoForWhatIsZero) {
  ClusterSpec spec = cluster_of(1);
  spec.outlier->gateway_failures = spec.outlier->local_failures = 0;
  for (int count = 0; count < 100; ++count) {
    note_answer(spec, 0, true, kStart);
    note_local_failure(spec, 0, kStart);
  }
  EXPECT_TRUE(is_up(spec, 0));
}

TEST(Outliers, ComeBackLaterEachTime) {
  ClusterSpec spec = cluster_of(2);
  spec.outlier->longest = seconds(70);
  OutlierWatch watch(spec);
  const std::vector<EndpointTotals> none(2);
  Moment now = kStart;
  const auto stays_for = [&] {
    EXPECT_TRUE(eject(spec, 0, now));
    EXPECT_FALSE(eject(spec, 0, now)) << "it is gone already";
    const Moment went = now;
    do {
      now += seconds(10);
      watch.end_interval(none, now);
    } while (!is_up(spec, 0));
    return std::chrono::duration_cast<seconds>(now - went).count();
  };
  EXPECT_EQ(stays_for(), 30);
  EXPECT_EQ(stays_for(), 60);
  EXPECT_EQ(stays_for(), 70) << "no longer than the longest";
  // Each interval in which it stays takes one time back.
  for (int count = 0; count < 3; ++count) watch.end_interval(none, now += seconds(10));
  EXPECT_EQ(stays_for(), 30);
  EXPECT_EQ(spec.health->ejected, 0u);
  EXPECT_EQ(spec.health->ejections, 4u);
}

TEST(Outliers, AreNoMoreThanMayGo) {
  ClusterSpec spec = cluster_of(10);
  spec.outlier->most_percent = 29;
  for (std::size_t at = 0; at < 10; ++at) eject(spec, at, kStart);
  EXPECT_EQ(spec.health->ejected, 2u);
  ClusterSpec small = cluster_of(3);
  small.outlier->most_percent = 0;
  EXPECT_TRUE(eject(small, 1, kStart)) << "one may always";
  EXPECT_FALSE(eject(small, 2, kStart));
}

TEST(Outliers, AreEjectedOnceWhicheverWorkerSeesThem) {
  ClusterSpec spec = cluster_of(8);
  spec.outlier->most_percent = 50;
  spec.outlier->gateway_failures = 1;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        for (std::size_t at = 0; at < 8; ++at) note_answer(spec, at, true, kStart);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  int up = 0;
  for (std::size_t at = 0; at < 8; ++at) up += is_up(spec, at) ? 1 : 0;
  EXPECT_EQ(up, 4);
  EXPECT_EQ(spec.health->ejected, 4u);
  EXPECT_EQ(spec.health->ejections, 4u);
}

TEST(Outliers, HaveARateFarBelowTheOthers) {
  // Mean 0.82, deviation 0.36: the arithmetic of Envoy's documentation.
  const std::vector<double> rates = {1, 1, 1, 1, 0.1};
  EXPECT_NEAR(threshold_of(rates, 1.9), 0.82 - 1.9 * 0.36, 1e-12);
  ClusterSpec spec = cluster_of(6);
  OutlierWatch watch(spec);
  std::vector<EndpointTotals> totals(6, EndpointTotals{1000, 10});
  totals[2] = {1000, 500};
  totals[5] = {99, 99};
  watch.end_interval(totals, kStart);
  std::vector<bool> up;
  for (std::size_t at = 0; at < 6; ++at) up.push_back(is_up(spec, at));
  EXPECT_THAT(up, ElementsAre(true, true, false, true, true, true)) << "the last had too few requests";
  // What was counted before does not count again.
  totals[3].requests += 100;
  totals[3].failures += 100;
  watch.end_interval(totals, kStart + seconds(10));
  EXPECT_TRUE(is_up(spec, 3)) << "too few others had requests";
}

// Picks of a worker's cluster.
class Picks : public ::testing::Test {
 protected:
  Cluster& cluster() {
    std::vector<std::unique_ptr<Pool>> pools;
    for (std::size_t at = 0; at < spec_.endpoints.size(); ++at) pools.push_back(std::make_unique<MockPool>());
    return cluster_.emplace(spec_, make_balancer(spec_), std::move(pools));
  }
  // Returns how many of 1000 picks each endpoint gets.
  std::vector<int> picks(const std::vector<std::size_t>& tried = {}) {
    std::vector<int> counts(spec_.endpoints.size());
    for (int count = 0; count < 1000; ++count) ++counts[*cluster_->pick(tried, {random_})];
    return counts;
  }
  void check(std::size_t at, bool is_well) {
    spec_.endpoints[at].health->passes_checks = is_well;
    spec_.health->changed();
  }

  ClusterSpec spec_ = cluster_of(4);
  Random random_{5};
  std::optional<Cluster> cluster_;
};

TEST_F(Picks, LeaveOutWhoIsNotUp) {
  spec_.balance = Balance::kRoundRobin;
  cluster();
  EXPECT_THAT(picks(), ElementsAre(250, 250, 250, 250));
  check(1, false);
  EXPECT_EQ(picks()[1], 0);
  eject(spec_, 2, kStart);
  const std::vector<int> half = picks();
  EXPECT_EQ(half[1] + half[2], 0);
  EXPECT_NEAR(half[0], 500, 2) << "turns that had begun go on";
  EXPECT_THAT(picks({0}), ElementsAre(0, 0, 0, 1000));
  const std::vector<int> again = picks({0, 3});
  EXPECT_EQ(again[1] + again[2], 0) << "those that are not up are no way out for another try";
  check(1, true);
  EXPECT_GT(picks()[1], 0);
}

TEST_F(Picks, AmongAllWhereTooFewAreUp) {
  spec_.balance = Balance::kRoundRobin;
  cluster();
  for (const std::size_t at : {0u, 1u, 2u}) check(at, false);
  EXPECT_THAT(picks(), ElementsAre(250, 250, 250, 250));
  spec_.panic_percent = 25;
  check(2, false);
  EXPECT_THAT(picks(), ElementsAre(0, 0, 0, 1000));
  spec_.panic_percent = 0;
  check(3, false);
  EXPECT_FALSE(cluster_->pick({}, {random_}));
}

TEST(Levels, TakeWhatTheyCanAndLeaveTheRest) {
  const struct {
    std::vector<LevelHealth> levels;
    std::vector<std::uint32_t> percent;
    bool can_take_all;
  } cases[] = {
      {{{4, 4}, {4, 4}}, {100, 0}, true},
      {{{4, 3}, {4, 4}}, {100, 0}, true},
      {{{4, 2}, {4, 4}}, {70, 30}, true},
      {{{4, 0}, {4, 4}}, {0, 100}, true},
      {{{4, 1}, {4, 1}}, {50, 50}, false},
      {{{4, 1}, {4, 0}}, {100, 0}, false},
      {{{4, 0}, {4, 0}}, {0, 0}, false},
      {{{2, 1}, {2, 1}, {2, 2}}, {70, 30, 0}, true},
      {{{4, 1}, {0, 0}, {4, 4}}, {35, 0, 65}, true},
      {{{3, 2}}, {100}, false},
  };
  for (const auto& one : cases) {
    const LevelShares shares = share_out(one.levels);
    EXPECT_EQ(shares.percent, one.percent);
    EXPECT_EQ(shares.can_take_all, one.can_take_all);
  }
}

TEST_F(Picks, FallToTheNextLevelAsMuchAsTheFirstCannotTake) {
  spec_.balance = Balance::kRoundRobin;
  spec_.endpoints[2].level = spec_.endpoints[3].level = 1;
  cluster();
  EXPECT_THAT(picks(), ElementsAre(500, 500, 0, 0));
  check(0, false);
  const std::vector<int> spilt = picks();
  EXPECT_EQ(spilt[0], 0);
  EXPECT_NEAR(spilt[1], 700, 50);
  EXPECT_NEAR(spilt[2], 150, 40);
  check(1, false);
  EXPECT_THAT(picks(), ElementsAre(0, 0, 500, 500)) << "half are up, and can take all";
  check(2, false);
  EXPECT_GT(picks()[0], 0) << "too few are up";
  spec_.panic_percent = 0;
  check(2, false);
  EXPECT_THAT(picks(), ElementsAre(0, 0, 0, 1000));
}

TEST_F(Picks, TryOtherLevelsBeforeTheSameEndpointAgain) {
  for (const std::size_t at : {1u, 2u, 3u}) spec_.endpoints[at].level = 1;
  cluster();
  EXPECT_EQ(picks()[0], 1000);
  EXPECT_EQ(picks({0})[0], 0);
  EXPECT_EQ(picks({0, 1, 2})[3], 1000);
  EXPECT_GT(picks({0, 1, 2, 3})[0], 0);
}

TEST_F(Picks, KeepAKeyInItsLevel) {
  spec_.balance = Balance::kHash;
  const std::vector<Keyed> all = {{"a"}, {"b"}, {"c"}, {"d"}};
  spec_.table = std::make_shared<const HashTable>(HashTable::maglev(all, 4999));
  spec_.endpoints[2].level = spec_.endpoints[3].level = 1;
  cluster();
  check(0, false);
  std::vector<int> counts(4);
  for (std::uint64_t key = 0; key < 1000; ++key) {
    const std::size_t picked = *cluster_->pick({}, {random_, key});
    EXPECT_EQ(cluster_->pick({}, {random_, key}), picked);
    ++counts[picked];
  }
  EXPECT_NEAR(counts[1], 700, 50);
}

TEST_F(Picks, AreJudgedByAnswers) {
  Cluster& one = cluster();
  for (const int status : {200, 404, 500, 501, 502, 503, 504, 505}) one.answered(0, status, kStart);
  EXPECT_EQ(one.counts(0).requests.read(), 8u);
  EXPECT_EQ(one.counts(0).failures.read(), 6u);
  EXPECT_TRUE(is_up(spec_, 0)) << "505 is the endpoint's own";
  for (int count = 0; count < 5; ++count) one.failed(0, kStart);
  EXPECT_FALSE(is_up(spec_, 0));
  one.answered(1, 200, kStart);
  one.broke_off(1, kStart);
  EXPECT_EQ(one.counts(1).requests.read(), 1u);
  EXPECT_EQ(one.counts(1).failures.read(), 1u);
}

// Checks of one endpoint.
class Checks : public ::testing::Test {
 protected:
  Checks() {
    spec_.check = HealthRule();
    ON_CALL(exchange_, write_head).WillByDefault([this](const Head& head) {
      asked_ += std::string(head.method) + " " + std::string(head.authority) + std::string(head.path);
    });
    ON_CALL(exchange_, write_body).WillByDefault([this](Slice slice) { asked_ += slice.bytes; });
    ON_CALL(exchange_, reset).WillByDefault([this](Reset) { asked_ += " given up"; });
  }
  void start() {
    auto pool = std::make_unique<NiceMock<MockPool>>();
    ON_CALL(*pool, acquire).WillByDefault([this](Waiter& waiter) { waiter_ = &waiter; });
    check_.emplace(Parts{loop_, buffers_, blocks_, random_}, spec_, spec_.endpoints[0], std::move(pool));
    loop_.pass(spec_.check->jitter + milliseconds(1));
  }
  void next() {
    asked_.clear();
    loop_.pass(spec_.check->interval + spec_.check->jitter + milliseconds(1));
  }
  MessageSink& ask() {
    Waiter& waiter = *std::exchange(waiter_, nullptr);
    waiter.ready(exchange_);
    return waiter.sink;
  }
  void answer(int status, std::string_view body = "", std::string_view code = "") {
    MessageSink& sink = ask();
    Head head;
    head.status = status;
    sink.on_head(head);
    if (!body.empty()) sink.on_body(Slice{{}, body});
    Headers trailers;
    if (!code.empty()) trailers.add(arena_, HeaderId::kGrpcStatus, code);
    sink.on_end(trailers);
  }
  bool is_well() const { return spec_.endpoints[0].health->passes_checks; }

  ClusterSpec spec_ = cluster_of(1);
  NiceMock<MockLoop> loop_;
  BufferPool buffers_;
  BlockPool blocks_;
  Arena arena_{blocks_};
  Random random_{9};
  NiceMock<MockExchange> exchange_{arena_};
  Waiter* waiter_ = nullptr;
  std::string asked_;
  std::optional<HealthCheck> check_;
};

TEST_F(Checks, CountFailuresAndSuccessesInARow) {
  spec_.check->path = "/healthz";
  start();
  for (const int status : {500, 503, 200, 404, 302}) {
    answer(status);
    EXPECT_EQ(asked_, "GET 127.0.0.1:1/healthz");
    EXPECT_TRUE(is_well());
    next();
  }
  answer(503);
  EXPECT_FALSE(is_well()) << "three in a row";
  EXPECT_EQ(spec_.health->version, 1u);
  for (const int status : {200, 500, 200}) {
    next();
    answer(status);
    EXPECT_FALSE(is_well());
  }
  next();
  answer(204);
  EXPECT_TRUE(is_well()) << "two in a row";
  EXPECT_EQ(spec_.health->version, 2u);
}

TEST_F(Checks, FailWithoutAnAnswer) {
  spec_.check->failures = 3;
  start();
  std::exchange(waiter_, nullptr)->failed(PoolFailure::kRefused);
  next();
  ask().on_reset(Reset::kClosed);
  next();
  ask();
  loop_.pass(milliseconds(1001));
  EXPECT_EQ(asked_, "GET 127.0.0.1:1/ given up");
  EXPECT_FALSE(is_well());
}

TEST_F(Checks, AskAgainWhereAConnectionWasClosedMeanwhile) {
  spec_.check->failures = 1;
  start();
  ask().on_reset(Reset::kStale);
  EXPECT_TRUE(waiter_->needs_fresh);
  answer(200);
  EXPECT_TRUE(is_well());
  next();
  EXPECT_FALSE(waiter_->needs_fresh);
  ask().on_reset(Reset::kStale);
  ask().on_reset(Reset::kStale);
  EXPECT_FALSE(is_well());
}

TEST_F(Checks, AskByGrpc) {
  spec_.check->kind = HealthRule::Kind::kGrpc;
  spec_.check->service = "shop";
  spec_.check->failures = spec_.check->successes = 1;
  start();
  const std::string serving("\0\0\0\0\x02\x08\x01", 7);
  answer(200, serving, "0");
  EXPECT_EQ(asked_, std::string("POST 127.0.0.1:1/grpc.health.v1.Health/Check\0\0\0\0\x06\x0a\x04shop", 55));
  EXPECT_TRUE(is_well());
  const struct {
    int status;
    std::string body;
    const char* code;
  } bad[] = {{200, std::string("\0\0\0\0\x02\x08\x02", 7), "0"},
             {200, serving, "5"},
             {200, "", "0"},
             {503, serving, "0"},
             {200, serving, ""},
             {200, serving + serving, "0"},
             {200, std::string("\1\0\0\0\x02\x08\x01", 7), "0"}};
  for (const auto& one : bad) {
    next();
    answer(one.status, one.body, one.code);
    EXPECT_FALSE(is_well());
    next();
    answer(200, serving, "0");
    EXPECT_TRUE(is_well());
  }
}

TEST_F(Checks, GiveUpWithTheirOwner) {
  start();
  ask();
  check_.reset();
  EXPECT_EQ(asked_, "GET 127.0.0.1:1/ given up");
  loop_.pass(minutes(1));
}

TEST(GrpcHealth, IsReadWithFieldsOfLaterVersions) {
  EXPECT_EQ(parse_grpc_health(std::string("\0\0\0\0\0", 5)), 0u);
  EXPECT_EQ(parse_grpc_health(std::string("\0\0\0\0\x07\x12\x03"
                                          "abc\x08\x01",
                                          12)),
            1u);
  for (const std::string& broken : {std::string("\0\0\0\0\x02\x12\x7f", 7), std::string("\0\0\0\0\x01\x08", 6),
                                    std::string("\0\0\0\0\x03\x08\xff\xff", 8), std::string("\0\0\0\1\0", 5)}) {
    EXPECT_EQ(parse_grpc_health(broken), std::nullopt);
  }
}

TEST(HealthConfigurations, AreRead) {
  const std::string text = R"(listeners: [{name: in, address: 127.0.0.1:1, routes: [{to: one}]}]
clusters:
  - name: one
    endpoints: [127.0.0.1:1]
    check: {path: /healthz, host: shop, statuses: {from: 200, to: 399}, interval: 2s, timeout: 300ms, failures: 2, successes: 1}
    outlier: {gateway_failures: 0, local_failures: 7, success_rate: {endpoints: 3, requests: 50, deviations: 2.5}, interval: 1s, time: 5s, longest: 1m, most: 50}
    panic: 0
)";
  const auto read = config::read_yaml(text, "m.yaml");
  ASSERT_NE(read.snapshot, nullptr) << read.faults.front();
  const ClusterSpec& spec = read.snapshot->clusters[0];
  EXPECT_EQ(spec.check->path, "/healthz");
  EXPECT_EQ(spec.check->most_status, 399);
  EXPECT_EQ(spec.check->jitter, milliseconds(200)) << "a tenth of the interval";
  EXPECT_EQ(spec.outlier->gateway_failures, 0u);
  EXPECT_EQ(spec.outlier->success_rate->deviations, 2.5);
  EXPECT_EQ(spec.outlier->longest, minutes(1));
  EXPECT_EQ(spec.panic_percent, 0u);
  const std::pair<const char*, std::string> cases[] = {
      {"check: {protocol: udp}", ".check.protocol: \"udp\" is not known; write one of: http, tcp, grpc"},
      {"check: {protocol: tcp, path: /}", ".check.path: this is for checks of HTTP; take it out"},
      {"check: {service: a}", ".check.service: this is for checks of gRPC; take it out"},
      {"check: {path: healthz}", ".check.path: \"healthz\" is no path; begin with a slash"},
      {"check: {host: a b}", ".check.host: \"a b\" is no host; "},
      {"check: {statuses: {from: 300}}", ".check.statuses: no status is between these; "},
      {"check: {jitter: 11m}", ".check.jitter: jitter has at most 10 minutes; write less"},
      {"check: {failures: 0}", ".check.failures: \"0\" is not possible; "},
      {"outlier: {most: 101}", ".outlier.most: \"101\" is not possible; "},
      {"outlier: {success_rate: {deviations: -1}}", ".outlier.success_rate.deviations: \"-1\" is not possible; "},
      {"outlier: {success_rate: off}", ".outlier.success_rate: this is no map; "},
      {"panic: all", ".panic: \"all\" is not possible; write a whole number from 0 to 100"},
  };
  for (const auto& [line, said] : cases) {
    const auto wrong = config::read_yaml(
        "listeners: [{name: in, address: 127.0.0.1:1, routes: [{to: one}]}]\nclusters:\n  - name: one\n"
        "    endpoints: [127.0.0.1:1]\n    " +
            std::string(line) + "\n",
        "m.yaml");
    ASSERT_FALSE(wrong.faults.empty()) << line;
    EXPECT_EQ(wrong.faults.front().substr(0, said.size() + 21), "m.yaml:5: clusters[0]" + said);
  }
}

}  // namespace
}  // namespace hone::mesh::testing
