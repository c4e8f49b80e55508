// A connection as the wires see it: bytes that have come and are not taken yet, and an output that is written once a
// turn.
//
// A buffer is lent while bytes are in it that nobody has taken. Bytes of bodies that others hold keep the buffer too,
// and further reads go behind them while there is room, so that many small pieces do not hold a buffer each.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "base/buffer.hpp"
#include "event/loop.hpp"
#include "net/output.hpp"
#include "net/transport.hpp"

namespace hone::mesh {

// Channel belongs to one wire, whose events it calls. Its owner is destroyed only by a task of the loop.
class Channel {
 public:
  // Calls to the wire. None of these comes after close.
  struct Events {
    // Bytes may be read: the wire calls fill, or has had enough and calls hold.
    Delegate<void()> readable;
    // Bytes that waited have been written, all of them or as many as there was room for. True if fewer than kLowWater
    // wait, for the first time since more than kHighWater waited.
    Delegate<void(bool)> flushed;
    // The transport takes nothing more. Bytes that waited are dropped, and so are bytes that are put into the output
    // from now on.
    Delegate<void()> broken;
  };

  Channel(Loop& loop, BufferPool& pool, std::unique_ptr<Transport> transport, Events events);
  ~Channel();

  // Begins to read. Where the transport is still connecting, the wire does so once it is connected.
  void start() { resume(); }

  // Fill is the result of one read.
  struct Fill {
    Transfer transfer;
    // The distance that the marked bytes have moved in memory.
    std::ptrdiff_t moved = 0;
    // True if marked bytes fill a whole buffer, so that nothing could be read.
    bool is_full = false;
  };
  // Reads once, behind the bytes that are there. Bytes from the mark on stay together.
  Fill fill();

  // Returns the bytes that have come and are not taken.
  std::string_view input() const { return {at(taken_), filled_ - taken_}; }
  // Returns the bytes of input so that they may be changed in place, such as to lower case.
  char* input_bytes() const { return at(taken_); }
  // Takes bytes from the front.
  void take(std::size_t bytes) { taken_ += bytes; }
  // Keeps all bytes from `byte` on together although they are taken, until the next call; none for nullptr.
  void keep_from(const char* byte) {
    mark_ = byte == nullptr ? kUnmarked : static_cast<std::size_t>(byte - buffer_->bytes());
  }
  bool is_marked() const { return mark_ != kUnmarked; }
  // Gives the buffer back where nobody needs a byte in it any more.
  void release_if_taken();

  // Puts bytes before everything that is read: bytes that another wire has taken off, at most a buffer of them.
  void put_back(std::string_view bytes);
  // Gives up the transport, for another wire, and ends. Bytes that were read and not taken are left.
  std::unique_ptr<Transport> give_up();

  const BufferRef& keeper() const { return buffer_; }

  Output& output() { return output_; }
  // Returns the number of bytes that wait to be written.
  std::size_t waiting() const { return output_.bytes(); }
  // Writes the bytes that wait at the end of this turn.
  void flush_later() {
    if (loop_.meter().is_on()) payer_ = loop_.meter().payer();
    loop_.at_turn_end(flush_);
  }
  // Writes the bytes that wait now. CPU time counts for the payer that put bytes in last.
  void flush();

  // hold stops the calls of readable, and resume begins them again.
  void hold();
  void resume();

  void shut_writes() { transport_->shut_writes(); }
  // Ends the channel, and drops all bytes that wait. The socket is closed with the channel.
  void close();
  bool is_closed() const { return is_closed_; }

  Loop& loop() { return loop_; }
  BufferPool& pool() { return pool_; }
  // Time of the last byte that went either way, or the time since which bytes wait to be written, if that is later.
  Moment last_moved() const { return last_moved_; }

 private:
  static constexpr std::size_t kUnmarked = static_cast<std::size_t>(-1);
  // With less room than this, a read goes into a new buffer.
  static constexpr std::size_t kLeastRead = 2048;

  char* at(std::size_t offset) const { return buffer_ ? buffer_->bytes() + offset : nullptr; }
  void on_ready(Ready ready);
  void read_again();
  void change_buffer(Fill& fill);

  Loop& loop_;
  BufferPool& pool_;
  std::unique_ptr<Transport> transport_;
  Events events_;
  Watch watch_;
  Task again_;
  Task flush_;
  Output output_;

  BufferRef buffer_;
  std::size_t taken_ = 0;
  std::size_t filled_ = 0;
  std::size_t mark_ = kUnmarked;

  Moment last_moved_;
  // The payer for whom the last bytes were put into the output.
  Payer payer_ = kNobody;
  bool is_reading_ = false;
  bool was_above_ = false;
  bool is_broken_ = false;
  bool is_closed_ = false;
};

}  // namespace hone::mesh
