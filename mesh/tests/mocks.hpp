// Mocks of all interfaces. Those of the loop and of the transport do by default what their fakes do.
#pragma once

#include <gmock/gmock.h>

#include <memory>
#include <string>

#include "cluster/balancer.hpp"
#include "cluster/cluster.hpp"
#include "cluster/pool.hpp"
#include "fakes.hpp"
#include "filter/filter.hpp"
#include "http/exchange.hpp"

namespace hone::mesh::testing {

using ::testing::_;
using ::testing::NiceMock;

class MockLoop : public Loop {
 public:
  MockLoop() {
    ON_CALL(*this, watch).WillByDefault([this](Watch& watch, Ready interest) { fake.watch(watch, interest); });
    ON_CALL(*this, forget).WillByDefault([this](Watch& watch) { fake.forget(watch); });
    ON_CALL(*this, set).WillByDefault([this](Timer& timer, Moment deadline) { fake.set(timer, deadline); });
    ON_CALL(*this, at_turn_end).WillByDefault([this](Task& task) { fake.at_turn_end(task); });
    ON_CALL(*this, now).WillByDefault([this] { return fake.now(); });
  }
  MOCK_METHOD(void, watch, (Watch&, Ready), (override));
  MOCK_METHOD(void, forget, (Watch&), (override));
  MOCK_METHOD(void, set, (Timer&, Moment), (override));
  MOCK_METHOD(void, at_turn_end, (Task&), (override));
  MOCK_METHOD(Moment, now, (), (const, override));

  void turn() { fake.turn(); }
  void end_turn() { fake.end_turn(); }
  void pass(Duration duration) { fake.pass(duration); }

  FakeLoop fake;
};

class MockTransport : public Transport {
 public:
  explicit MockTransport(Wire& wire) : fake_(wire) {
    ON_CALL(*this, read).WillByDefault([this](std::span<char> into) { return fake_.read(into); });
    ON_CALL(*this, write).WillByDefault([this](std::span<const iovec> from) { return fake_.write(from); });
    ON_CALL(*this, shut_writes).WillByDefault([this] { fake_.shut_writes(); });
    ON_CALL(*this, descriptor).WillByDefault([this] { return fake_.descriptor(); });
  }
  MOCK_METHOD(Transfer, read, (std::span<char>), (override));
  MOCK_METHOD(Transfer, write, (std::span<const iovec>), (override));
  MOCK_METHOD(void, shut_writes, (), (override));
  MOCK_METHOD(int, descriptor, (), (const, override));

 private:
  FakeTransport fake_;
};

inline std::unique_ptr<Transport> transport_of(Wire& wire) {
  return std::make_unique<NiceMock<MockTransport>>(wire);
}

inline std::string word_of(Reset reason) {
  constexpr const char* kWords[] = {"closed", "stale", "unseen", "protocol", "timeout", "cancelled"};
  return kWords[static_cast<std::size_t>(reason)];
}

class MockSink : public MessageSink {
 public:
  MOCK_METHOD(void, on_head, (Head), (override));
  MOCK_METHOD(void, on_body, (Slice), (override));
  MOCK_METHOD(void, on_end, (Headers), (override));
  MOCK_METHOD(void, on_reset, (Reset), (override));
  MOCK_METHOD(void, on_room, (), (override));
};

class MockExchange : public Exchange {
 public:
  explicit MockExchange(Arena& arena) : arena_(arena) {
    ON_CALL(*this, arena).WillByDefault(::testing::ReturnRef(arena_));
  }
  MOCK_METHOD(void, write_head, (const Head&), (override));
  MOCK_METHOD(void, write_body, (Slice), (override));
  MOCK_METHOD(void, write_end, (const Headers&), (override));
  MOCK_METHOD(void, reset, (Reset), (override));
  MOCK_METHOD(void, set_reading, (bool), (override));
  MOCK_METHOD(std::size_t, waiting, (), (const, override));
  MOCK_METHOD(Arena&, arena, (), (override));

 private:
  Arena& arena_;
};

class MockBalancer : public Balancer {
 public:
  MOCK_METHOD(std::optional<std::size_t>, pick, (std::span<const Load>, const Choice&), (override));
};

// Returns a balancer that picks the first endpoint that may be picked.
inline std::unique_ptr<Balancer> first_balancer() {
  auto balancer = std::make_unique<::testing::NiceMock<MockBalancer>>();
  ON_CALL(*balancer, pick).WillByDefault([](std::span<const Load> loads, const Choice&) -> std::optional<std::size_t> {
    for (std::size_t at = 0; at < loads.size(); ++at) {
      if (loads[at].may_be_picked) return at;
    }
    return std::nullopt;
  });
  return balancer;
}

class MockFilter : public Filter {
 public:
  MOCK_METHOD(Events, events, (), (const, override));
  MOCK_METHOD(Verdict, on_request, (Passage&), (const, override));
  MOCK_METHOD(void, on_response, (Passage&, Head&), (const, override));
  MOCK_METHOD(void, on_done, (const Passage&, const LogRecord&), (const, override));
};

class MockPool : public Pool {
 public:
  MOCK_METHOD(void, acquire, (Waiter&), (override));
  MOCK_METHOD(void, drain, (), (override));
};

// Returns a pointer to an object that a test keeps.
template <class T>
std::shared_ptr<const T> lent(const T& kept) {
  return std::shared_ptr<const T>(std::shared_ptr<void>(), &kept);
}

// Returns endpoints with these pools.
inline std::vector<Held<Endpoint>> endpoints_with(Parts parts, std::vector<std::unique_ptr<Pool>> pools) {
  std::vector<Held<Endpoint>> endpoints;
  for (auto& pool : pools) endpoints.push_back(Held<Endpoint>::make(parts, std::move(pool)));
  return endpoints;
}

}  // namespace hone::mesh::testing
