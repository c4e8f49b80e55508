// A client's connection with a protocol that is not known here: bytes pass both ways, as fast as their reader takes
// them.
//
// The end of one direction is passed on, so that either side may go on after the other one has finished. Any other end
// of a connection ends both. Where no connection to an endpoint comes about, another one is tried: nothing has been
// read yet, and so nothing is lost.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "cluster/dialler.hpp"
#include "net/channel.hpp"
#include "stream/stream.hpp"

namespace hone::mesh {

// Tunnel joins a client's connection with one to an endpoint.
class Tunnel {
 public:
  // `ended` is called once; the tunnel is destroyed by a task of the loop.
  Tunnel(Surroundings& around, const Client& client, std::unique_ptr<Transport> transport, Delegate<void()> ended);
  Tunnel(const Tunnel&) = delete;
  Tunnel& operator=(const Tunnel&) = delete;
  ~Tunnel();

  void start();
  void close() { finish(Flag::kUpstreamClosed); }

 private:
  // Side is one of both connections, and the bytes that are read from it.
  struct Side {
    explicit Side(Tunnel& tunnel) : home(tunnel) {}
    void open(std::unique_ptr<Transport> transport);
    void on_readable();
    void on_flushed(bool has_room_again);
    void on_broken() { home.finish(home.flag_of(*this)); }
    // Passes on the end of the other side's bytes, once all of them are written.
    void end_if_written();

    Tunnel& home;
    std::optional<Channel> channel;
    Side* other = nullptr;
    std::uint64_t bytes = 0;
    bool has_ended = false;
    bool has_shut_writes = false;
  };

  void begin_try();
  void on_connected(std::unique_ptr<Transport> transport, Alpn);
  void on_not_connected(PoolFailure failure, std::string_view detail);
  void on_timer();
  // Returns the time at which nothing has moved for too long.
  Moment idle_at() const;
  void set_timer();
  Flag flag_of(const Side& side) const { return &side == &client_side_ ? Flag::kClientGone : Flag::kUpstreamClosed; }
  // Ends both connections, and writes the line of the log.
  void finish(std::optional<Flag> flag);
  void write_log();

  Surroundings& around_;
  const Client& client_;
  const Delegate<void()> ended_;
  const Duration longest_idle_;
  // Nothing where there is no such cluster.
  const Held<Cluster> cluster_;
  Side client_side_;
  Side server_side_;
  std::optional<Dialler> dialler_;
  Task try_again_;
  Timer idle_;
  const Moment began_;
  std::vector<std::size_t> tried_;
  std::size_t endpoint_ = 0;
  std::string_view detail_;
  Flags flags_;
  bool is_trying_ = false;
  bool is_finished_ = false;
};

}  // namespace hone::mesh
