// A worker: one thread with a loop of its own, its connections, and its part of every cluster.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "event/epoll_loop.hpp"
#include "event/graveyard.hpp"
#include "net/shared_memory.hpp"
#include "net/socket.hpp"
#include "overload/pressure.hpp"
#include "serve/change.hpp"
#include "stream/session.hpp"

namespace hone::mesh {

// Worker is made by the main thread, and runs in its own. It serves nothing until its first change.
class Worker {
 public:
  // `number` is the worker's number among `workers`, from 0 on. The worker holds at most `sessions` sessions.
  // `text_ready` is called in the worker's thread when lines of its log or spans wait for the main thread.
  Worker(std::size_t number, std::size_t workers, std::size_t sessions, const Pressure& pressure, std::uint64_t seed,
         Delegate<void()> text_ready);
  ~Worker();

  // Runs until stop, or until the last connection ends after leave or drain.
  void run();

  // Any thread may call these. change queues a change; changes are made in their order. leave, once its listeners are
  // gone, ends the worker with its last connection. drain takes no more connections and ends it with its last one. stop
  // ends it now.
  void change(std::shared_ptr<const Change> change);
  void leave() { ask(Wish::kLeave); }
  void drain() { ask(Wish::kDrain); }
  void stop() { ask(Wish::kStop); }
  // Has the worker look whether connections have to go for want of memory.
  void look_at_room() { loop_.wake(); }

  const WorkerMetrics& metrics() const { return metrics_; }
  // The meter of CPU time, which any thread may turn on and off and read.
  CpuMeter& meter() { return loop_.meter(); }
  // The lines and the spans that wait for the main thread.
  TextRing& log_ring() { return log_.ring(); }
  TextRing& span_ring() { return spans_.ring(); }

 private:
  enum class Wish : int { kNone, kLeave, kDrain, kStop };
  class Acceptor;
  // Listening is a listener that takes connections.
  struct Listening {
    std::uint64_t id = 0;
    Held<Listener> listener;
    std::vector<std::unique_ptr<Acceptor>> acceptors;
  };
  // Retired is a listener that takes no more connections, with the time at which its last connections are closed.
  struct Retired {
    Held<Listener> listener;
    Moment end;
  };

  void ask(Wish wish);
  void on_wake();
  void make(const Change& change);
  void make(const ListenerChange& change, Duration drain_timeout);
  void retire(Listening& listening, Duration drain_timeout);
  void close_retired();
  std::uint64_t own_bytes() const;
  void shed_later() { loop_.at_turn_end(shed_); }
  void shed();
  void accepted(const Held<Listener>& listener, Accepted accepted);
  void on_ended(Session& session);

  const std::size_t number_;
  const std::size_t workers_;
  const std::size_t most_sessions_;
  Room room_;
  EpollLoop loop_;
  BufferPool buffers_;
  BlockPool blocks_;
  Random random_;
  WorkerMetrics metrics_;
  SharedMemory shared_memory_;
  LogWriter log_;
  SpanWriter spans_;
  Surroundings around_;
  std::vector<Listening> listening_;
  std::vector<Retired> retired_;
  Timer retired_timer_;
  Task shed_;
  std::vector<std::unique_ptr<Session>> sessions_;
  Graveyard<Session> graveyard_;
  // Guards changes_, which the main thread adds to: taken once for each configuration.
  std::mutex changes_lock_;
  std::vector<std::shared_ptr<const Change>> changes_;
  std::atomic<Wish> wish_{Wish::kNone};
  // True if no connection comes any more, and the end of the last one ends the worker.
  bool is_leaving_ = false;
  bool is_draining_ = false;
};

}  // namespace hone::mesh
