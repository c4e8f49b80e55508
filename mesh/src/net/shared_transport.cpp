#include "net/shared_transport.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "net/socket.hpp"

namespace hone::mesh {

SharedTransport::SharedTransport(SharedMemory& home, shm::Connection connection, std::uint64_t key)
    : home_(home),
      connection_(std::move(connection)),
      key_(key),
      socket_(connection_.read_descriptor(), Delegate<void(Ready)>::of<&SharedTransport::on_socket>(*this)) {
  home_.transports_.emplace(key_, this);
  if (connection_.is_settled()) settle();
}

SharedTransport::~SharedTransport() {
  home_.loop_.forget(socket_);
  if (room_) home_.loop_.forget(*room_);
  home_.transports_.erase(key_);
  if (open_ != nullptr) open_->subtract();
}

// Counts the connection, and watches the sockets that report for it from now on. Memory has reported nothing yet: it is
// looked at.
void SharedTransport::settle() {
  open_ = connection_.is_shared() ? &home_.metrics_.in_memory : &home_.metrics_.on_sockets;
  open_->add();
  may_read_ = connection_.is_shared();
  if (may_read_) home_.put_off_.push_back({key_, true, true});
  watch_sockets();
}

Transfer SharedTransport::read(std::span<char> into) {
  const bool was_settled = connection_.is_settled();
  const Transfer got = connection_.read(std::as_writable_bytes(into));
  if (!was_settled && connection_.is_settled()) settle();
  if (!connection_.is_shared()) return got;
  may_read_ = !got.would_block();
  count(got.bytes);
  return got;
}

void SharedTransport::count(std::size_t bytes) {
  if (turn_ != home_.loop_.now()) {
    turn_ = home_.loop_.now();
    read_in_turn_ = 0;
  }
  read_in_turn_ += bytes;
  if (may_read_ && has_had_its_share()) home_.put_off_.push_back({key_, true, false});
}

Transfer SharedTransport::write(std::span<const iovec> from) {
  if (connection_.is_shared()) return write_to_memory(from);
  if (connection_.is_settled()) return send_pieces(connection_.read_descriptor(), from);
  // This write may be the call that reads the client's first bytes.
  const auto* const first = static_cast<const std::byte*>(from.front().iov_base);
  const Transfer put = connection_.write({first, from.front().iov_len});
  if (connection_.is_settled()) settle();
  return put;
}

Transfer SharedTransport::write_to_memory(std::span<const iovec> from) {
  std::size_t written = 0;
  std::size_t offset = 0;
  while (!from.empty()) {
    const shm::Room room = connection_.room();
    if (room.bytes.empty()) return room.error == EAGAIN && written > 0 ? Transfer{written, 0} : Transfer{0, room.error};
    std::size_t filled = 0;
    while (!from.empty() && filled < room.bytes.size()) {
      const iovec& piece = from.front();
      const std::size_t bytes = std::min(piece.iov_len - offset, room.bytes.size() - filled);
      std::memcpy(room.bytes.data() + filled, static_cast<const char*>(piece.iov_base) + offset, bytes);
      filled += bytes;
      offset += bytes;
      if (offset < piece.iov_len) continue;
      offset = 0;
      from = from.subspan(1);
    }
    connection_.wrote(filled);
    written += filled;
  }
  return {written, 0};
}

void SharedTransport::watch(Loop&, Watch& watch, Ready interest) {
  watcher_ = &watch;
  interest_ = interest;
  watch.note(true, interest);
  watch_sockets();
}

void SharedTransport::forget(Loop&, Watch& watch) {
  watcher_ = nullptr;
  interest_ = {};
  watch.note(false, {});
  watch_sockets();
}

// Watches the connection's own sockets for the interest. A connection in a pair has news instead, and no sockets.
void SharedTransport::watch_sockets() {
  Loop& loop = home_.loop_;
  const auto set = [&](Watch& watch, Ready interest) {
    interest.readable || interest.writable ? loop.watch(watch, interest) : loop.forget(watch);
  };
  if (connection_.is_paired()) return loop.forget(socket_);
  if (connection_.is_shared()) {
    if (!room_) {
      room_ = std::make_unique<Watch>(connection_.write_descriptor(),
                                      Delegate<void(Ready)>::of<&SharedTransport::on_room>(*this));
    }
    set(socket_, {.readable = interest_.readable});
    return set(*room_, {.readable = interest_.writable});
  }
  const bool waits_for_client = connection_.write_events() == POLLIN;
  set(socket_, {.readable = interest_.readable || (interest_.writable && waits_for_client),
                .writable = interest_.writable && !waits_for_client});
}

void SharedTransport::on_socket(Ready ready) {
  // A write may wait for a client's first bytes.
  if (ready.readable && !connection_.is_shared()) ready.writable |= connection_.write_events() == POLLIN;
  tell(ready);
}

void SharedTransport::on_room(Ready) {
  tell({.writable = true});
}

void SharedTransport::tell(Ready ready) {
  may_read_ |= ready.readable && connection_.is_shared();
  const Ready told{ready.readable && interest_.readable, ready.writable && interest_.writable};
  if (watcher_ != nullptr && (told.readable || told.writable)) watcher_->handle(told);
}

}  // namespace hone::mesh
