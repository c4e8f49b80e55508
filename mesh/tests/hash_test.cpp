// Requests that belong together go to one endpoint, and few of them move when endpoints come or go.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "cluster/balancer.hpp"
#include "cluster/hash_table.hpp"
#include "config/yaml.hpp"
#include "mocks.hpp"
#include "route/hash_key.hpp"
#include "stream_fixture.hpp"

namespace hone::mesh::testing {
namespace {

constexpr int kKeys = 20'000;

std::vector<Keyed> endpoints(int count, std::uint32_t first_weight = 1) {
  std::vector<Keyed> all;
  for (int at = 0; at < count; ++at)
    all.push_back({"10.0.0." + std::to_string(at) + ":80", at == 0 ? first_weight : 1});
  return all;
}

std::uint64_t key(int number) {
  return hash_of("user-" + std::to_string(number));
}

std::vector<std::string> owners(const HashTable& table, const std::vector<Keyed>& all) {
  std::vector<std::string> names;
  for (int number = 0; number < kKeys; ++number) names.push_back(all[table.owner_of(table.place_of(key(number)))].name);
  return names;
}

TEST(Hashes, TellTextsApartAndAreTheSameEverywhere) {
  std::map<std::uint64_t, std::string> seen;
  std::string text;
  for (int number = 0; number < 20'000; ++number) {
    ASSERT_TRUE(seen.emplace(hash_of(text), text).second) << text;
    text = number % 50 == 0 ? std::string(static_cast<std::size_t>(number % 17), '\0') + std::to_string(number)
                            : "key " + std::to_string(number);
  }
  EXPECT_EQ(hash_of("a"), hash_of(std::string("a")));
  EXPECT_NE(hash_of("a"), hash_of("a", 1));
  // Another value would send all keys elsewhere: every process has to agree.
  EXPECT_EQ(hash_of("hone-mesh"), 0xc04275ddc5d31b40);
}

TEST(Tables, DealKeysOutByWeight) {
  const std::vector<Keyed> all = endpoints(5, 2);
  const struct {
    HashTable table;
    double tolerance;
  } tables[] = {{HashTable::ring(all, 100'000), 0.03}, {HashTable::maglev(all, 65'537), 0.03}};
  for (const auto& [table, tolerance] : tables) {
    std::map<std::string, int> counts;
    for (const std::string& owner : owners(table, all)) ++counts[owner];
    for (const Keyed& one : all) {
      EXPECT_NEAR(counts[one.name], kKeys / 6.0 * one.weight, kKeys * tolerance) << one.name;
    }
  }
}

TEST(Tables, HaveMaglevsSharesNearlyExactly) {
  const HashTable table = HashTable::maglev(endpoints(7), 65'537);
  std::vector<int> places(7);
  for (std::size_t place = 0; place < table.size(); ++place) ++places[table.owner_of(place)];
  for (const int count : places) EXPECT_NEAR(count, 65'537 / 7, 1);
}

TEST(Tables, MoveFewKeysWhenAnEndpointComes) {
  const std::vector<Keyed> ten = endpoints(10);
  const std::vector<Keyed> eleven = endpoints(11);
  const struct {
    HashTable before;
    HashTable after;
    // The share of keys that move to another endpoint than the new one.
    double most_strays;
  } tables[] = {{HashTable::ring(ten, 10'000), HashTable::ring(eleven, 11'000), 0.0},
                {HashTable::maglev(ten, 65'537), HashTable::maglev(eleven, 65'537), 0.05}};
  for (const auto& [before, after, most_strays] : tables) {
    const std::vector<std::string> from = owners(before, ten);
    const std::vector<std::string> to = owners(after, eleven);
    int taken = 0;
    int strays = 0;
    for (std::size_t at = 0; at < from.size(); ++at) {
      if (from[at] == to[at]) continue;
      ++(to[at] == eleven.back().name ? taken : strays);
    }
    EXPECT_NEAR(taken, kKeys / 11.0, kKeys * 0.03);
    EXPECT_LE(strays, kKeys * most_strays);
  }
}

TEST(Tables, MoveOnlyTheKeysOfWhoIsDown) {
  ClusterSpec spec;
  spec.balance = Balance::kHash;
  Random random(1);
  for (const HashTable& table : {HashTable::ring(endpoints(5), 1000), HashTable::maglev(endpoints(5), 4999)}) {
    spec.table = std::make_shared<const HashTable>(table);
    const auto balancer = make_balancer(spec);
    std::vector<Load> loads(5);
    std::vector<int> moved(5);
    for (int number = 0; number < kKeys; ++number) {
      const Choice choice{random, key(number)};
      loads[2].may_be_picked = true;
      const std::size_t before = *balancer->pick(loads, choice);
      EXPECT_EQ(balancer->pick(loads, choice), before) << "a key has one endpoint";
      loads[2].may_be_picked = false;
      const std::size_t after = *balancer->pick(loads, choice);
      if (before != 2) {
        ASSERT_EQ(after, before);
      } else {
        ++moved[after];
      }
    }
    EXPECT_EQ(moved[2], 0);
    for (const std::size_t at : {0u, 1u, 3u, 4u}) EXPECT_GT(moved[at], kKeys / 5 / 4 / 3) << "others share them";
  }
}

TEST(Tables, FindTheLastOneThatIsUp) {
  ClusterSpec spec;
  spec.balance = Balance::kHash;
  // So light that it has no place.
  const std::vector<Keyed> all = endpoints(2, 1'000'000);
  spec.table = std::make_shared<const HashTable>(HashTable::maglev(all, 11));
  const auto balancer = make_balancer(spec);
  Random random(1);
  std::vector<Load> loads(2);
  loads[0].may_be_picked = false;
  EXPECT_EQ(balancer->pick(loads, {random, 7}), 1u);
  loads[1].may_be_picked = false;
  EXPECT_EQ(balancer->pick(loads, {random, 7}), std::nullopt);
}

TEST(Tables, DealRequestsWithoutAKeyOutAtRandom) {
  ClusterSpec spec;
  spec.balance = Balance::kHash;
  spec.table = std::make_shared<const HashTable>(HashTable::maglev(endpoints(4), 4999));
  const auto balancer = make_balancer(spec);
  Random random(3);
  const std::vector<Load> loads(4);
  std::vector<int> counts(4);
  for (int count = 0; count < 4000; ++count) ++counts[*balancer->pick(loads, {random})];
  for (const int count : counts) EXPECT_NEAR(count, 1000, 150);
}

TEST(HashKeys, AreWhatTheFirstRuleFinds) {
  BlockPool blocks;
  Arena arena(blocks);
  Random random(1);
  const std::vector<HashRule> rules = {{HashRule::Kind::kHeader, "x-user", {}},
                                       {HashRule::Kind::kCookie, "sid", {}},
                                       {HashRule::Kind::kQuery, "user", {}},
                                       {HashRule::Kind::kClient, "", {}}};
  Head head;
  head.path = "/a?x=1&user=query&user=other";
  const auto hash = [&](std::string_view client) { return hash_key_of(head, client, rules, random, arena).hash; };
  EXPECT_EQ(hash("10.0.0.1"), hash_of("query"));
  head.headers.add(arena, {"cookie", "a=b; sidx=1;sid=cookie; sid=two", HeaderId::kOther});
  EXPECT_EQ(hash("10.0.0.1"), hash_of("cookie"));
  head.headers.add(arena, {"x-user", "header", HeaderId::kOther});
  EXPECT_EQ(hash("10.0.0.1"), hash_of("header"));
  head = {};
  head.path = "/a?userx=1&";
  EXPECT_EQ(hash("10.0.0.1"), hash_of("10.0.0.1"));
  EXPECT_EQ(hash(""), std::nullopt);
}

TEST(HashKeys, AreMadeForClientsWithoutACookie) {
  BlockPool blocks;
  Arena arena(blocks);
  Random random(1);
  const std::vector<HashRule> rules = {{HashRule::Kind::kCookie, "sid", std::chrono::milliseconds(1500)}};
  Head head;
  const HashKey made = hash_key_of(head, "", rules, random, arena);
  EXPECT_THAT(std::string(made.set_cookie),
              ::testing::MatchesRegex("sid=[0-9a-f]{16}; Max-Age=2; Path=/; HttpOnly; SameSite=Lax"));
  head.headers.add(arena, {"cookie", made.set_cookie.substr(0, 20), HeaderId::kOther});
  const HashKey kept = hash_key_of(head, "", rules, random, arena);
  EXPECT_EQ(kept.hash, made.hash) << "the client comes back to the same endpoint";
  EXPECT_EQ(kept.set_cookie, "");
}

TEST_F(Streams, SendAKeyWithThePickAndACookieWithTheResponse) {
  forward().hash = {{HashRule::Kind::kCookie, "sid", std::chrono::hours(1)}};
  begin();
  respond(connect(), 200);
  EXPECT_THAT(down_, ::testing::MatchesRegex("\\[200 set-cookie=sid=[0-9a-f]{16}; Max-Age=3600; .*\\]ok\\."));
}

TEST(HashConfigurations, AreRead) {
  const auto with = [](const std::string& route, const std::string& cluster) {
    return config::read_yaml(
        "listeners: [{name: in, address: 127.0.0.1:1, routes: [{to: one, " + route +
            "}]}]\nclusters:\n  - name: one\n    endpoints: [127.0.0.1:1, 127.0.0.1:2]\n    balance: " + cluster + "\n",
        "m.yaml");
  };
  const auto read =
      with("hash: [{header: X-User}, {cookie: sid, lives: 1h}, {query: u}, client]", "{by: ring-hash, places: 64}");
  EXPECT_EQ(read.faults.size(), 1u) << "hours are no unit";
  const auto good =
      with("hash: [{header: X-User}, {cookie: sid, lives: 60m}, {query: u}, client]", "{by: ring-hash, places: 64}");
  ASSERT_NE(good.snapshot, nullptr) << good.faults.front();
  EXPECT_EQ(good.snapshot->clusters[0].table->size(), 64u);
  EXPECT_EQ(with("", "maglev").snapshot->clusters[0].table->size(), 65'537u);
  Head head;
  head.path = "/";
  const auto& rule = std::get<Forward>(good.snapshot->listeners[0].hosts.find(head)->action);
  ASSERT_EQ(rule.hash.size(), 4u);
  EXPECT_EQ(rule.hash[0].name, "x-user");
  EXPECT_EQ(rule.hash[1].made_for, std::chrono::hours(1));
  const struct {
    const char* route;
    const char* cluster;
    std::string said;
  } cases[] = {
      {"hash: [host]", "maglev",
       "m.yaml:1: listeners[0].routes[0].hash[0]: \"host\" is not known; write one of: client"},
      {"hash: [{header: a, query: b}]", "maglev",
       "m.yaml:1: listeners[0].routes[0].hash[0]: a rule looks at one thing; "},
      {"hash: [{header: 'a b'}]", "maglev", "m.yaml:1: listeners[0].routes[0].hash[0].header: \"a b\" is no name; "},
      {"hash: [{query: a, lives: 1s}]", "maglev",
       "m.yaml:1: listeners[0].routes[0].hash[0].lives: this is for cookies; "},
      {"", "random",
       "m.yaml:5: clusters[0].balance: \"random\" is not known; write one of: least-request, round-robin, "
       "ring-hash, maglev"},
      {"", "{by: maglev, places: 100}",
       "m.yaml:5: clusters[0].balance.places: 100 is no prime number; write 65537, say"},
      {"", "{by: round-robin, places: 101}",
       "m.yaml:5: clusters[0].balance.places: this is for ring-hash and maglev; "},
      {"", "{places: 100}", "m.yaml:5: clusters[0].balance: the key \"by\" is missing; write by: ring-hash, say"},
  };
  for (const auto& one : cases) {
    const auto wrong = with(one.route, one.cluster);
    ASSERT_FALSE(wrong.faults.empty()) << one.said;
    EXPECT_EQ(wrong.faults.front().substr(0, one.said.size()), one.said);
  }
}

}  // namespace
}  // namespace hone::mesh::testing
