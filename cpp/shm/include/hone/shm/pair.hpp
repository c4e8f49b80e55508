// Pair wakes all connections between two processes, by a page of notices, and by one socket, the bell.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "descriptor.hpp"
#include "layout.hpp"
#include "page.hpp"

namespace hone::shm {

// News is new events of a connection.
struct News {
  // The number that the program has given the connection. A connection that has ended meanwhile may still have news.
  std::uint64_t key = 0;
  // True if there may be bytes to read, or an end; and if there may be room to write, or nobody who reads.
  bool may_read = false;
  bool may_write = false;
};

namespace detail {

class Pair {
 public:
  // Makes a pair with a client's process, or with the server that listens at a path.
  Pair(Page page, Descriptor bell, pid_t client) : Pair(std::move(page), std::move(bell), client, {}) {}
  Pair(Page page, Descriptor bell, std::string_view server) : Pair(std::move(page), std::move(bell), 0, server) {}
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;
  ~Pair() {
    if (page_.is_own()) page_.empty();
  }

  int bell() const { return bell_.get(); }
  std::uint64_t token() const { return page_.token(); }

  // True if a client that knows the token may join: nobody else may wake the connections of the pair.
  bool is_of_client(std::uint64_t token, pid_t client) const {
    return page_.is_own() && page_.token() == token && client_ == client;
  }
  bool is_with_server(std::string_view path) const { return !page_.is_own() && server_ == path; }

  bool has_ended() const { return has_ended_.load(); }
  bool has_news() const { return !page_.has_none(); }

  // Gives a connection the first free seat. Returns none where all are taken, or the pair has ended.
  std::optional<std::size_t> sit(std::uint64_t key) {
    const std::lock_guard lock(mutex_);
    const auto free = std::find(seats_.begin(), seats_.end(), std::nullopt);
    const auto number = static_cast<std::size_t>(free - seats_.begin());
    return take_seat(number, key) ? std::optional(number) : std::nullopt;
  }

  // Gives a connection this seat. Returns false where the seat is not free.
  bool sit_at(std::size_t number, std::uint64_t key) {
    const std::lock_guard lock(mutex_);
    return take_seat(number, key);
  }

  void leave(std::size_t number) {
    const std::lock_guard lock(mutex_);
    seats_[number].reset();
  }

  // Tells the other process that a connection has something new.
  void post(std::size_t number, std::size_t notice) const {
    if (page_.post(number, notice)) wake(bell());
  }

  // Takes the wake-ups of a connection's socket, which tells only that it has ended. Returns 0, EAGAIN or EPIPE.
  int wakes(std::size_t number, int socket) {
    if (has_ended()) return EPIPE;
    const std::lock_guard lock(mutex_);
    return seats_[number] && seats_[number]->may_have_ended ? take_wakes(socket) : EAGAIN;
  }

  // Takes the notices that are there.
  void take(std::vector<News>& into) {
    const std::lock_guard lock(mutex_);
    page_.take([&](std::size_t seat, Taken taken) {
      // A notice for a seat without a connection means nothing.
      if (!seats_[seat]) return;
      seats_[seat]->may_have_ended |= has(taken, kEnd);
      tell(*seats_[seat], taken, into);
    });
  }

  // Tells the other process that this one is about to sleep, and takes the notices that have come meanwhile. Returns
  // false where the other process has ended: then all connections are told, once. The bell shows this. It is read where
  // it has rung: its descriptor was readable, or the other process has read that this one sleeps.
  bool take_before_sleep(std::vector<News>& into, bool has_rung) {
    int taken = 0;
    // The wake-ups that are left in the bell after the last round keep this side from sleeping.
    for (int round = 0; round < kMostRounds && taken == 0; ++round) {
      const bool may_have_rung = page_.announce() || has_rung;
      take(into);
      if (!into.empty()) return true;
      // The bell may have rung for notices that were posted after the look at them.
      taken = may_have_rung ? take_wakes(bell()) : EAGAIN;
    }
    if (taken != EPIPE) return true;
    const std::lock_guard lock(mutex_);
    has_ended_.store(true);
    for (const auto& seat : seats_) {
      if (seat) tell(*seat, 1 << kEnd, into);
    }
    return false;
  }

 private:
  struct Sitting {
    std::uint64_t key;
    bool may_have_ended;

    bool operator==(const Sitting&) const = default;
  };

  Pair(Page page, Descriptor bell, pid_t client, std::string_view server)
      : page_(std::move(page)), bell_(std::move(bell)), client_(client), server_(server) {}

  // Called with the lock held. Where the pair has ended, nobody would tell the connection.
  bool take_seat(std::size_t number, std::uint64_t key) {
    if (number >= kSeats || seats_[number] || has_ended()) return false;
    seats_[number] = Sitting{key, false};
    return true;
  }

  static void tell(const Sitting& seat, Taken taken, std::vector<News>& into) {
    const News news{seat.key, has(taken, kNewBytes) || has(taken, kEnd), has(taken, kNewRoom) || has(taken, kEnd)};
    if (news.may_read || news.may_write) into.push_back(news);
  }

  const Page page_;
  const Descriptor bell_;
  const pid_t client_;
  const std::string server_;
  std::atomic<bool> has_ended_ = false;
  std::mutex mutex_;
  std::array<std::optional<Sitting>, kSeats> seats_;
};

// Seat is the seat of one connection, free again at the end of the connection. A pair ends with its last seat.
class Seat {
 public:
  Seat() = default;
  Seat(std::shared_ptr<Pair> pair, std::size_t number) : pair_(std::move(pair)), number_(number) {}
  Seat(Seat&& other) noexcept : pair_(std::move(other.pair_)), number_(other.number_) {}
  Seat& operator=(Seat&& other) noexcept {
    std::swap(pair_, other.pair_);
    std::swap(number_, other.number_);
    return *this;
  }
  ~Seat() {
    if (pair_) pair_->leave(number_);
  }

  explicit operator bool() const { return pair_ != nullptr; }
  std::size_t number() const { return number_; }
  void post(std::size_t notice) const { pair_->post(number_, notice); }
  int wakes(int socket) const { return pair_->wakes(number_, socket); }

 private:
  std::shared_ptr<Pair> pair_;
  std::size_t number_ = 0;
};

}  // namespace detail
}  // namespace hone::shm
