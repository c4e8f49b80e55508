// The output of a connection: encoded bytes and slices of bodies that wait, gathered into one write.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/buffer.hpp"
#include "net/transport.hpp"

namespace hone::mesh {

// Output is the queue of one connection. Its memory is lent by the worker's pool while bytes wait.
class Output {
 public:
  explicit Output(BufferPool& pool) : pool_(pool) {}

  // Copies bytes behind those that wait.
  void append(std::string_view bytes) {
    if (bytes.empty()) return;
    if (bytes.size() > room_) return append_anew(bytes);
    Slice& last = slices_.back();
    std::memcpy(copies_->bytes() + copied_, bytes.data(), bytes.size());
    last.bytes = {last.bytes.data(), last.bytes.size() + bytes.size()};
    copied_ += bytes.size();
    room_ -= bytes.size();
    bytes_ += bytes.size();
  }
  // Puts a slice behind the bytes that wait, without a copy.
  void append(Slice slice);

  template <class... Texts>
  void append_all(Texts... texts) {
    (append(std::string_view(texts)), ...);
  }

  // Writes the bytes that the transport takes at once. Returns 0, also where bytes are left, or the system's error.
  int flush(Transport& transport);

  std::size_t bytes() const { return bytes_; }
  bool is_empty() const { return bytes_ == 0; }
  // Drops the bytes that wait.
  void clear();

 private:
  void append_anew(std::string_view bytes);
  void take_off(std::size_t bytes);

  BufferPool& pool_;
  std::vector<Slice> slices_;
  // Slices before this one have been written.
  std::size_t first_ = 0;
  // The buffer that copies go to: the keeper of the last slice, or no longer in use.
  BufferRef copies_;
  std::size_t copied_ = 0;
  // Room in that buffer; zero unless the last slice that waits ends where the room begins.
  std::size_t room_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace hone::mesh
