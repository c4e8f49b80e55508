// Counts of samples: given, sent, waiting, and dropped by their reasons.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hone::agent {

// The reason why a sample never reached the agent.
enum class Reason {
  series,    // the protocol cannot carry its series
  value,     // its value is not finite, or an empty member of a set
  too_long,  // it is longer than a packet may be, or the system takes no packets of this size
  busy,      // the agent did not keep up, and the queue was full
  away,      // nobody listened at the address, or it could not be reached, and the queue was full
  closed,    // it was given after the client was closed, or in a process that was forked off
};

inline constexpr std::size_t kReasons = 6;

// Returns the word of a reason in the tag `reason` of hone.client.dropped.
constexpr std::string_view word(Reason reason) {
  constexpr std::array<std::string_view, kReasons> kWords = {"series", "value", "too_long", "busy", "away", "closed"};
  return kWords[static_cast<std::size_t>(reason)];
}

// Counts of the samples that a service gave since the client was started. When nobody is giving any,
// given = sent + dropped() + waiting.
struct Counts {
  std::uint64_t given = 0;    // calls with a sample
  std::uint64_t sent = 0;     // in packets that the socket took
  std::uint64_t waiting = 0;  // in buffers and in the queue
  std::uint64_t packets = 0;  // packets that the socket took
  std::array<std::uint64_t, kReasons> by_reason{};

  std::uint64_t dropped_for(Reason reason) const { return by_reason[static_cast<std::size_t>(reason)]; }

  std::uint64_t dropped() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t dropped : by_reason) sum += dropped;
    return sum;
  }
};

namespace detail {

// The client's own metrics: samples given, and dropped by reason.
inline constexpr std::size_t kOwn = 1 + kReasons;
using OwnFigures = std::array<std::uint64_t, kOwn>;

inline OwnFigures own_figures(const Counts& counts) {
  OwnFigures own{};
  own[0] = counts.given;
  for (std::size_t reason = 0; reason < kReasons; ++reason) own[1 + reason] = counts.by_reason[reason];
  return own;
}

// Counts samples that were dropped.
class Drops {
 public:
  // Counts a sample that never got into a packet.
  void at_once(Reason reason) {
    at_once_.fetch_add(1, std::memory_order_relaxed);
    add(reason, 1);
  }

  // Counts the samples of a packet.
  void add(Reason reason, std::uint64_t samples) {
    by_reason_[static_cast<std::size_t>(reason)].fetch_add(samples, std::memory_order_relaxed);
  }

  void read(Counts& counts) const {
    counts.given += at_once_.load(std::memory_order_relaxed);
    for (std::size_t reason = 0; reason < kReasons; ++reason) {
      counts.by_reason[reason] = by_reason_[reason].load(std::memory_order_relaxed);
    }
  }

 private:
  std::array<std::atomic<std::uint64_t>, kReasons> by_reason_{};
  // The dropped samples that no shard has counted as given.
  std::atomic<std::uint64_t> at_once_{0};
};

}  // namespace detail
}  // namespace hone::agent
