// Parts that stay when one configuration follows another.
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "cluster/cluster.hpp"
#include "cluster/upkeep.hpp"
#include "config/names.hpp"
#include "config/yaml.hpp"
#include "mocks.hpp"
#include "net/socket.hpp"
#include "serve/served.hpp"

namespace hone::mesh::testing {
namespace {

TEST(Numbers, StayAndAreGivenAgainWhereNobodyHasThem) {
  config::Numbers numbers;
  EXPECT_EQ(numbers.of("a"), 0u);
  EXPECT_EQ(numbers.of("b"), 1u);
  EXPECT_EQ(numbers.of("a"), 0u);
  EXPECT_EQ(numbers.of("c"), 2u);
  numbers.keep_only({false, true});
  EXPECT_EQ(numbers.of("b"), 1u);
  EXPECT_EQ(numbers.name_of(0), "");
  EXPECT_EQ(numbers.name_of(2), "");
  EXPECT_LT(numbers.of("d") + numbers.of("e"), 3u) << "0 and 2 are free";
  EXPECT_EQ(numbers.size(), 3u);
  EXPECT_EQ(numbers.of("a"), 3u);
}

ClusterSpec cluster_of(std::vector<std::string> addresses) {
  ClusterSpec spec;
  spec.name = "back";
  for (const std::string& one : addresses) spec.endpoints.push_back({*Address::parse(one)});
  return spec;
}

TEST(ClusterSpecs, GoOnWithWhatIsKnownOfTheirEndpoints) {
  ClusterSpec before = cluster_of({"127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:2"});
  before.outlier = OutlierRule();
  before.outlier->most_percent = 100;
  for (const std::size_t at : {0u, 1u, 2u}) eject(before, at, Moment(std::chrono::seconds(1)));
  before.endpoints[1].counts->of(0).requests.add(7);
  ClusterSpec next = cluster_of({"127.0.0.1:3", "127.0.0.1:2"});
  next.go_on_from(&before, 2);
  EXPECT_TRUE(next.endpoints[0].health->is_up());
  EXPECT_EQ(next.endpoints[0].counts->workers(), 2u);
  EXPECT_FALSE(next.endpoints[1].health->is_up());
  EXPECT_EQ(totals_of(next)[0].requests, 0u);
  EXPECT_EQ(next.totals, before.totals);
  EXPECT_EQ(next.health->ejected, 1u) << "those that are gone count no longer";
  EXPECT_EQ(next.health->ejections, 3u);
}

TEST(ClusterSpecs, AreLikeThoseThatSayTheSame) {
  const auto with = [](void (*change)(ClusterSpec&)) {
    ClusterSpec spec = cluster_of({"127.0.0.1:1"});
    change(spec);
    return spec;
  };
  const ClusterSpec one = with([](ClusterSpec&) {});
  EXPECT_TRUE(one.is_like(with([](ClusterSpec&) {})));
  for (void (*change)(ClusterSpec&) : std::initializer_list<void (*)(ClusterSpec&)>{
           [](ClusterSpec& spec) { spec.name = "other"; }, [](ClusterSpec& spec) { spec.limits.retries = 1; },
           [](ClusterSpec& spec) { spec.connect_timeout = Duration(1); },
           [](ClusterSpec& spec) { spec.idle_timeout = Duration(1); },
           [](ClusterSpec& spec) { spec.protocol = Protocol::kHttp2; },
           [](ClusterSpec& spec) { spec.balance = Balance::kRoundRobin; },
           [](ClusterSpec& spec) { spec.panic_percent = 1; }, [](ClusterSpec& spec) { spec.outlier = OutlierRule(); },
           [](ClusterSpec& spec) { spec.check = HealthRule(); }, [](ClusterSpec& spec) { spec.local_first = {1}; },
           [](ClusterSpec& spec) { spec.endpoints[0].weight = 2; },
           [](ClusterSpec& spec) { spec.endpoints[0].level = 2; },
           [](ClusterSpec& spec) { spec.endpoints[0].place = "a"; }, [](ClusterSpec& spec) { spec.endpoints.clear(); },
           [](ClusterSpec& spec) { spec.endpoints[0].address = *Address::parse("[::1]:1"); },
           [](ClusterSpec& spec) {
             const std::vector<Keyed> keyed = {{"a"}};
             spec.table = std::make_shared<const HashTable>(HashTable::ring(keyed, 2));
           },
           [](ClusterSpec& spec) { spec.tls = std::make_shared<Tls>(TlsSpec()); }}) {
    EXPECT_FALSE(one.is_like(with(change)));
    EXPECT_TRUE(with(change).is_like(with(change)));
  }
}

TEST(TlsContexts, HaveTheFingerprintOfWhatTheyAreMadeOf) {
  const auto made = [](TlsVersion least, const char* name) {
    TlsContext context(TlsSide::kClient, least, Alpn::kNone);
    context.expect(name);
    return context.fingerprint();
  };
  EXPECT_EQ(made(TlsVersion::k12, "shop"), made(TlsVersion::k12, "shop"));
  EXPECT_NE(made(TlsVersion::k12, "shop"), made(TlsVersion::k13, "shop"));
  EXPECT_NE(made(TlsVersion::k12, "shop"), made(TlsVersion::k12, "shops"));
}

// Clusters of one worker, one after the other.
class Changes : public ::testing::Test {
 protected:
  ~Changes() override { loop_.end_turn(); }
  Held<Cluster> next(ClusterSpec spec, Cluster* before) {
    return make_cluster(parts_, std::make_shared<const ClusterSpec>(std::move(spec)), 0, before);
  }

  NiceMock<MockLoop> loop_;
  BufferPool buffers_;
  BlockPool blocks_;
  Random random_{5};
  Parts parts_{loop_, buffers_, blocks_, random_};
};

TEST_F(Changes, KeepPoolsAndWhatIsUnderWay) {
  const Held<Cluster> first = next(cluster_of({"127.0.0.1:1", "127.0.0.1:2"}), nullptr);
  Pool* const pool = &first->pool(1);
  for (int count = 0; count < 3; ++count) first->began(1);
  Held<Cluster> second = next(cluster_of({"127.0.0.1:2", "127.0.0.1:3"}), first.get());
  EXPECT_EQ(&second->pool(0), pool);
  // Three are under way at the first one: the other of two is always lighter.
  const auto heavy = [&] {
    int picks = 0;
    for (int count = 0; count < 100; ++count) picks += *second->pick({}, {random_}) == 0 ? 1 : 0;
    return picks;
  };
  EXPECT_EQ(heavy(), 0);
  for (int count = 0; count < 3; ++count) first->ended(1);
  EXPECT_GT(heavy(), 10) << "what ends at the cluster before is told to the next one";
  ClusterSpec others = cluster_of({"127.0.0.1:2"});
  others.idle_timeout = std::chrono::seconds(1);
  Held<Cluster> third = next(others, second.get());
  EXPECT_NE(&third->pool(0), pool) << "connections are made in another way";
  // An earlier cluster may be the last that holds an endpoint.
  second = {};
  first->began(1);
  first->ended(1);
}

TEST_F(Changes, MakeAnEndpointAnewThatSharesMemoryFromNowOn) {
  const Held<Cluster> first = next(cluster_of({"unix:/run/a", "unix:/run/b"}), nullptr);
  const Held<Cluster> second = next(cluster_of({"shm:/run/a", "unix:/run/b"}), first.get());
  EXPECT_NE(&second->pool(0), &first->pool(0));
  EXPECT_EQ(&second->pool(1), &first->pool(1));
}

TEST_F(Changes, EndChecksAndEjectionsWithTheirRules) {
  auto spec = std::make_shared<ClusterSpec>(cluster_of({"127.0.0.1:1", "127.0.0.1:2"}));
  spec->check = HealthRule();
  spec->check->kind = HealthRule::Kind::kTcp;
  spec->outlier = OutlierRule();
  Upkeep upkeep(parts_, spec);
  spec->endpoints[0].health->passes_checks = false;
  EXPECT_TRUE(eject(*spec, 1, loop_.now()));
  auto next_spec = std::make_shared<ClusterSpec>(cluster_of({"127.0.0.1:1", "127.0.0.1:2"}));
  next_spec->go_on_from(spec.get(), 1);
  EXPECT_FALSE(next_spec->endpoints[0].health->is_up());
  upkeep.change(next_spec);
  EXPECT_TRUE(next_spec->endpoints[0].health->is_up() && next_spec->endpoints[1].health->is_up());
  EXPECT_EQ(next_spec->health->ejected, 0u);
}

// Configurations of one process, one after the other.
class Serving : public ::testing::Test {
 protected:
  Change take(const std::string& listeners, const std::string& clusters = "[{name: back, endpoints: [127.0.0.1:1]}]") {
    auto read = config::read_yaml("listeners: " + listeners + "\nclusters: " + clusters + "\n", "m.yaml", names_);
    EXPECT_TRUE(read.faults.empty()) << read.faults.front();
    return served_.take(
        {.listeners = std::move(read.snapshot->listeners), .clusters = std::move(read.snapshot->clusters)});
  }

  config::Names names_;
  Served served_{2};
};

TEST_F(Serving, NamesWhatIsAnother) {
  const Change first = take("[{name: a, address: 127.0.0.1:0, routes: [{to: back}]}]");
  ASSERT_EQ(first.listeners.size(), 1u);
  EXPECT_EQ(first.listeners[0].sockets.size(), 2u);
  EXPECT_EQ(first.clusters.size(), 1u);
  const Change none = take("[{name: a, address: 127.0.0.1:0, routes: [{to: back}]}]");
  EXPECT_TRUE(none.listeners.empty() && none.clusters.empty());
  const Change route = take("[{name: a, address: 127.0.0.1:0, routes: [{to: back, timeout: 1s}]}]");
  ASSERT_EQ(route.listeners.size(), 1u);
  EXPECT_EQ(route.listeners[0].id, first.listeners[0].id) << "it listens on";
  EXPECT_EQ(route.listeners[0].spec->metrics, first.listeners[0].spec->metrics);
  // Another kind of client: another listener, on the same sockets.
  const Change tcp = take("[{name: a, address: 127.0.0.1:0, tcp: back}]");
  ASSERT_EQ(tcp.listeners.size(), 2u);
  EXPECT_EQ(tcp.listeners[0].spec, nullptr);
  EXPECT_EQ(tcp.listeners[1].sockets, first.listeners[0].sockets);
  // The second one has a port of its own.
  const Change two = take("[{name: a, address: 127.0.0.1:0, tcp: back}, {name: b, address: 127.0.0.1:0, tcp: back}]");
  ASSERT_EQ(two.listeners.size(), 1u);
  EXPECT_NE(two.listeners[0].sockets, first.listeners[0].sockets);
  const Change unix =
      take("[{name: b, address: 127.0.0.1:0, tcp: back}, {name: c, address: \"unix:/tmp/hone-mesh-c\", tcp: back}]");
  const Change shared =
      take("[{name: b, address: 127.0.0.1:0, tcp: back}, {name: c, address: \"shm:/tmp/hone-mesh-c\", tcp: back}]");
  ASSERT_EQ(shared.listeners.size(), 2u) << "connections may not stay";
  EXPECT_EQ(shared.listeners[1].sockets, unix.listeners.back().sockets) << "the socket is the same";
  const Change cluster =
      take("[{name: b, address: 127.0.0.1:0, tcp: other}]", "[{name: other, endpoints: [127.0.0.1:1]}]");
  ASSERT_EQ(cluster.clusters.size(), 2u);
  EXPECT_EQ(cluster.clusters[0].number, 1u) << "no number is given twice";
  EXPECT_EQ(cluster.clusters[1].spec, nullptr);
  EXPECT_EQ(served_.cluster(0), nullptr);
}

TEST_F(Serving, StaysAsItWasWhereItCannotListen) {
  take("[{name: a, address: 127.0.0.1:0, routes: [{to: back}]}]");
  const Descriptor taken(::socket(AF_INET, SOCK_STREAM, 0));
  const Address loopback = *Address::parse("127.0.0.1:0");
  ASSERT_EQ(::bind(taken.get(), loopback.data(), loopback.size()), 0);
  ASSERT_EQ(::listen(taken.get(), 1), 0);
  const std::string address = bound_address(taken.get()).text();
  EXPECT_THROW(take("[{name: b, address: \"" + address + "\", routes: [{to: back}]}]",
                    "[{name: back, endpoints: [127.0.0.1:2]}]"),
               std::system_error);
  ASSERT_EQ(served_.listeners().size(), 1u);
  EXPECT_TRUE(served_.listeners().contains("a"));
  EXPECT_EQ(served_.cluster(0)->endpoints[0].address.text(), "127.0.0.1:1");
}

TEST_F(Serving, KeepsApartWhatTheFileSaysAndWhatAControlPlaneSays) {
  take("[{name: a, address: 127.0.0.1:0, routes: [{to: back}]}]");
  auto read = config::read_yaml(
      "listeners: [{name: b, address: 127.0.0.1:0, routes: [{to: far}]}]\n"
      "clusters: [{name: far, endpoints: [127.0.0.1:2]}]\n",
      "x", names_);
  ASSERT_TRUE(read.faults.empty());
  const Change more = served_.take({.origin = Origin::kControlPlane,
                                    .is_whole = false,
                                    .listeners = std::move(read.snapshot->listeners),
                                    .clusters = std::move(read.snapshot->clusters)});
  EXPECT_EQ(more.listeners.size(), 1u);
  EXPECT_EQ(more.clusters.size(), 1u);
  // A file that is read again changes nothing that came from the control plane.
  const Change none = take("[{name: a, address: 127.0.0.1:0, routes: [{to: back}]}]");
  EXPECT_TRUE(none.listeners.empty() && none.clusters.empty());
  const Change gone =
      served_.take({.origin = Origin::kControlPlane, .is_whole = false, .listeners_gone = {"b", "none"}});
  ASSERT_EQ(gone.listeners.size(), 1u);
  EXPECT_EQ(gone.listeners[0].spec, nullptr);
  EXPECT_EQ(served_.clusters().size(), 2u);
  EXPECT_EQ(served_.take({.origin = Origin::kControlPlane}).clusters.size(), 1u) << "all that it said is gone";
}

TEST_F(Serving, RefusesAnAddressThatAnotherListenerHas) {
  take("[{name: a, address: 127.0.0.1:0, routes: [{to: back}]}]");
  const std::string address = served_.listeners().at("a").bound.text();
  take("[{name: a, address: \"" + address + "\", routes: [{to: back}]}]");
  auto read = config::read_yaml("listeners: [{name: b, address: \"" + address +
                                    "\", routes: [{to: back}]}]\n"
                                    "clusters: [{name: back, endpoints: [127.0.0.1:2]}]\n",
                                "x", names_);
  ASSERT_TRUE(read.faults.empty());
  EXPECT_THROW(
      served_.take(
          {.origin = Origin::kControlPlane, .is_whole = false, .listeners = std::move(read.snapshot->listeners)}),
      std::system_error);
  EXPECT_EQ(served_.listeners().size(), 1u);
}

TEST_F(Serving, LeavesNoSocketOfUnixBehind) {
  const std::string path = ::testing::TempDir() + "hone-mesh-changes.sock";
  take("[{name: a, address: \"unix:" + path + "\", routes: [{to: back}]}]");
  EXPECT_EQ(::access(path.c_str(), F_OK), 0);
  take("[{name: b, address: \"unix:" + path + "\", routes: [{to: back}]}]");
  EXPECT_EQ(::access(path.c_str(), F_OK), 0) << "another name, and the same socket";
  take("[{name: b, address: 127.0.0.1:0, routes: [{to: back}]}]");
  EXPECT_NE(::access(path.c_str(), F_OK), 0);
}

}  // namespace
}  // namespace hone::mesh::testing
