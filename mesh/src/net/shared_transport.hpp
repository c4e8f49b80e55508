// One connection of SharedMemory.
#pragma once

#include <cstdint>

#include "event/loop.hpp"
#include "hone/shm.hpp"
#include "net/shared_memory.hpp"
#include "net/transport.hpp"

namespace hone::mesh {

// SharedTransport reports that it is ready as sockets do, as long as bytes or room are there, although memory reports
// only bytes or room that come after a read or a write would have waited.
class SharedTransport final : public Transport {
 public:
  // Makes the transport of one worker's connection, which has news by `key`.
  SharedTransport(SharedMemory& home, shm::Connection connection, std::uint64_t key);
  ~SharedTransport() override;

  Transfer read(std::span<char> into) override;
  // Writes until nothing is left, or a further write would wait.
  Transfer write(std::span<const iovec> from) override;
  void shut_writes() override { connection_.close_write(); }
  bool has_more() const override { return may_read_ && !has_had_its_share(); }
  int descriptor() const override { return connection_.read_descriptor(); }
  void watch(Loop& loop, Watch& watch, Ready interest) override;
  void forget(Loop& loop, Watch& watch) override;

  // Calls the watch, if it waits for this.
  void tell(Ready ready);

 private:
  // The bytes that are read in one turn, so that a fast writer does not keep others from their turn.
  static constexpr std::size_t kShare = 64 << 10;

  bool has_had_its_share() const { return turn_ == home_.loop_.now() && read_in_turn_ >= kShare; }
  void count(std::size_t bytes);
  void settle();
  Transfer write_to_memory(std::span<const iovec> from);
  void watch_sockets();
  void on_socket(Ready ready);
  void on_room(Ready ready);

  SharedMemory& home_;
  shm::Connection connection_;
  const std::uint64_t key_;
  // The watch to call, and the events that it waits for.
  Watch* watcher_ = nullptr;
  Ready interest_;
  // Watches of the connection's own sockets; the one for room is there once memory is shared without a pair.
  Watch socket_;
  std::unique_ptr<Watch> room_;
  // True if memory is shared and the last read did not find it empty.
  bool may_read_ = false;
  // The counter of connections with the same carrier; nullptr until the carrier is known.
  Counter* open_ = nullptr;
  Moment turn_{};
  std::size_t read_in_turn_ = 0;
};

}  // namespace hone::mesh
