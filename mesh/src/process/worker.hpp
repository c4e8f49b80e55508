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
  // `number` is among so many workers, from 0 on. Of `sessions` it holds at most so many. `text_ready` is called in the
  // worker's thread when lines of its log or spans wait for the main thread.
  Worker(std::size_t number, std::size_t workers, std::size_t sessions, const Pressure& pressure, std::uint64_t seed,
         Delegate<void()> text_ready);
  ~Worker();

  // Runs until drain or stop, with what is under way then.
  void run();

  // What any thread may ask for. Changes are made in their order; the worker ends with the last connection of those
  // whose listeners are gone; it takes no more connections and ends with its last one; it ends now.
  void change(std::shared_ptr<const Change> change);
  void leave() { ask(Wish::kLeave); }
  void drain() { ask(Wish::kDrain); }
  void stop() { ask(Wish::kStop); }
  // Looks whether connections have to go for want of memory.
  void look_at_room() { loop_.wake(); }

  const WorkerMetrics& metrics() const { return metrics_; }
  // Which any thread may ask to count, and for what it counted.
  CpuMeter& meter() { return loop_.meter(); }
  // Lines that wait for the main thread, and spans.
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
  // Retired is a listener that takes none any more, and when its last connections are closed.
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
  // The only lock between threads: once for each configuration.
  std::mutex changes_lock_;
  std::vector<std::shared_ptr<const Change>> changes_;
  std::atomic<Wish> wish_{Wish::kNone};
  // True where nothing comes any more, and the last connection ends the worker.
  bool is_leaving_ = false;
  bool is_draining_ = false;
};

}  // namespace hone::mesh
