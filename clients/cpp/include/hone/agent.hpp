// Sends a service's metrics to hone-agent: samples are gathered into packets, which go to the agent's socket without
// ever waiting for it. C++20, header-only, Linux; nothing is thrown.
//
//   hone::agent::Client client;
//   auto orders = client.counter("orders", {{"shop", "eu"}});
//   orders.add(1);
//
//   handle -> shard (one of a few, by thread) -> outbox (bounded queue) -> socket
//             encoded into its packet            when full, by a timer     or dropped and counted
//
// A series or value that the protocol cannot carry is dropped and counted; nothing is mended. All samples of a gauge go
// to the same shard, since otherwise an older value could arrive after a newer one. The twins in Rust and Go
// (clients/rust, clients/go) write the same bytes. The promises of the library are in docs/agent/clients.md.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>

#include "agent/counts.hpp"
#include "agent/series.hpp"
#include "agent/shared.hpp"

namespace hone::agent {

// Options of a client. The defaults suit an agent with its default configuration.
struct Options {
  // The agent's address, as its configuration writes it: unixgram:PATH or udp:ADDRESS:PORT (an address in figures).
  std::string address = "unixgram:/run/hone-agent/agent.sock";
  // The longest packet, 512 to 65,507 bytes; not more than the agent's `packet_bytes`.
  std::size_t packet_bytes = 8192;
  // The number of packets that may wait while the agent is busy or away, at least 1.
  std::size_t queue_packets = 64;
  // The longest time that a sample waits for its packet to be full.
  std::chrono::milliseconds flush_every{1000};
  // The number of packets that are filled at the same time, rounded up to a power of two, at most 64; 0 for one per
  // CPU.
  std::size_t shards = 0;
  // The longest time that closing waits for a busy agent.
  std::chrono::milliseconds close_within{1000};
};

template <class T>
concept Number = std::is_arithmetic_v<T>;

namespace detail {

// A series that is registered once: its samples cost the encoding of the value.
class Handle {
 public:
  Handle(std::shared_ptr<Shared> shared, char kind, std::string_view metric, Tags tags) : shared_(std::move(shared)) {
    auto series = std::make_shared<Series>();
    refused_ = series->set(kind, metric, tags);
    series_ = std::move(series);
  }

  // Returns the reason why the protocol cannot carry this series, or Refused::no. All samples of a refused series are
  // dropped as Reason::series: a wrong name stops no service.
  Refused refused() const { return refused_; }

 protected:
  void number(double value) const {
    if (refused_ != Refused::no) return shared_->refuse();
    shared_->number(*series_, value);
  }

  void text(std::string_view text) const {
    if (refused_ != Refused::no) return shared_->refuse();
    shared_->text(*series_, text);
  }

 private:
  std::shared_ptr<Shared> shared_;
  std::shared_ptr<const Series> series_;
  Refused refused_ = Refused::no;
};

}  // namespace detail

// Counter adds up; the sum since the start counts.
class Counter : public detail::Handle {
 public:
  using Handle::Handle;
  void add(Number auto count) const { number(static_cast<double>(count)); }
};

// Rate adds up; the sum per second counts.
class Rate : public detail::Handle {
 public:
  using Handle::Handle;
  void add(Number auto count) const { number(static_cast<double>(count)); }
};

// Gauge holds the last value, from whichever thread it came.
class Gauge : public detail::Handle {
 public:
  using Handle::Handle;
  // Sets the value from now on. The protocol has no changes of gauges.
  void set(Number auto value) const { number(static_cast<double>(value)); }
};

class Timing;

// Durations in milliseconds.
class Timer : public detail::Handle {
 public:
  using Handle::Handle;

  void record(std::chrono::nanoseconds duration) const {
    detail::NumberText number;
    text(number.milliseconds(duration));
  }

  void record_ms(Number auto milliseconds) const { number(static_cast<double>(milliseconds)); }

  // Measures from now until the returned Timing is destroyed.
  [[nodiscard]] Timing start() const;
};

// A duration that is being measured. Its timer must live as long.
class Timing {
 public:
  explicit Timing(const Timer& timer) : timer_(&timer) {}
  Timing(const Timing&) = delete;
  Timing& operator=(const Timing&) = delete;
  ~Timing() {
    if (timer_ != nullptr) timer_->record(std::chrono::steady_clock::now() - since_);
  }

  // Gives no sample after all.
  void discard() { timer_ = nullptr; }

 private:
  const Timer* timer_;
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

inline Timing Timer::start() const {
  return Timing(*this);
}

// Values in exponential buckets.
class Histogram : public detail::Handle {
 public:
  using Handle::Handle;
  void record(Number auto value) const { number(static_cast<double>(value)); }
};

// Values whose quantiles are known within 1 %.
class Distribution : public detail::Handle {
 public:
  using Handle::Handle;
  void record(Number auto value) const { number(static_cast<double>(value)); }
};

// The number of different members.
class Set : public detail::Handle {
 public:
  using Handle::Handle;
  // Adds a member: any text that is not empty.
  void insert(std::string_view member) const { text(member); }
};

// Sends samples to the agent, which need not be there. May be used by any thread, and so may its handles, which may
// outlive it. A process that was forked off makes a client of its own: in it the client of its parent drops all
// samples.
class Client {
 public:
  // Opens the socket and starts the thread that flushes. If that fails, error() has the reason, and all samples are
  // dropped.
  explicit Client(Options options = {}) : close_within_(options.close_within), flush_every_(options.flush_every) {
    if (options.packet_bytes < 512 || options.packet_bytes > 65507) {
      error_ = "packet_bytes is " + std::to_string(options.packet_bytes) + "; it may be 512 to 65507";
    } else if (options.queue_packets == 0) {
      error_ = "queue_packets is 0; it must be more";
    } else if (options.flush_every <= std::chrono::milliseconds(0)) {
      error_ = "flush_every is " + std::to_string(options.flush_every.count()) + " ms; it must be more than 0";
    }
    const std::size_t wanted = options.shards > 0 ? options.shards : std::thread::hardware_concurrency();
    const std::size_t shards = std::bit_ceil(std::clamp<std::size_t>(wanted, 1, 64));
    const std::size_t packet_bytes = std::clamp<std::size_t>(options.packet_bytes, 512, 65507);
    shared_ = std::make_shared<detail::Shared>(packet_bytes, options.queue_packets, shards);
    if (error_.empty()) error_ = shared_->outbox.socket.open(options.address);
    if (error_.empty()) start();
    if (!error_.empty()) {
      is_closed_ = true;
      shared_->close();
    }
  }

  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  ~Client() {
    close();
    if (!shared_->is_of_this_process()) {
      // The parent's flusher still waits on an object that would be destroyed here.
      [[maybe_unused]] const auto* kept = new std::shared_ptr<detail::Shared>(shared_);
    }
  }

  // Returns the reason why nothing is sent; empty if all is well.
  const std::string& error() const { return error_; }

  Counter counter(std::string_view metric, Tags tags = {}) const { return {shared_, 'c', metric, tags}; }
  Rate rate(std::string_view metric, Tags tags = {}) const { return {shared_, 'r', metric, tags}; }
  Gauge gauge(std::string_view metric, Tags tags = {}) const { return {shared_, 'g', metric, tags}; }
  Timer timer(std::string_view metric, Tags tags = {}) const { return {shared_, 't', metric, tags}; }
  Histogram histogram(std::string_view metric, Tags tags = {}) const { return {shared_, 'h', metric, tags}; }
  Distribution distribution(std::string_view metric, Tags tags = {}) const { return {shared_, 'd', metric, tags}; }
  Set set(std::string_view metric, Tags tags = {}) const { return {shared_, detail::kSet, metric, tags}; }

  // Gives one number of a series that has no handle, since its tags are only known now.
  void record(Kind kind, std::string_view metric, Number auto value, Tags tags = {}) const {
    shared_->ad_hoc(static_cast<char>(kind), metric, tags,
                    [&](const detail::Series& series) { shared_->number(series, static_cast<double>(value)); });
  }

  // Gives one duration of a timer that has no handle.
  void record_duration(std::string_view metric, std::chrono::nanoseconds duration, Tags tags = {}) const {
    detail::NumberText number;
    give(static_cast<char>(Kind::timer), metric, number.milliseconds(duration), tags);
  }

  // Gives one member of a set that has no handle.
  void insert(std::string_view metric, std::string_view member, Tags tags = {}) const {
    give(detail::kSet, metric, member, tags);
  }

  // Sends the gathered samples, as far as the agent takes them at once; the rest is sent as soon as the agent takes it.
  void flush() {
    if (is_closed_ || !shared_->is_of_this_process()) return;
    shared_->cut();
    shared_->outbox.send_all();
  }

  // Returns how many samples were given, sent and dropped until now, and how many wait.
  Counts counts() const { return shared_->counts(); }

  // Sends the gathered samples, waiting for a busy agent for up to Options::close_within, and ends. Samples that are
  // given later are dropped and counted.
  void close() {
    if (is_closed_.exchange(true) || !shared_->is_of_this_process()) return;
    detail::Outbox& outbox = shared_->outbox;
    {
      const std::scoped_lock lock(outbox.mutex);
      outbox.is_closing = true;
    }
    outbox.wake.notify_all();
    ::pthread_join(flusher_, nullptr);
    shared_->close();
    shared_->cut();
    const auto patience = std::chrono::steady_clock::now() + close_within_;
    outbox.send_all();
    while (is_held_up_by_a_busy_agent() && std::chrono::steady_clock::now() < patience) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      outbox.send_all();
    }
    outbox.give_up();
  }

 private:
  // The thread takes no signals: they are the service's.
  void start() {
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const auto run = [](void* client) -> void* {
      const auto* self = static_cast<const Client*>(client);
      self->shared_->flushes(self->flush_every_);
      return nullptr;
    };
    if (::pthread_create(&flusher_, nullptr, run, this) != 0) {
      error_ = "the system gives no thread to send metrics";
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  bool is_held_up_by_a_busy_agent() {
    const std::scoped_lock lock(shared_->outbox.mutex);
    return shared_->outbox.is_held_up_by_a_busy_agent();
  }

  void give(char kind, std::string_view metric, std::string_view text, Tags tags) const {
    shared_->ad_hoc(kind, metric, tags, [&](const detail::Series& series) { shared_->text(series, text); });
  }

  std::shared_ptr<detail::Shared> shared_;
  const std::chrono::milliseconds close_within_;
  const std::chrono::milliseconds flush_every_;
  std::string error_;
  pthread_t flusher_{};
  std::atomic<bool> is_closed_{false};
};

}  // namespace hone::agent
