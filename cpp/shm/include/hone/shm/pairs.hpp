// Connections that are woken together: those of one event loop with each other process.
#pragma once

#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "descriptor.hpp"
#include "hello.hpp"
#include "page.hpp"
#include "pair.hpp"

namespace hone::shm {
namespace detail {

// Known are pairs that connections can join.
class Known {
 public:
  // The descriptor that is readable once a bell rings. A bell leaves it when the bell is closed.
  int events() const { return events_.get(); }

  void take(std::vector<News>& into, bool has_rung) {
    into.clear();
    const std::lock_guard lock(mutex_);
    for (const std::weak_ptr<Pair>& one : pairs_) {
      if (const std::shared_ptr<Pair> pair = one.lock()) pair->take(into);
    }
    if (!into.empty()) return;
    std::erase_if(pairs_, [&](const std::weak_ptr<Pair>& one) {
      const std::shared_ptr<Pair> pair = one.lock();
      if (pair && pair->take_before_sleep(into, has_rung)) return false;
      // Its bell would keep the loop from sleeping.
      if (pair) ::epoll_ctl(events(), EPOLL_CTL_DEL, pair->bell(), nullptr);
      return true;
    });
  }

  bool has_news() {
    return find([](const Pair& pair) { return pair.has_news(); }) != nullptr;
  }

  std::shared_ptr<Pair> with_server(std::string_view path) {
    return find([&](const Pair& pair) { return pair.is_with_server(path); });
  }

  // Gives a client's connection a seat in the pair that the client names, or in a new one, whose files the client gets.
  // Returns none where the system has no memory or descriptors.
  Seat seat(int socket, std::uint64_t token, std::uint64_t key, Files& files) {
    const pid_t client = peer_of(socket).pid;
    const auto named = find([&](const Pair& pair) { return pair.is_of_client(token, client); });
    if (Seat seat = sit(named, key)) return seat;
    Descriptor file, ours, theirs;
    const std::optional<std::uint64_t> new_token = random_token();
    std::optional<Page> page = new_token ? Page::create(*new_token, file) : std::nullopt;
    if (!page || !socket_pair(ours, theirs)) return {};
    const auto pair = add(std::make_shared<Pair>(std::move(*page), std::move(ours), client));
    if (!pair) return {};
    files.take(std::move(file));
    files.take(std::move(theirs));
    return sit(pair, key);
  }

  // Keeps a pair for as long as it has connections. Returns nullptr where the system can watch no more bells.
  std::shared_ptr<Pair> add(std::shared_ptr<Pair> pair) {
    epoll_event event{};
    event.events = EPOLLIN;
    if (::epoll_ctl(events(), EPOLL_CTL_ADD, pair->bell(), &event) != 0) return nullptr;
    const std::lock_guard lock(mutex_);
    std::erase_if(pairs_, [](const std::weak_ptr<Pair>& one) { return one.expired(); });
    pairs_.push_back(pair);
    return pair;
  }

 private:
  static Seat sit(const std::shared_ptr<Pair>& pair, std::uint64_t key) {
    const std::optional<std::size_t> number = pair ? pair->sit(key) : std::nullopt;
    return number ? Seat(pair, *number) : Seat();
  }

  template <class IsIt>
  std::shared_ptr<Pair> find(IsIt is_it) {
    const std::lock_guard lock(mutex_);
    for (const std::weak_ptr<Pair>& one : pairs_) {
      if (std::shared_ptr<Pair> pair = one.lock(); pair && !pair->has_ended() && is_it(*pair)) return pair;
    }
    return nullptr;
  }

  // Returns a number that nobody guesses. The smallest numbers mean something else.
  static std::optional<std::uint64_t> random_token() {
    std::uint64_t number = 0;
    const Transfer got = transferred([&] { return ::getrandom(&number, sizeof number, 0); });
    if (got.bytes != sizeof number) return std::nullopt;
    return number | std::uint64_t{1} << 63;
  }

  const Descriptor events_{::epoll_create1(EPOLL_CLOEXEC)};
  std::mutex mutex_;
  std::vector<std::weak_ptr<Pair>> pairs_;
};

}  // namespace detail

// Pairs of one event loop with other processes. All its connections with the same process are woken by one notice each
// in memory, and one wake-up for all of them where the loop sleeps.
//
// A loop does not wait for such connections one by one. It calls `take` for the connections that have something new,
// and only if there are none it waits for `descriptor`, beside its other files. News come once, and only of a
// connection whose last read, or write, would have blocked: read, or write, until it would block.
//
// A connection begins over its own socket, and has news from the time on that it is paired (Connection::is_paired). A
// connection whose other side knows no pairs is woken by itself, as any other.
class Pairs {
 public:
  // True if the system had a descriptor for the pairs. Where it had none, connections are made without pairs.
  bool is_open() const { return known_->events() >= 0; }

  // Puts the news of connections in the place of the earlier news. Where there are none, the other processes are told
  // that this loop is about to sleep: then it may wait for `descriptor`. A loop that knows that `descriptor` is not
  // readable passes false, and saves a system call for each process.
  void take(std::vector<News>& into, bool is_readable = true) const { known_->take(into, is_readable); }

  // True if a connection has something new, for loops that look for some time before they sleep.
  bool has_news() const { return known_->has_news(); }

  // The descriptor on which to wait for news; the event is POLLIN.
  int descriptor() const { return known_->events(); }

  const std::shared_ptr<detail::Known>& known() const { return known_; }

 private:
  std::shared_ptr<detail::Known> known_ = std::make_shared<detail::Known>();
};

namespace detail {

// Pairing holds the pairs that a connection may join, and the key of its news then.
struct Pairing {
  std::shared_ptr<Known> pairs;
  std::uint64_t key = 0;
};

}  // namespace detail
}  // namespace hone::shm
