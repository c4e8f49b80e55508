// One request with mocks of everything that it uses.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "mocks.hpp"
#include "stream/stream.hpp"

namespace hone::mesh::testing {

// Everything a stream needs, with a cluster of two endpoints whose pools are mocks.
class Streams : public ::testing::Test {
 protected:
  Streams() {
    listener_.name = "in";
    spec_.name = "back";
    spec_.endpoints = {{*Address::parse("127.0.0.1:1"), 1}, {*Address::parse("127.0.0.1:2"), 1}};
    std::vector<std::unique_ptr<Pool>> pools;
    for (auto& pool : pools_) {
      auto made = std::make_unique<NiceMock<MockPool>>();
      pool = made.get();
      ON_CALL(*pool, acquire).WillByDefault([this](Waiter& waiter) { waiters_.push_back(&waiter); });
      pools.push_back(std::move(made));
    }
    around_.clusters.push_back(
        Held<Cluster>::make(lent(spec_), first_balancer(), endpoints_with(around_.parts, std::move(pools))));
    for (MockExchange* exchange : {&downstream_, &upstream_}) {
      std::string& text = exchange == &downstream_ ? down_ : up_;
      ON_CALL(*exchange, write_head).WillByDefault([&text](const Head& head) {
        text += "[" + (head.status != 0
                           ? std::to_string(head.status)
                           : std::string(head.method) + " " + std::string(head.authority) + std::string(head.path));
        for (const Header& header : head.headers.items()) {
          text += " " + std::string(header.name) + "=" + std::string(header.value);
        }
        text += "]";
      });
      ON_CALL(*exchange, write_body).WillByDefault([&text](Slice slice) { text += slice.bytes; });
      ON_CALL(*exchange, write_end).WillByDefault([&text](const Headers& trailers) {
        for (const Header& header : trailers.items()) text += " " + std::string(header.name);
        text += ".";
      });
      ON_CALL(*exchange, reset).WillByDefault([&text](Reset) { text += "reset"; });
      ON_CALL(*exchange, set_reading).WillByDefault([&text](bool on) { text += on ? "go" : "hold"; });
    }
  }
  ~Streams() override { loop_.end_turn(); }

  Forward& forward() {
    Route route;
    route.match.path.text = "/";
    Forward rule;
    rule.shares = {{0, 1}};
    rule.total_weight = 1;
    route.action = rule;
    routes_.push_back(std::move(route));
    return std::get<Forward>(routes_.back().action);
  }
  void begin(std::string_view method = "GET", std::string_view path = "/a?b", bool is_whole = true) {
    listener_.hosts.add({"*"}, RouteList(std::move(routes_)));
    client_.emplace(Client{serving_.emplace(lent(listener_), 0), "10.0.0.9", "HTTP/1.1"});
    stream_ = Stream::open(around_, *client_, downstream_);
    Head head;
    head.method = method;
    head.path = path;
    head.authority = "shop";
    if (!is_whole) head.body.kind = Body::Kind::kStreamed;
    stream_->on_head(head);
    if (is_whole && down_.empty()) stream_->on_end({});
  }
  // Gives the waiter a connection, and returns the sink of its responses.
  MessageSink& connect() {
    Waiter& waiter = *waiters_.back();
    MessageSink& sink = waiter.sink;
    waiter.ready(upstream_);
    return sink;
  }
  void respond(MessageSink& sink, int status, std::string_view body = "ok") {
    Head head;
    head.status = status;
    sink.on_head(head);
    if (!body.empty()) sink.on_body(Slice{{}, body});
    sink.on_end({});
    loop_.end_turn();
  }

  NiceMock<MockLoop> loop_;
  BufferPool buffers_;
  BlockPool blocks_;
  Random random_{3};
  Arena arena_{blocks_};
  ListenerSpec listener_;
  ClusterSpec spec_;
  std::vector<Route> routes_;
  std::optional<Listener> serving_;
  ListenerMetrics& metrics_ = listener_.metrics->of(0);
  ClusterMetrics& cluster_metrics_ = spec_.metrics->of(0);
  std::array<NiceMock<MockPool>*, 2> pools_{};
  Surroundings around_{.parts = {loop_, buffers_, blocks_, random_}};
  std::optional<Client> client_;
  NiceMock<MockExchange> downstream_{arena_};
  NiceMock<MockExchange> upstream_{arena_};
  std::vector<Waiter*> waiters_;
  MessageSink* stream_ = nullptr;
  std::string down_;
  std::string up_;
};

}  // namespace hone::mesh::testing
