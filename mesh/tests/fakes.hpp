// A loop whose time only the test moves, and a transport whose bytes the test has written down.
#pragma once

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "event/loop.hpp"
#include "net/transport.hpp"

namespace hone::mesh::testing {

class FakeLoop final : public Loop {
 public:
  void watch(Watch& watch, Ready interest) override {
    watch.note(true, interest);
    const auto found = find(watch);
    if (found == watched_.end()) {
      watched_.push_back({&watch, interest});
    } else {
      found->second = interest;
    }
  }
  void forget(Watch& watch) override {
    watch.note(false, {});
    if (const auto found = find(watch); found != watched_.end()) watched_.erase(found);
  }
  void set(Timer& timer, Moment deadline) override { timers_.set(timer, deadline); }
  void at_turn_end(Task& task) override { tasks_.push(task); }
  Moment now() const override { return time_; }

  // Calls each watch with the events that it waits for, and ends the turn.
  void turn() {
    const auto all = watched_;
    for (const auto& [watch, interest] : all) {
      if (find(*watch) != watched_.end() && (interest.readable || interest.writable)) watch->handle(interest);
    }
    end_turn();
  }
  void end_turn() { tasks_.run_all(); }
  void pass(Duration duration) {
    time_ += duration;
    timers_.advance(time_);
    end_turn();
  }

 private:
  std::vector<std::pair<Watch*, Ready>>::iterator find(const Watch& watch) {
    return std::find_if(watched_.begin(), watched_.end(), [&](auto& one) { return one.first == &watch; });
  }

  Moment time_{std::chrono::seconds(1000)};
  TimerWheel timers_{time_};
  TaskQueue tasks_;
  std::vector<std::pair<Watch*, Ready>> watched_;
};

// Wire is the other side of a transport: the bytes that come from it and those that it gets.
struct Wire {
  // Each text is the result of one read.
  std::deque<std::string> incoming;
  bool is_ended = false;
  std::string written;
  std::size_t writes = 0;
  // The number of bytes that can be written until the test makes more room.
  std::size_t room = static_cast<std::size_t>(-1);
  bool is_shut = false;
};

class FakeTransport final : public Transport {
 public:
  explicit FakeTransport(Wire& wire) : wire_(wire) {}

  Transfer read(std::span<char> into) override {
    if (wire_.incoming.empty()) return wire_.is_ended ? Transfer{} : Transfer{0, EAGAIN};
    std::string& first = wire_.incoming.front();
    const std::size_t size = std::min(into.size(), first.size());
    std::copy_n(first.begin(), size, into.begin());
    first.erase(0, size);
    if (first.empty()) wire_.incoming.pop_front();
    return {size, 0};
  }
  Transfer write(std::span<const iovec> from) override {
    ++wire_.writes;
    std::size_t taken = 0;
    for (const iovec& piece : from) {
      const std::size_t size = std::min(piece.iov_len, wire_.room);
      wire_.written.append(static_cast<const char*>(piece.iov_base), size);
      wire_.room -= wire_.room == static_cast<std::size_t>(-1) ? 0 : size;
      taken += size;
    }
    return taken == 0 ? Transfer{0, EAGAIN} : Transfer{taken, 0};
  }
  void shut_writes() override { wire_.is_shut = true; }
  int descriptor() const override { return -1; }

 private:
  Wire& wire_;
};

}  // namespace hone::mesh::testing
