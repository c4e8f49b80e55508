// Requests that stay at their place: weights that go/rpc has too, and a cluster's picks by them.
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <numeric>
#include <string>
#include <vector>

#include "cluster/balancer.hpp"
#include "cluster/local_first.hpp"
#include "config/yaml.hpp"

namespace hone::mesh::testing {
namespace {

constexpr char kGolden[] = HONE_MESH_SOURCE "/../go/rpc/policy/localfirst/testdata/weights.json";

TEST(LocalFirst, HasTheWeightsOfGoRpc) {
  const YAML::Node cases = YAML::LoadFile(kGolden);
  ASSERT_GT(cases.size(), 10u);
  std::size_t compared = 0;
  for (const YAML::Node& one : cases) {
    std::vector<local_first::Callee> callees;
    std::vector<local_first::Caller> callers;
    for (const YAML::Node& callee : one["Callees"]) {
      callees.push_back(
          {callee["ID"].as<std::string>(), callee["Host"].as<std::string>(), callee["Capacity"].as<double>()});
    }
    for (const YAML::Node& caller : one["Callers"]) {
      callers.push_back({caller["Host"].as<std::string>(), caller["Rate"].as<double>()});
    }
    const local_first::Options options{one["Tolerance"].as<double>(), one["Subset"].as<std::size_t>()};
    for (const auto& weights : one["Weights"]) {
      const auto place = weights.first.as<std::string>();
      const std::vector<double> found = local_first::weights(callees, callers, place, options);
      const auto expected = weights.second.as<std::vector<double>>();
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t at = 0; at < found.size(); ++at) {
        ASSERT_NEAR(found[at], expected[at], 1e-9) << callees[at].id << " from " << place;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 500u);
}

config::Read with(const std::string& cluster) {
  return config::read_yaml(
      "listeners: [{name: in, address: 127.0.0.1:1, routes: [{to: b}]}]\nclusters:\n  - name: b\n" + cluster, "m.yaml");
}

constexpr char kEndpoints[] =
    "    endpoints:\n"
    "      - {address: 127.0.0.1:1, place: a}\n"
    "      - {address: 127.0.0.1:2, place: b}\n"
    "      - {address: 127.0.0.1:3, place: b}\n"
    "      - {address: 127.0.0.1:4}\n";

// Returns how many of 10,000 requests each endpoint gets.
std::vector<int> dealt(const ClusterSpec& spec, std::vector<Load> loads = std::vector<Load>(4)) {
  const auto balancer = make_balancer(spec);
  Random random(7);
  std::vector<int> counts(4);
  for (int count = 0; count < 10'000; ++count) ++counts[*balancer->pick(loads, {random})];
  return counts;
}

TEST(LocalFirst, KeepsWhatMayStay) {
  const auto read =
      with(std::string(kEndpoints) + "    local_first: {place: a, callers: {a: 1, b: 1}, tolerance: 0}\n");
  ASSERT_NE(read.snapshot, nullptr) << read.faults.front();
  // Each endpoint takes a quarter of all. Of the half that comes from a, half stays there; what is at b is taken by b.
  const std::vector<int> counts = dealt(read.snapshot->clusters[0]);
  EXPECT_NEAR(counts[0], 5000, 300);
  EXPECT_EQ(counts[1] + counts[2], 0);
  EXPECT_NEAR(counts[3], 5000, 300);
}

TEST(LocalFirst, LeavesTheRestToTheOthers) {
  const auto read = with(std::string(kEndpoints) + "    local_first: {place: b}\n    balance: round-robin\n");
  ASSERT_NE(read.snapshot, nullptr) << read.faults.front();
  const ClusterSpec& spec = read.snapshot->clusters[0];
  EXPECT_EQ(dealt(spec)[0], 0);
  std::vector<Load> loads(4);
  loads[1].may_be_picked = loads[2].may_be_picked = false;
  const std::vector<int> counts = dealt(spec, loads);
  EXPECT_EQ(counts[1] + counts[2], 0);
  EXPECT_NEAR(counts[0], 5000, 300);
}

TEST(LocalFirst, SaysWhatIsWrong) {
  const struct {
    const char* rule;
    const char* fault;
  } cases[] = {
      {"local_first: {}", "local_first: the key \"place\" is missing"},
      {"local_first: {place: c}", "local_first.place: \"c\" is not among the places that call"},
      {"local_first: {place: a, callers: {a: 0}}", "local_first.callers: no place calls"},
      {"local_first: {place: a, callers: {a: -1}}", "local_first.callers.a: \"-1\" is not possible"},
      {"local_first: {place: a, tolerance: 100}", "local_first.tolerance: \"100\" is not possible"},
      {"local_first: {place: a, subset: 0}", "local_first.subset: \"0\" is not possible"},
      {"local_first: {place: a}\n    balance: maglev", "local_first: balance chooses the endpoint already"},
  };
  for (const auto& one : cases) {
    const auto read = with(std::string(kEndpoints) + "    " + one.rule + "\n");
    ASSERT_FALSE(read.faults.empty()) << one.rule;
    EXPECT_NE(read.faults.front().find(one.fault), std::string::npos) << read.faults.front();
  }
  const auto read = with("    endpoints: [127.0.0.1:1]\n    local_first: {place: a}\n");
  ASSERT_FALSE(read.faults.empty());
  EXPECT_NE(read.faults.front().find("no endpoint has a place"), std::string::npos) << read.faults.front();
}

}  // namespace
}  // namespace hone::mesh::testing
