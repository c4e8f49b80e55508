// Page of a pair: notices, by which two processes tell each other which of their connections have something new.
//
// Both processes may write all of it. A notice is no more than a hint: a connection finds the truth in its own ring.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "descriptor.hpp"
#include "layout.hpp"
#include "memfd.hpp"

namespace hone::shm::detail {

// Notices of one seat: a set of kNewBytes, kNewRoom and kEnd.
using Taken = unsigned;

constexpr bool has(Taken taken, std::size_t notice) {
  return (taken >> notice & 1) == 1;
}

class Page {
 public:
  Page(Page&& other) noexcept
      : base_(std::exchange(other.base_, nullptr)), token_(other.token_), posted_(other.posted_) {}
  Page& operator=(Page&&) = delete;
  ~Page() {
    if (base_ != nullptr) ::munmap(base_, kPageBytes);
  }

  // Makes the page of a pair with a token, and the file of the page. Returns none where the system has no memory.
  static std::optional<Page> create(std::uint64_t token, Descriptor& file) {
    file = create_memory(kPageBytes);
    if (!file) return std::nullopt;
    std::optional<Page> made = mapped(file.get(), kToClient);
    if (made) {
      made->token_ = token;
      made->word(kTokenAt).store(token);
      made->word(kMagicAt).store(magic(kPairMagic));
    }
    return made;
  }

  // Maps the page that a server has made. Returns none where the file is no page.
  static std::optional<Page> map(int file) {
    if (!is_sealed(file, kPageBytes)) return std::nullopt;
    std::optional<Page> got = mapped(file, kToServer);
    if (!got || got->word(kMagicAt).load() != magic(kPairMagic)) return std::nullopt;
    got->token_ = got->word(kTokenAt).load();
    return got;
  }

  std::uint64_t token() const { return token_; }

  // True if this side has made the page.
  bool is_own() const { return posted_ == kToClient; }

  // Posts a notice. Returns whether the other process sleeps and must be woken.
  bool post(std::size_t seat, std::size_t notice) const {
    const std::size_t bit = seat * kNoticesOfSeat + notice;
    bits(posted_, bit / kBitsOfWord).fetch_or(std::uint64_t{1} << bit % kBitsOfWord);
    return sleeps(posted_).load() != 0 && sleeps(posted_).exchange(0) != 0;
  }

  // Takes the notices that are there, and calls each(seat, Taken) for each seat that has some.
  template <class Each>
  void take(Each each) const {
    for (std::size_t at = 0; at < kNoticeWords; ++at) {
      const std::atomic_ref<std::uint64_t> from = bits(taken(), at);
      if (from.load() == 0) continue;
      for (std::uint64_t word = from.exchange(0); word != 0;) {
        const std::size_t first = static_cast<std::size_t>(std::countr_zero(word)) / kNoticesOfSeat * kNoticesOfSeat;
        const std::uint64_t of_seat = word >> first & ((1 << kNoticesOfSeat) - 1);
        each((at * kBitsOfWord + first) / kNoticesOfSeat, static_cast<Taken>(of_seat));
        word ^= of_seat << first;
      }
    }
  }

  bool has_none() const {
    for (std::size_t at = 0; at < kNoticeWords; ++at) {
      if (bits(taken(), at).load() != 0) return false;
    }
    return true;
  }

  // Tells the other process that this one is about to sleep. This one must look at the notices once more before it
  // sleeps. Returns whether the other process may have woken it since the last announcement.
  bool announce() const { return sleeps(taken()).exchange(1) == 0; }

  // Takes the memory away from both sides.
  void empty() const { ::madvise(base_, kPageBytes, MADV_REMOVE); }

 private:
  static constexpr std::size_t kBitsOfWord = 64;

  // `posted` is the direction of the notices that this side posts; it takes those of the other direction.
  Page(std::byte* base, std::size_t posted) : base_(base), posted_(posted) {}

  static std::optional<Page> mapped(int file, std::size_t posted) {
    void* base = ::mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (base == MAP_FAILED) return std::nullopt;
    return Page(static_cast<std::byte*>(base), posted);
  }

  std::size_t taken() const { return kDirections - 1 - posted_; }

  std::atomic_ref<std::uint64_t> word(std::size_t at) const {
    return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(base_ + at));
  }
  std::atomic_ref<std::uint64_t> bits(std::size_t to, std::size_t at) const {
    return word(kNoticesAt + to * kNoticesBytes + kBitsAt + at * sizeof(std::uint64_t));
  }
  std::atomic_ref<std::uint32_t> sleeps(std::size_t to) const {
    std::byte* at = base_ + kNoticesAt + to * kNoticesBytes + kSleepsAt;
    return std::atomic_ref<std::uint32_t>(*reinterpret_cast<std::uint32_t*>(at));
  }

  std::byte* base_;
  std::uint64_t token_ = 0;
  std::size_t posted_;
};

}  // namespace hone::shm::detail
