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

// Channel belongs to one wire, which it tells what happens. Its owner is destroyed by a task of the loop alone.
class Channel {
 public:
  // What the wire is told. None of these is called after close.
  struct Events {
    // Bytes may be read: the wire calls fill, or has had enough and calls hold.
    Delegate<void()> readable;
    // What waited has been written, all of it or as much as there was room for. True if this was the first time below
    // kLowWater since more than kHighWater waited.
    Delegate<void(bool)> flushed;
    // The transport takes nothing more. What waited is forgotten, and so is what is put into the output from now on.
    Delegate<void()> broken;
  };

  Channel(Loop& loop, BufferPool& pool, std::unique_ptr<Transport> transport, Events events);
  ~Channel();

  // Begins to read. Where the transport is still connecting, the wire does so once it is connected.
  void start() { resume(); }

  // Fill is what came of one read.
  struct Fill {
    Transfer transfer;
    // How far the bytes that were marked have moved in memory.
    std::ptrdiff_t moved = 0;
    // True if marked bytes fill a whole buffer, so that nothing could be read.
    bool is_full = false;
  };
  // Reads once, behind the bytes that are there. Bytes from the mark on stay together.
  Fill fill();

  // Returns the bytes that have come and are not taken.
  std::string_view input() const { return {at(taken_), filled_ - taken_}; }
  // Returns these bytes so that they may be changed in place, such as to lower case.
  char* input_bytes() const { return at(taken_); }
  // Takes bytes from the front.
  void take(std::size_t bytes) { taken_ += bytes; }
  // Keeps all bytes from this one on together although they are taken, until it is called again; none for nullptr.
  void keep_from(const char* byte) {
    mark_ = byte == nullptr ? kUnmarked : static_cast<std::size_t>(byte - buffer_->bytes());
  }
  bool is_marked() const { return mark_ != kUnmarked; }
  // Gives the buffer back where no byte in it is waited for.
  void release_if_taken();

  // Puts bytes before everything that is read: those that another wire has taken off. They are at most a buffer.
  void put_back(std::string_view bytes);
  // Gives up the transport, for another wire, and ends. What was read and not taken is left.
  std::unique_ptr<Transport> give_up();

  const BufferRef& keeper() const { return buffer_; }

  Output& output() { return output_; }
  // Returns the bytes that wait to be written.
  std::size_t waiting() const { return output_.bytes(); }
  // Writes what waits at the end of this turn.
  void flush_later() {
    if (loop_.meter().is_on()) payer_ = loop_.meter().payer();
    loop_.at_turn_end(flush_);
  }
  // Writes what waits now, for whoever put bytes in last.
  void flush();

  // Stops and begins again to be told of bytes.
  void hold();
  void resume();

  void shut_writes() { transport_->shut_writes(); }
  // Ends: forgets all that waits. The socket is closed with the channel.
  void close();
  bool is_closed() const { return is_closed_; }

  Loop& loop() { return loop_; }
  BufferPool& pool() { return pool_; }
  // Time of the last byte that went either way, or since when bytes wait to be written, if that is later.
  Moment last_moved() const { return last_moved_; }

 private:
  static constexpr std::size_t kUnmarked = static_cast<std::size_t>(-1);
  // Below this much room a read goes into a new buffer.
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
  // For whom the last bytes were put into the output.
  Payer payer_ = kNobody;
  bool is_reading_ = false;
  bool was_above_ = false;
  bool is_broken_ = false;
  bool is_closed_ = false;
};

}  // namespace hone::mesh
