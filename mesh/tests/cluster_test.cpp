// Which endpoints of a cluster are up: their checks, their failures, and the effects of these.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "cluster/cluster.hpp"
#include "cluster/outlier.hpp"
#include "mocks.hpp"

namespace hone::mesh::testing {
namespace {

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
  OutlierWatch watch(lent(spec));
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
  OutlierWatch watch(lent(spec));
  std::vector<EndpointTotals> totals(6, EndpointTotals{1000, 10});
  totals[2] = {1000, 500};
  totals[5] = {99, 99};
  watch.end_interval(totals, kStart);
  std::vector<bool> up;
  for (std::size_t at = 0; at < 6; ++at) up.push_back(is_up(spec, at));
  EXPECT_THAT(up, ElementsAre(true, true, false, true, true, true)) << "the last had too few requests";
  // Requests that were counted before do not count again.
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
    return cluster_.emplace(lent(spec_), make_balancer(spec_), endpoints_with(parts_, std::move(pools)));
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
  NiceMock<MockLoop> loop_;
  BufferPool buffers_;
  BlockPool blocks_;
  Random random_{5};
  Parts parts_{loop_, buffers_, blocks_, random_};
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
  EXPECT_EQ(spec_.endpoints[0].counts->of(0).requests.read(), 8u);
  EXPECT_EQ(spec_.endpoints[0].counts->of(0).failures.read(), 6u);
  EXPECT_TRUE(is_up(spec_, 0)) << "505 is the endpoint's own";
  for (int count = 0; count < 5; ++count) one.failed(0, kStart);
  EXPECT_FALSE(is_up(spec_, 0));
  one.answered(1, 200, kStart);
  one.broke_off(1, kStart);
  EXPECT_EQ(spec_.endpoints[1].counts->of(0).requests.read(), 1u);
  EXPECT_EQ(spec_.endpoints[1].counts->of(0).failures.read(), 1u);
}

}  // namespace
}  // namespace hone::mesh::testing
