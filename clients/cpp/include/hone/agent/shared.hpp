// The state that handles, the client and its flusher share: shards that are filled, and the outbox they are emptied
// into.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "counts.hpp"
#include "number.hpp"
#include "outbox.hpp"
#include "series.hpp"

namespace hone::agent::detail {

// The number of forks between the first process that uses this library and this one. A child has the buffers of its
// parent but not its flusher, and locks that were held by other threads stay so: a client in a child touches neither.
inline std::atomic<unsigned>& forks() {
  static std::atomic<unsigned> count{0};
  [[maybe_unused]] static const int registered =
      ::pthread_atfork(nullptr, nullptr, [] { forks().fetch_add(1, std::memory_order_relaxed); });
  return count;
}

// Returns the number of this thread. Threads are numbered as they first give a sample.
inline std::size_t number_of_this_thread() {
  static std::atomic<std::size_t> next{1};
  static constinit thread_local std::size_t number = 0;
  if (number == 0) number = next.fetch_add(1, std::memory_order_relaxed);
  return number;
}

class Shared {
 public:
  // `shards` is a power of two.
  Shared(std::size_t packet_bytes, std::size_t queue_packets, std::size_t shards)
      : outbox(packet_bytes, queue_packets),
        packet_bytes_(packet_bytes),
        forks_now_(forks()),
        forks_(forks_now_.load()) {
    shards_.reserve(shards);
    for (std::size_t shard = 0; shard < shards; ++shard) {
      shards_.push_back(std::make_unique<Shard>(packet_bytes));
    }
    own_[0].set(static_cast<char>(Kind::counter), "hone.client.samples", {});
    for (std::size_t reason = 0; reason < kReasons; ++reason) {
      own_[1 + reason].set(static_cast<char>(Kind::counter), "hone.client.dropped",
                           {{"reason", word(static_cast<Reason>(reason))}});
    }
  }

  // Takes a number of a series.
  void number(const Series& series, double value) {
    NumberText text;
    this->text(series, text.number(value));
  }

  // Takes a value of a series, as text; an empty text is no value.
  void text(const Series& series, std::string_view text) {
    if (text.empty()) return outbox.drops.at_once(Reason::value);
    const TextHead head(text.size());
    const Point point(series.before_value(), head, text, series.behind_value());
    if (point.size > packet_bytes_ - kHeadBytes) return outbox.drops.at_once(Reason::too_long);
    if (!is_of_this_process()) return outbox.drops.at_once(Reason::closed);
    const std::size_t number = series.keeps_order() ? series.hash() : number_of_this_thread();
    Shard& shard = *shards_[number & (shards_.size() - 1)];
    {
      const std::scoped_lock lock(shard.mutex);
      if (!shard.is_closed) {
        write(shard, point);
        ++shard.given;
        ++shard.packet->samples;
        return;
      }
    }
    outbox.drops.at_once(Reason::closed);
  }

  // Drops a sample of a series that the protocol cannot carry.
  void refuse() { outbox.drops.at_once(Reason::series); }

  // Takes a sample of a series that nobody registered.
  template <class Give>
  void ad_hoc(char kind, std::string_view metric, Tags tags, Give give) {
    Series& series = scratch();
    if (series.set(kind, metric, tags) != Refused::no) return refuse();
    give(series);
  }

  // Hands the packets of the shards to the outbox, with the client's own metrics.
  void cut() {
    tell();
    for (const auto& shard : shards_) {
      const std::scoped_lock lock(shard->mutex);
      if (!shard->packet->is_empty()) outbox.take(shard->packet);
    }
  }

  // From now on samples are dropped.
  void close() {
    for (const auto& shard : shards_) {
      const std::scoped_lock lock(shard->mutex);
      shard->is_closed = true;
    }
  }

  Counts counts() {
    Counts counts;
    if (!is_of_this_process()) {
      outbox.drops.read(counts);
      return counts;
    }
    for (const auto& shard : shards_) {
      const std::scoped_lock lock(shard->mutex);
      counts.given += shard->given;
      counts.waiting += shard->packet->samples;
    }
    outbox.read(counts);
    return counts;
  }

  bool is_of_this_process() const { return forks_ == forks_now_.load(std::memory_order_relaxed); }

  // Runs the flusher: sends by the clock, and again where the agent was busy or away, until the client is closed.
  void flushes(std::chrono::steady_clock::duration every) {
    using Clock = std::chrono::steady_clock;
    Clock::time_point next = Clock::now() + every;
    Clock::duration pause = kPauseFirst;
    for (;;) {
      bool is_held_up = false;
      {
        std::unique_lock lock(outbox.mutex);
        if (outbox.is_closing) return;
        is_held_up = outbox.is_held_up();
        const Clock::time_point until = is_held_up ? std::min(next, Clock::now() + pause) : next;
        const bool is_woken = outbox.wake.wait_until(lock, until) == std::cv_status::no_timeout;
        if (outbox.is_closing) return;
        // The flusher was woken since packets wait from now on: it pauses first.
        if (is_woken && !is_held_up) continue;
      }
      if (is_held_up) {
        outbox.send_all();
        const std::scoped_lock lock(outbox.mutex);
        is_held_up = outbox.is_held_up();
      }
      pause = is_held_up ? std::min(2 * pause, kPauseLongest) : kPauseFirst;
      if (Clock::now() < next) continue;
      next = Clock::now() + every;
      // While packets are held up, those that are being filled have room; small packets would only fill the queue.
      if (is_held_up) continue;
      cut();
      outbox.send_all();
    }
  }

  Outbox outbox;

 private:
  // The first pause before packets are offered again, and the longest; each is double the one before.
  static constexpr std::chrono::steady_clock::duration kPauseFirst = std::chrono::milliseconds(1);
  static constexpr std::chrono::steady_clock::duration kPauseLongest = std::chrono::milliseconds(64);

  // A shard has cache lines of its own.
  struct alignas(128) Shard {
    std::mutex mutex;
    std::unique_ptr<Packet> packet;
    std::uint64_t given = 0;
    bool is_closed = false;

    explicit Shard(std::size_t packet_bytes) : packet(std::make_unique<Packet>(packet_bytes)) {}
  };

  // Returns the series of this thread for samples that nobody registered.
  static Series& scratch() {
    thread_local Series series;
    return series;
  }

  // Adds a point to a shard that is locked.
  void write(Shard& shard, const Point& point) {
    if (shard.packet->size() + point.size > packet_bytes_) outbox.take(shard.packet);
    shard.packet->add(point);
  }

  // Writes the growth of the client's own metrics.
  void tell() {
    const std::scoped_lock telling(own_mutex_);
    const OwnFigures totals = own_figures(counts());
    for (std::size_t metric = 0; metric < kOwn; ++metric) {
      const std::uint64_t told = outbox.told[metric].load(std::memory_order_relaxed);
      if (totals[metric] <= told) continue;
      const std::uint64_t grown = totals[metric] - told;
      outbox.told[metric].fetch_add(grown, std::memory_order_relaxed);
      NumberText number;
      const std::string_view text = number.decimal(false, grown, 0);
      const TextHead head(text.size());
      const std::scoped_lock lock(shards_[0]->mutex);
      write(*shards_[0], Point(own_[metric].before_value(), head, text, own_[metric].behind_value()));
      shards_[0]->packet->own[metric] += grown;
    }
  }

  const std::size_t packet_bytes_;
  const std::atomic<unsigned>& forks_now_;
  const unsigned forks_;
  std::vector<std::unique_ptr<Shard>> shards_;
  std::mutex own_mutex_;
  std::array<Series, kOwn> own_;
};

}  // namespace hone::agent::detail
