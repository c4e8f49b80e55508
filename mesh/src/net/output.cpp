#include "net/output.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace hone::mesh {
namespace {

// The most pieces that go into one call of the kernel.
constexpr std::size_t kPiecesAtOnce = 64;

}  // namespace

void Output::append_anew(std::string_view bytes) {
  while (!bytes.empty()) {
    if (!copies_ || copied_ == kBufferBytes) {
      copies_ = BufferRef(pool_);
      copied_ = 0;
    }
    const std::size_t size = std::min(bytes.size(), kBufferBytes - copied_);
    char* const at = copies_->bytes() + copied_;
    std::memcpy(at, bytes.data(), size);
    append(Slice{copies_, {at, size}});
    copied_ += size;
    bytes.remove_prefix(size);
  }
  room_ = kBufferBytes - copied_;
}

void Output::append(Slice slice) {
  if (slice.bytes.empty()) return;
  bytes_ += slice.bytes.size();
  room_ = 0;
  if (first_ < slices_.size()) {
    Slice& last = slices_.back();
    const bool follows = last.bytes.data() + last.bytes.size() == slice.bytes.data();
    if (follows && last.keeper == slice.keeper) {
      last.bytes = {last.bytes.data(), last.bytes.size() + slice.bytes.size()};
      return;
    }
  }
  slices_.push_back(std::move(slice));
}

int Output::flush(Transport& transport) {
  while (bytes_ > 0) {
    std::array<iovec, kPiecesAtOnce> pieces;
    std::size_t count = 0;
    std::size_t offered = 0;
    for (std::size_t at = first_; at < slices_.size() && count < pieces.size(); ++at, ++count) {
      const std::string_view bytes = slices_[at].bytes;
      pieces[count] = {const_cast<char*>(bytes.data()), bytes.size()};
      offered += bytes.size();
    }
    const Transfer written = transport.write({pieces.data(), count});
    if (written.would_block()) return 0;
    if (written.error != 0) return written.error;
    take_off(written.bytes);
    // The kernel has no more room: the loop reports when it has.
    if (written.bytes < offered) return 0;
  }
  return 0;
}

void Output::take_off(std::size_t bytes) {
  bytes_ -= bytes;
  if (bytes_ == 0) return clear();
  while (bytes > 0) {
    Slice& slice = slices_[first_];
    if (bytes < slice.bytes.size()) {
      slice.bytes.remove_prefix(bytes);
      return;
    }
    bytes -= slice.bytes.size();
    slice.keeper.reset();
    ++first_;
  }
}

void Output::clear() {
  slices_.clear();
  if (slices_.capacity() > kPiecesAtOnce) slices_.shrink_to_fit();
  first_ = 0;
  copies_.reset();
  copied_ = 0;
  room_ = 0;
  bytes_ = 0;
}

}  // namespace hone::mesh
