// A worker: one thread with a loop of its own, its connections, and its part of every cluster.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "config/snapshot.hpp"
#include "event/epoll_loop.hpp"
#include "event/graveyard.hpp"
#include "net/socket.hpp"
#include "stream/session.hpp"

namespace hone::mesh {

// Listening is a socket of a listener. Those of Unix listeners belong to all workers, and are closed by the last one.
struct Listening {
  std::size_t listener = 0;
  std::shared_ptr<const Descriptor> socket;
};

// Worker is made by the main thread, and runs in its own.
class Worker {
 public:
  // `text_ready` is called in the worker's thread when lines of its log or spans wait for the main thread.
  Worker(std::shared_ptr<const Snapshot> snapshot, std::vector<Listening> listening, std::uint64_t seed,
         Delegate<void()> text_ready);
  ~Worker();

  // Runs until drain or stop, with what is under way then.
  void run();

  // Asks the worker to take no more connections, and to end with its last one. Called by any thread.
  void drain() { ask(Wish::kDrain); }
  // Asks the worker to end now. Called by any thread.
  void stop() { ask(Wish::kStop); }

  const WorkerMetrics& metrics() const { return metrics_; }
  // Which any thread may ask to count, and for what it counted.
  CpuMeter& meter() { return loop_.meter(); }
  // A cluster by its place in the snapshot, whose counts any thread may read.
  const Cluster& cluster(std::size_t place) const { return *clusters_[place]; }
  // Lines that wait for the main thread; nullptr where there is no log.
  TextRing* log_ring() { return log_ ? &log_->ring() : nullptr; }
  // The same of spans.
  TextRing* span_ring() { return spans_ ? &spans_->ring() : nullptr; }

 private:
  enum class Wish : int { kNone, kDrain, kStop };
  class Acceptor;

  void ask(Wish wish);
  void on_wake();
  void accepted(std::size_t listener, Accepted accepted);
  void on_ended(Session& session);
  void stop_accepting();

  const std::shared_ptr<const Snapshot> snapshot_;
  EpollLoop loop_;
  BufferPool buffers_;
  BlockPool blocks_;
  Random random_;
  WorkerMetrics metrics_;
  std::optional<LogWriter> log_;
  std::optional<SpanWriter> spans_;
  std::vector<std::unique_ptr<Cluster>> clusters_;
  Surroundings around_;
  std::vector<std::unique_ptr<Acceptor>> acceptors_;
  std::vector<std::unique_ptr<Session>> sessions_;
  Graveyard<Session> graveyard_;
  std::atomic<Wish> wish_{Wish::kNone};
  bool is_draining_ = false;
};

}  // namespace hone::mesh
