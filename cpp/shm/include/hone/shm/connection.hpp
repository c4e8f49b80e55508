// A connection, shared or ordinary, as a program sees it.
#pragma once

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "descriptor.hpp"
#include "hearing.hpp"
#include "memory.hpp"

namespace hone::shm {

// Connection is one side of a connection, which its destructor closes. Only one thread at a time may use it.
//
// In an event loop, level-triggered: read until a read would block before you wait for the read descriptor; wait for
// the write descriptor only after a write that would block, until a write succeeds. Ask for descriptors and events each
// time that you wait, since a server's connection gets others once the client's first bytes are read.
//
// No call waits, but for those whose names say so.
class Connection {
 public:
  // Makes a connection that is not open.
  Connection() = default;
  // Makes an ordinary connection.
  explicit Connection(Descriptor socket) : socket_(std::move(socket)) {}
  // Makes a shared connection.
  Connection(Descriptor socket, std::unique_ptr<detail::Memory> memory)
      : socket_(std::move(socket)), memory_(std::move(memory)) {}
  // Makes a server's connection, whose client has not told yet whether it asks for memory.
  Connection(Descriptor socket, std::unique_ptr<detail::Hearing> hearing)
      : socket_(std::move(socket)), hearing_(std::move(hearing)) {}

  Connection(Connection&&) noexcept = default;
  Connection& operator=(Connection&& other) noexcept {
    std::swap(socket_, other.socket_);
    std::swap(memory_, other.memory_);
    std::swap(hearing_, other.hearing_);
    std::swap(is_finished_, other.is_finished_);
    other.close();
    return *this;
  }
  ~Connection() { close(); }

  bool is_open() const { return static_cast<bool>(socket_); }

  // True if bytes go through shared memory. A server does not know this before it has read the client's first bytes.
  bool is_shared() const { return memory_ != nullptr; }

  // True if the connection is woken with others of its event loop: Pairs::take has its news, and its descriptors show
  // nothing.
  bool is_paired() const { return memory_ && memory_->is_paired(); }

  // True once it is known whether the connection is shared. A server ends connections that are not settled after some
  // time: their clients may have memory already, and say nothing.
  bool is_settled() const { return is_open() && !is_hearing(); }

  // Reads the bytes that are there. No bytes and no error are the end of the stream.
  Transfer read(std::span<std::byte> into) {
    if (into.empty()) return {};
    if (const int error = hear(); error != 0) return {0, error};
    if (memory_) {
      const Unread found = memory_->unread(socket_.get());
      const std::size_t bytes = std::min(into.size(), found.bytes.size());
      if (bytes == 0) return {0, found.error};
      std::memcpy(into.data(), found.bytes.data(), bytes);
      memory_->read(bytes);
      return {bytes, 0};
    }
    if (hearing_) {
      const std::size_t bytes = hearing_->give(into);
      if (hearing_->is_empty()) hearing_.reset();
      if (bytes > 0) return {bytes, 0};
    }
    return detail::receive(socket_.get(), into);
  }

  // Writes as many bytes as there is room for.
  Transfer write(std::span<const std::byte> from) {
    if (from.empty()) return {};
    if (is_finished_) return {0, EPIPE};
    if (const int error = hear_before_a_write(); error != 0) return {0, error};
    if (!memory_) return detail::send(socket_.get(), from);
    const Room found = memory_->room(socket_.get());
    const std::size_t bytes = std::min(from.size(), found.bytes.size());
    if (bytes == 0) return {0, found.error};
    std::memcpy(found.bytes.data(), from.data(), bytes);
    memory_->wrote(socket_.get(), bytes);
    return {bytes, 0};
  }

  // Returns the place for bytes to be written, in one piece, for shared connections; the error of others is EOPNOTSUPP.
  // The other side does not read these bytes before `wrote`, but may change them: read none back.
  Room room() {
    if (!memory_) return {{}, EOPNOTSUPP};
    if (is_finished_) return {{}, EPIPE};
    return memory_->room(socket_.get());
  }

  // Hands the first `bytes` bytes of `room` over.
  void wrote(std::size_t bytes) { memory_->wrote(socket_.get(), bytes); }

  // Returns the bytes to be read, in place and in one piece, for shared connections; the error of others is EOPNOTSUPP.
  // The other side may change these bytes at any time: copy them, once, before you look at them.
  Unread unread() { return memory_ ? memory_->unread(socket_.get()) : Unread{{}, EOPNOTSUPP}; }

  // Gives the first `bytes` bytes of `unread` back to the writer.
  void did_read(std::size_t bytes) { memory_->read(bytes); }

  // True if a shared connection has bytes, for event loops that look for some time before they sleep.
  bool has_bytes() const { return memory_ && memory_->has_bytes(); }

  // The descriptor on which to wait for bytes; the event is POLLIN.
  int read_descriptor() const { return socket_.get(); }

  // The descriptor on which to wait for room, and the event: that of a shared connection is POLLIN.
  int write_descriptor() const { return memory_ ? memory_->space() : socket_.get(); }
  short write_events() const { return memory_ || is_hearing() ? POLLIN : POLLOUT; }

  // Tells the other side that nothing more comes.
  void close_write() {
    is_finished_ = true;
    ::shutdown(socket_.get(), SHUT_WR);
    if (memory_) memory_->tell_end();
  }

  // Ends the connection for both sides. The other side can still read bytes that were written before.
  void close() {
    if (memory_) memory_->shut_down(socket_.get());
    memory_.reset();
    hearing_.reset();
    socket_.reset();
  }

  // Wait for bytes, or for room, for `timeout_ms` milliseconds at most; for ever with -1. Return 0, ETIMEDOUT, or the
  // system's error; EOPNOTSUPP for a paired connection, whose event loop waits.
  int wait_for_bytes(int timeout_ms = -1) const { return wait_alone(read_descriptor(), POLLIN, timeout_ms); }
  int wait_for_room(int timeout_ms = -1) const { return wait_alone(write_descriptor(), write_events(), timeout_ms); }

  // Reads, and waits until there are bytes, or an end.
  Transfer read_waiting(std::span<std::byte> into) {
    Transfer got = read(into);
    while (got.would_block()) {
      if (const int error = wait_for_bytes(); error != 0) return {0, error};
      got = read(into);
    }
    return got;
  }

  // Writes all bytes, and waits for room. `bytes` in the result is the number written before an error.
  Transfer write_waiting(std::span<const std::byte> from) {
    std::size_t written = 0;
    while (written < from.size()) {
      Transfer put = write(from.subspan(written));
      if (put.would_block()) put.error = wait_for_room();
      if (put.error != 0) return {written, put.error};
      written += put.bytes;
    }
    return {written, 0};
  }

 private:
  int wait_alone(int descriptor, short events, int timeout_ms) const {
    return is_paired() ? EOPNOTSUPP : detail::wait(descriptor, events, timeout_ms);
  }

  bool is_hearing() const { return hearing_ && !hearing_->is_ordinary(); }

  // Reads the client's first bytes, until they show whether the connection is shared. Returns 0, EAGAIN, or another
  // error.
  int hear() {
    if (!is_hearing()) return 0;
    const int error = hearing_->hear(socket_.get());
    if (error == 0 && !hearing_->is_ordinary()) {
      memory_ = hearing_->memory();
      hearing_.reset();
    }
    return error;
  }

  // A server that sends first, before it has heard anything, has an ordinary connection.
  int hear_before_a_write() {
    const int error = hear();
    if (error != EAGAIN || !hearing_->has_heard_nothing()) return error;
    hearing_.reset();
    return 0;
  }

  Descriptor socket_;
  std::unique_ptr<detail::Memory> memory_;
  std::unique_ptr<detail::Hearing> hearing_;
  // True if this side writes nothing more.
  bool is_finished_ = false;
};

}  // namespace hone::shm
