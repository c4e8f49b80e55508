// Connections through memory that both processes have mapped (cpp/shm), beside the others of a worker's loop.
//
// Such connections begin over a Unix socket, and stay on it where the other side does not know shared memory or gives
// none. Connections that have a pair with a process (hone::shm::Pairs) wake the worker together, by a notice in memory,
// or by one socket where it sleeps: so the loop looks for notices before it waits. Connections with a process that
// knows no pairs have two sockets each, for bytes and for room.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "event/epoll_loop.hpp"
#include "hone/shm.hpp"
#include "net/address.hpp"
#include "net/transport.hpp"
#include "observe/metrics.hpp"

namespace hone::mesh {

// SharedMemorySpec holds the users that may share memory with the process, and the limits of that memory.
struct SharedMemorySpec {
  // The bytes that may be on their way in each direction of a connection, which takes twice that memory.
  std::size_t ring_bytes = std::size_t{256} << 10;
  // The most connections of clients that have memory, of all workers together; others go over their sockets.
  std::uint32_t connections = 256;
  // Users whose processes may share memory, beside the process's own one and root.
  std::vector<std::uint32_t> users = {};

  bool operator==(const SharedMemorySpec&) const = default;
};

class SharedTransport;

// SharedMemory belongs to one worker. Its transports end before it.
class SharedMemory final : public Source {
 public:
  // Makes the shared memory of one of `workers` workers, and counts its connections in `metrics`.
  SharedMemory(EpollLoop& loop, std::size_t workers, SharedMemoryMetrics& metrics);
  ~SharedMemory() override;

  // Takes another specification, for connections that begin from now on.
  void change(const SharedMemorySpec& spec);
  // Stops giving memory to new clients, or gives it again: meanwhile they are served over their sockets.
  void hold_back(bool is_held_back) { is_held_back_ = is_held_back; }

  // Returns the connection of an accepted client, whose first bytes show whether it asks for memory.
  std::unique_ptr<Transport> answer(Descriptor accepted);

  // connect begins to connect to a Unix socket. connected returns the connection then, nullptr where none could be
  // made.
  std::unique_ptr<shm::Connecting> connect(const Address& address);
  std::unique_ptr<Transport> connected(shm::Connecting& connecting);
  // Returns a connection that is counted as one over its socket.
  std::unique_ptr<Transport> ordinary(Descriptor socket);

  // Returns the bytes of memory that connections of clients have, as if all had the largest rings that there were.
  std::uint64_t bytes() const { return server_.open_segments() * 2 * largest_ring_; }

  bool take() override { return !transports_.empty() && look(false); }
  void deliver() override;

 private:
  friend class SharedTransport;

  bool look(bool has_rung);
  void on_bell(Ready);

  EpollLoop& loop_;
  const std::size_t workers_;
  SharedMemoryMetrics& metrics_;
  const shm::Pairs pairs_;
  Watch bell_;
  shm::Options options_;
  shm::Server server_;
  // The server for clients that get no memory.
  shm::Server without_memory_{{}, 0};
  std::size_t largest_ring_ = 0;
  bool is_held_back_ = false;
  std::optional<SharedMemorySpec> spec_;
  std::uint64_t last_key_ = 0;
  // Transports that are there, by the keys of their news.
  std::unordered_map<std::uint64_t, SharedTransport*> transports_;
  // The news of this turn, and the news that were put off to the next one.
  std::vector<shm::News> news_;
  std::vector<shm::News> put_off_;
};

}  // namespace hone::mesh
