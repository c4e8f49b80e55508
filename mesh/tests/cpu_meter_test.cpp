// The payers for whom CPU time is counted, and the operator's view of it.
#include <gtest/gtest.h>

#include "observe/route_costs.hpp"
#include "stream_fixture.hpp"

namespace hone::mesh::testing {
namespace {

std::int64_t cpu_now_ns = 0;
std::int64_t passing_now_ns = 0;

// A meter whose time passes by hand, with room for two payers.
struct Meter {
  Meter() {
    cpu_now_ns = passing_now_ns = 0;
    meter.reserve(2);
    meter.want(true);
    meter.begin_turn();
  }
  std::vector<std::uint64_t> costs() const {
    std::vector<std::uint64_t> all;
    for (const Payer payer : {0u, 1u, 2u}) all.push_back(meter.cost_of(payer)->ns.read());
    return all;
  }
  CpuMeter meter{{.cpu = [] { return cpu_now_ns; }, .passing = [] { return passing_now_ns; }}};
};

void spend(std::int64_t ns) {
  cpu_now_ns += ns;
  passing_now_ns += ns;
}

using Costs = std::vector<std::uint64_t>;

TEST(CpuMeters, CountNothingUnlessSomebodyAsks) {
  CpuMeter meter;
  meter.reserve(1);
  meter.begin_turn();
  {
    const Paying paying(meter, 1);
    meter.add_request(1);
  }
  meter.end_turn();
  EXPECT_EQ(meter.cost_of(1)->ns.read(), 0u);
  EXPECT_EQ(meter.cost_of(1)->requests.read(), 0u);
}

TEST(CpuMeters, CountWhatCameBeforeForWhoComesUp) {
  Meter one;
  spend(3);
  {
    const Paying paying(one.meter, 1);
    spend(4);
  }
  spend(10);
  {
    const Paying paying(one.meter, 2);
    spend(1);
  }
  spend(100);
  one.meter.end_turn();
  EXPECT_EQ(one.costs(), (Costs{100, 7, 11})) << "the rest of a turn is nobody's";
}

TEST(CpuMeters, CountForWhoIsWithinAnother) {
  Meter one;
  const auto spend_for = [&](Payer payer, auto then) {
    const Paying paying(one.meter, payer);
    spend(1);
    then();
    spend(2);
  };
  spend_for(1, [&] { spend_for(2, [&] { spend_for(2, [] {}); }); });
  one.meter.end_turn();
  EXPECT_EQ(one.costs(), (Costs{0, 3, 6}));
  EXPECT_EQ(one.meter.payer(), kNobody);
}

TEST(CpuMeters, ShareOutCpuTimeAndNotWhatPasses) {
  Meter one;
  {
    const Paying paying(one.meter, 1);
    // Other processes had the CPU for half of it.
    passing_now_ns += 60;
    cpu_now_ns += 30;
  }
  passing_now_ns += 20;
  cpu_now_ns += 10;
  one.meter.end_turn();
  passing_now_ns += 1'000'000;
  cpu_now_ns += 5;
  one.meter.begin_turn();
  EXPECT_EQ(one.costs(), (Costs{10 + 5, 30, 0})) << "a wait costs little";
}

TEST(CpuMeters, EndBetweenTurns) {
  Meter one;
  {
    const Paying paying(one.meter, 1);
    one.meter.want(false);
    spend(5);
  }
  one.meter.end_turn();
  one.meter.begin_turn();
  spend(9);
  one.meter.end_turn();
  one.meter.want(true);
  one.meter.begin_turn();
  {
    const Paying paying(one.meter, 2);
    spend(1);
  }
  one.meter.end_turn();
  EXPECT_EQ(one.costs(), (Costs{0, 5, 1})) << "the time in which it was off is not there";
}

class StreamsThatPay : public Streams {
 protected:
  StreamsThatPay() {
    loop_.meter().reserve(1);
    loop_.meter().want(true);
    loop_.meter().begin_turn();
  }
  const CpuMeter::Cost& cost(Payer payer) { return *loop_.meter().cost_of(payer); }
  void next_turn() {
    loop_.meter().end_turn();
    loop_.meter().begin_turn();
  }
};

TEST_F(StreamsThatPay, PayByTheirRoute) {
  forward();
  routes_.back().number = 1;
  begin();
  EXPECT_EQ(cost(1).requests.read(), 1u);
  next_turn();
  const std::uint64_t asked_ns = cost(1).ns.read();
  EXPECT_GT(asked_ns, 0u);
  MessageSink& sink = connect();
  EXPECT_EQ(loop_.meter().payer(), kNobody);
  respond(sink, 200);
  next_turn();
  EXPECT_GT(cost(1).ns.read(), asked_ns);
  EXPECT_EQ(loop_.meter().payer(), kNobody);
}

TEST_F(StreamsThatPay, WithoutARouteAreNobodys) {
  begin();
  EXPECT_EQ(down_.substr(0, 4), "[404");
  EXPECT_EQ(cost(kNobody).requests.read(), 1u);
  EXPECT_EQ(cost(1).requests.read(), 0u);
}

// QuietWire is a channel whose calls do nothing.
struct QuietWire {
  QuietWire()
      : channel(loop, buffers, transport_of(wire),
                {.readable = Delegate<void()>::of<&QuietWire::nothing>(*this),
                 .flushed = Delegate<void(bool)>::of<&QuietWire::flushed>(*this),
                 .broken = Delegate<void()>::of<&QuietWire::nothing>(*this)}) {
    loop.meter().reserve(1);
    loop.meter().want(true);
    loop.meter().begin_turn();
  }
  void nothing() {}
  void flushed(bool) { payer = loop.meter().payer(); }

  Wire wire;
  NiceMock<MockLoop> loop;
  BufferPool buffers;
  Channel channel;
  Payer payer = kNobody;
};

TEST(CpuMeters, CountWritingForWhoPutBytesInLast) {
  QuietWire wire;
  {
    const Paying paying(wire.loop.meter(), 1);
    wire.channel.output().append("hello");
    wire.channel.flush_later();
  }
  EXPECT_EQ(wire.payer, kNobody);
  wire.loop.end_turn();
  EXPECT_EQ(wire.payer, 1u);
}

TEST(CpuMeters, CountWhatAFullSocketHeldBackForWhoPutItIn) {
  QuietWire wire;
  wire.wire.room = 2;
  {
    const Paying paying(wire.loop.meter(), 1);
    wire.channel.output().append("hello");
    wire.channel.flush_later();
  }
  wire.loop.end_turn();
  EXPECT_EQ(wire.wire.written, "he");
  wire.payer = kNobody;
  wire.wire.room = 10;
  wire.loop.turn();
  EXPECT_EQ(wire.wire.written, "hello");
  EXPECT_EQ(wire.payer, 1u);
}

TEST(RouteCosts, AreATableOfWhatCostMost) {
  const std::vector<RouteCost> costs = {{1'000'000, 2}, {3'000'000, 100}, {0, 0}, {4'000'000, 50}};
  const std::vector<std::string> names = {"in: prefix /a, line 5", "in: prefix /b, line 6", "in: path /c, line 7"};
  EXPECT_EQ(
      route_costs(costs, names, 10.0),
      "0.008 s of CPU time in 10.0 s\n\n"
      "  share      CPU s   requests    us each  route\n"
      " 50.0 %      0.004         50       80.0  in: path /c, line 7\n"
      " 37.5 %      0.003        100       30.0  in: prefix /a, line 5\n"
      " 12.5 %      0.001          2          -  no route: connections, waiting, requests that no route is for\n");
  EXPECT_EQ(route_costs(std::vector<RouteCost>(1), {}, 1.0),
            "0.000 s of CPU time in 1.0 s\n\n  share      CPU s   requests    us each  route\n");
}

}  // namespace
}  // namespace hone::mesh::testing
