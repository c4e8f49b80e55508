// Mocks of all interfaces. Those of the loop and of the transport do by default what a test needs most: time that only
// the test moves, and bytes that the test wrote down.
#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "cluster/balancer.hpp"
#include "cluster/pool.hpp"
#include "event/loop.hpp"
#include "http/exchange.hpp"
#include "net/transport.hpp"

namespace hone::mesh::testing {

using ::testing::_;
using ::testing::NiceMock;

class MockLoop : public Loop {
 public:
  MockLoop() {
    ON_CALL(*this, watch).WillByDefault([this](Watch& watch, Ready interest) {
      const auto found = find(watch);
      if (found == watched.end()) {
        watched.push_back({&watch, interest});
      } else {
        found->second = interest;
      }
    });
    ON_CALL(*this, forget).WillByDefault([this](Watch& watch) {
      if (const auto found = find(watch); found != watched.end()) watched.erase(found);
    });
    ON_CALL(*this, set).WillByDefault([this](Timer& timer, Moment deadline) { timers.set(timer, deadline); });
    ON_CALL(*this, at_turn_end).WillByDefault([this](Task& task) {
      if (std::find(tasks.begin(), tasks.end(), &task) == tasks.end()) tasks.push_back(&task);
    });
    ON_CALL(*this, now).WillByDefault([this] { return time; });
  }
  MOCK_METHOD(void, watch, (Watch&, Ready), (override));
  MOCK_METHOD(void, forget, (Watch&), (override));
  MOCK_METHOD(void, set, (Timer&, Moment), (override));
  MOCK_METHOD(void, at_turn_end, (Task&), (override));
  MOCK_METHOD(Moment, now, (), (const, override));

  // Tells everything that is watched that it is ready for what it waits for, and ends the turn.
  void turn() {
    const auto all = watched;
    for (const auto& [watch, interest] : all) {
      if (find(*watch) != watched.end() && (interest.readable || interest.writable)) watch->handle(interest);
    }
    end_turn();
  }
  void end_turn() {
    while (!tasks.empty()) {
      Task* const first = tasks.front();
      tasks.pop_front();
      first->run();
    }
  }
  void pass(Duration duration) {
    time += duration;
    timers.advance(time);
    end_turn();
  }

  Moment time{std::chrono::seconds(1000)};
  TimerWheel timers{time};
  std::deque<Task*> tasks;
  std::vector<std::pair<Watch*, Ready>> watched;

 private:
  std::vector<std::pair<Watch*, Ready>>::iterator find(const Watch& watch) {
    return std::find_if(watched.begin(), watched.end(), [&](auto& one) { return one.first == &watch; });
  }
};

// Wire is what a transport's other side sees and says.
struct Wire {
  // Each is what one read gets.
  std::deque<std::string> incoming;
  bool is_ended = false;
  std::string written;
  std::size_t writes = 0;
  // How much a write takes at most.
  std::size_t room = static_cast<std::size_t>(-1);
  bool is_shut = false;
  bool is_gone = false;
};

class MockTransport : public Transport {
 public:
  explicit MockTransport(Wire& wire) : wire_(wire) {
    ON_CALL(*this, read).WillByDefault([this](std::span<char> into) -> Transfer {
      if (wire_.incoming.empty()) return wire_.is_ended ? Transfer{} : Transfer{0, EAGAIN};
      std::string& first = wire_.incoming.front();
      const std::size_t size = std::min(into.size(), first.size());
      std::copy_n(first.begin(), size, into.begin());
      first.erase(0, size);
      if (first.empty()) wire_.incoming.pop_front();
      return {size, 0};
    });
    ON_CALL(*this, write).WillByDefault([this](std::span<const iovec> from) -> Transfer {
      ++wire_.writes;
      std::size_t taken = 0;
      for (const iovec& piece : from) {
        const std::size_t size = std::min(piece.iov_len, wire_.room);
        wire_.written.append(static_cast<const char*>(piece.iov_base), size);
        wire_.room -= wire_.room == static_cast<std::size_t>(-1) ? 0 : size;
        taken += size;
      }
      return taken == 0 ? Transfer{0, EAGAIN} : Transfer{taken, 0};
    });
    ON_CALL(*this, shut_writes).WillByDefault([this] { wire_.is_shut = true; });
    ON_CALL(*this, descriptor).WillByDefault(::testing::Return(-1));
  }
  ~MockTransport() override { wire_.is_gone = true; }
  MOCK_METHOD(Transfer, read, (std::span<char>), (override));
  MOCK_METHOD(Transfer, write, (std::span<const iovec>), (override));
  MOCK_METHOD(void, shut_writes, (), (override));
  MOCK_METHOD(int, descriptor, (), (const, override));

 private:
  Wire& wire_;
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
  MOCK_METHOD(std::optional<std::size_t>, pick, (std::span<const Load>, Random&), (override));
};

class MockPool : public Pool {
 public:
  MOCK_METHOD(void, acquire, (Waiter&), (override));
  MOCK_METHOD(void, drain, (), (override));
};

}  // namespace hone::mesh::testing
