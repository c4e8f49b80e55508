// Layout of a segment and of a pair's page, as docs/internals/shm.md has it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hone::shm {

// Limits of the capacity of a ring, in bytes. It is a power of two.
inline constexpr std::size_t kSmallestRing = std::size_t{64} << 10;
inline constexpr std::size_t kLargestRing = std::size_t{64} << 20;

namespace detail {

static_assert(std::endian::native == std::endian::little, "numbers of a segment are little-endian");

inline constexpr char kMagic[] = "HONESHM1";
inline constexpr std::size_t kMagicBytes = 8;

inline constexpr std::size_t kHeaderBytes = 4096;
inline constexpr std::size_t kMagicAt = 0;
inline constexpr std::size_t kCapacityAt = 8;
inline constexpr std::size_t kControlsAt = 1024;
inline constexpr std::size_t kControlBytes = 1024;
inline constexpr std::size_t kHeadAt = 0;
inline constexpr std::size_t kTailAt = 128;
inline constexpr std::size_t kReaderWaitsAt = 256;
inline constexpr std::size_t kWriterWaitsAt = 384;

// Rings of a segment.
inline constexpr std::size_t kClientWrites = 0;
inline constexpr std::size_t kServerWrites = 1;
inline constexpr std::size_t kRings = 2;

// A pair's page: its seats, each with kNoticesOfSeat notices in words of 64 bits.
inline constexpr char kPairMagic[] = "HONEPAIR";
inline constexpr std::size_t kPageBytes = 4096;
inline constexpr std::size_t kTokenAt = 8;
inline constexpr std::size_t kNoticesAt = 1024;
inline constexpr std::size_t kNoticesBytes = 1024;
inline constexpr std::size_t kSleepsAt = 0;
inline constexpr std::size_t kBitsAt = 128;
inline constexpr std::size_t kSeats = 256;
inline constexpr std::size_t kNoticesOfSeat = 4;
inline constexpr std::size_t kNoticeWords = kSeats * kNoticesOfSeat / 64;

// The side that notices are for.
inline constexpr std::size_t kToServer = 0;
inline constexpr std::size_t kToClient = 1;
inline constexpr std::size_t kDirections = 2;

// Notices about a connection: there are bytes, there is room, or one of its sockets has ended.
inline constexpr std::size_t kNewBytes = 0;
inline constexpr std::size_t kNewRoom = 1;
inline constexpr std::size_t kEnd = 2;

inline std::uint64_t magic(const char* text = kMagic) {
  std::uint64_t number = 0;
  std::memcpy(&number, text, kMagicBytes);
  return number;
}

constexpr bool is_capacity(std::uint64_t bytes) {
  return bytes >= kSmallestRing && bytes <= kLargestRing && std::has_single_bit(bytes);
}

constexpr std::size_t file_bytes(std::size_t capacity) {
  return kHeaderBytes + kRings * capacity;
}

}  // namespace detail
}  // namespace hone::shm
