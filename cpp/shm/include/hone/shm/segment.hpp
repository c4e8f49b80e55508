// Memory that two processes share: a ring of bytes for each direction, each mapped twice in a row, so that all bytes in
// it are in one piece.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "descriptor.hpp"
#include "layout.hpp"
#include "memfd.hpp"
#include "ring.hpp"

namespace hone::shm {

// Segment is shared memory, mapped into this process. Its destructor unmaps it: no end of a ring may be used after
// that.
class Segment {
 public:
  Segment() = default;
  Segment(Segment&& other) noexcept
      : base_(std::exchange(other.base_, nullptr)), capacity_(std::exchange(other.capacity_, 0)) {}
  Segment& operator=(Segment&& other) noexcept {
    std::swap(base_, other.base_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~Segment() {
    if (base_ != nullptr) ::munmap(base_, mapped_bytes(capacity_));
  }

  // Makes a segment with rings of a capacity, and the file of the segment. All its memory is taken at once, so that
  // none can be missing later. Returns none where the system has no memory, or the capacity is no power of two within
  // the limits; errno has the reason.
  static std::optional<Segment> create(std::size_t capacity, Descriptor& file) {
    if (!detail::is_capacity(capacity)) return wrong(EINVAL);
    file = detail::create_memory(detail::file_bytes(capacity));
    if (!file) return std::nullopt;
    std::optional<Segment> made = mapped(file.get(), capacity);
    if (made) {
      made->word(detail::kCapacityAt).store(capacity);
      made->word(detail::kMagicAt).store(detail::magic());
    }
    return made;
  }

  // Maps a segment that the other side has made, whose file is not trusted: it must have the size for its capacity, and
  // never get another. Returns none where it does not, with EPROTO in errno, or another error of the system.
  static std::optional<Segment> map(int file, std::uint64_t capacity) {
    if (!detail::is_capacity(capacity)) return wrong(EPROTO);
    if (!detail::is_sealed(file, detail::file_bytes(capacity))) return wrong(EPROTO);
    std::optional<Segment> got = mapped(file, capacity);
    if (!got) return std::nullopt;
    const bool is_ours =
        got->word(detail::kMagicAt).load() == detail::magic() && got->word(detail::kCapacityAt).load() == capacity;
    return is_ours ? std::move(got) : wrong(EPROTO);
  }

  // Ends of the rings. A process takes one end of each ring, once.
  RingWriter writer(std::size_t ring) const { return RingWriter(words(ring)); }
  RingReader reader(std::size_t ring) const { return RingReader(words(ring)); }

  // Takes the memory away from all processes that have mapped the segment: they find zeros in it.
  void empty() const { ::madvise(base_, mapped_bytes(capacity_), MADV_REMOVE); }

  std::size_t capacity() const { return capacity_; }

 private:
  static std::nullopt_t wrong(int error) {
    errno = error;
    return std::nullopt;
  }

  static constexpr std::size_t mapped_bytes(std::size_t capacity) {
    return detail::kHeaderBytes + 2 * detail::kRings * capacity;
  }

  static constexpr std::size_t ring_at(std::size_t ring, std::size_t capacity) {
    return detail::kHeaderBytes + 2 * ring * capacity;
  }

  // Maps the header, and each ring twice in a row, into one piece of address space.
  static std::optional<Segment> mapped(int file, std::size_t capacity) {
    const int reserved = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* base = ::mmap(nullptr, mapped_bytes(capacity), PROT_NONE, reserved, -1, 0);
    if (base == MAP_FAILED) return std::nullopt;
    Segment made;
    made.base_ = static_cast<std::byte*>(base);
    made.capacity_ = capacity;
    bool is_whole = made.place(file, 0, detail::kHeaderBytes, 0);
    for (std::size_t ring = 0; ring < detail::kRings; ++ring) {
      const std::size_t from = detail::kHeaderBytes + ring * capacity;
      const std::size_t at = ring_at(ring, capacity);
      is_whole = is_whole && made.place(file, at, capacity, from) && made.place(file, at + capacity, capacity, from);
    }
    if (!is_whole) return std::nullopt;
    return made;
  }

  bool place(int file, std::size_t at, std::size_t bytes, std::size_t from) {
    const int flags = MAP_SHARED | MAP_FIXED;
    return ::mmap(base_ + at, bytes, PROT_READ | PROT_WRITE, flags, file, static_cast<off_t>(from)) != MAP_FAILED;
  }

  std::atomic_ref<std::uint64_t> word(std::size_t at) const {
    return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(base_ + at));
  }

  detail::Words words(std::size_t ring) const {
    std::byte* control = base_ + detail::kControlsAt + ring * detail::kControlBytes;
    return detail::Words(control, base_ + ring_at(ring, capacity_), capacity_);
  }

  std::byte* base_ = nullptr;
  std::size_t capacity_ = 0;
};

}  // namespace hone::shm
