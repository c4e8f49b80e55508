// Full packets on their way to the socket: in order, bounded, and never waited for.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "counts.hpp"
#include "series.hpp"
#include "socket.hpp"

namespace hone::agent::detail {

// The head of an array of up to 65,535 points: 0xdc and their number.
inline constexpr std::size_t kHeadBytes = 3;

// A point as it stands in a packet: the part before the value, the head of the value, the value, and the part after it.
struct Point {
  std::array<std::string_view, 4> parts;
  std::size_t size;

  Point(std::string_view before, const TextHead& head, std::string_view text, std::string_view behind)
      : parts{before, head.bytes(), text, behind},
        size(before.size() + head.bytes().size() + text.size() + behind.size()) {}
};

// A packet in the making: an array of points, whose head is completed when their number is known.
class Packet {
 public:
  std::uint64_t samples = 0;  // points of the service; the others are the client's own
  OwnFigures own{};           // the numbers in the client's own points

  explicit Packet(std::size_t bytes_max) : bytes_(bytes_max, '\0') { bytes_[0] = '\xdc'; }

  std::size_t size() const { return size_; }
  bool is_empty() const { return points_ == 0; }

  // Adds a point, which fits.
  void add(const Point& point) {
    char* at = bytes_.data() + size_;
    for (const std::string_view part : point.parts) {
      std::memcpy(at, part.data(), part.size());
      at += part.size();
    }
    size_ += point.size;
    ++points_;
  }

  std::string_view finished() {
    bytes_[1] = static_cast<char>(points_ >> 8);
    bytes_[2] = static_cast<char>(points_ & 0xff);
    return {bytes_.data(), size_};
  }

  void clear() {
    size_ = kHeadBytes;
    points_ = 0;
    samples = 0;
    own = {};
  }

 private:
  std::string bytes_;
  std::size_t size_ = kHeadBytes;
  std::size_t points_ = 0;
};

class Outbox {
 public:
  Outbox(std::size_t packet_bytes, std::size_t queue_packets)
      : packet_bytes_(packet_bytes), queue_packets_(queue_packets) {}

  // Takes a packet and leaves an empty one in its place.
  void take(std::unique_ptr<Packet>& packet) {
    const std::scoped_lock lock(mutex);
    if (free_.empty()) free_.push_back(std::make_unique<Packet>(packet_bytes_));
    waiting_.push_back(std::exchange(packet, std::move(free_.back())));
    free_.pop_back();
    const bool was_held_up = is_held_up();
    send(kAtOnce);
    while (waiting_.size() > queue_packets_) drop_first(reason());
    if (is_held_up() && !was_held_up) wake.notify_one();
  }

  // Sends the packets that the socket takes. The lock is not held from one packet to the next.
  void send_all() {
    for (std::size_t sent = 0; sent <= queue_packets_; ++sent) {
      const std::scoped_lock lock(mutex);
      send(1);
      if (waiting_.empty() || is_held_up()) return;
    }
  }

  // Drops all packets that wait: the end has come.
  void give_up() {
    const std::scoped_lock lock(mutex);
    while (!waiting_.empty()) drop_first(reason());
  }

  // True if packets wait for the agent, or for a busy agent. Both are called with the lock held.
  bool is_held_up() const { return is_refused_ && !waiting_.empty(); }
  bool is_held_up_by_a_busy_agent() const { return is_held_up() && refusal_ == Reason::busy; }

  void read(Counts& counts) {
    const std::scoped_lock lock(mutex);
    counts.sent = sent_;
    counts.packets = packets_;
    for (const auto& packet : waiting_) counts.waiting += packet->samples;
    drops.read(counts);
  }

  Socket socket;
  Drops drops;
  // The numbers that the client's own metrics have told the agent.
  std::array<std::atomic<std::uint64_t>, kOwn> told{};
  std::mutex mutex;
  // The flusher waits here.
  std::condition_variable wake;
  bool is_closing = false;

 private:
  // The most packets that a caller sends when it has filled one: that one, and one that waited.
  static constexpr std::size_t kAtOnce = 2;

  Reason reason() const { return is_refused_ ? refusal_ : Reason::busy; }

  void refuse(Reason reason) {
    is_refused_ = true;
    refusal_ = reason;
  }

  // Sends the packets that the socket takes, `packets_max` at most.
  void send(std::size_t packets_max) {
    for (; packets_max > 0 && !waiting_.empty(); --packets_max) {
      switch (socket.send(waiting_.front()->finished())) {
        case Outcome::taken:
          is_refused_ = false;
          sent_ += waiting_.front()->samples;
          ++packets_;
          recycle_first();
          break;
        case Outcome::too_long:
          drop_first(Reason::too_long);
          break;
        case Outcome::busy:
          return refuse(Reason::busy);
        case Outcome::away:
          return refuse(Reason::away);
      }
    }
  }

  void drop_first(Reason reason) {
    const Packet& first = *waiting_.front();
    drops.add(reason, first.samples);
    // The numbers in the client's own points are told again.
    for (std::size_t metric = 0; metric < kOwn; ++metric) {
      told[metric].fetch_sub(first.own[metric], std::memory_order_relaxed);
    }
    recycle_first();
  }

  void recycle_first() {
    waiting_.front()->clear();
    free_.push_back(std::move(waiting_.front()));
    waiting_.erase(waiting_.begin());
  }

  const std::size_t packet_bytes_;
  const std::size_t queue_packets_;
  std::vector<std::unique_ptr<Packet>> waiting_;
  std::vector<std::unique_ptr<Packet>> free_;
  std::uint64_t sent_ = 0;
  std::uint64_t packets_ = 0;
  // True if the socket did not take the first packet that waits, and the reason.
  bool is_refused_ = false;
  Reason refusal_ = Reason::busy;
};

}  // namespace hone::agent::detail
