// A side that writes impossible values into the segment, or wakes the other one without a reason.
#include <random>
#include <vector>

#include "support.hpp"

namespace hone::shm {
namespace {

using test::Breaker;
using test::bytes_of;

constexpr std::size_t kRoomForAnything = 256;

TEST(ABrokenRing, EndsTheConnectionOfItsReader) {
  const Server server({.ring_bytes = kSmallestRing});
  for (const std::uint64_t head : {std::uint64_t{kSmallestRing} + 1, ~std::uint64_t{0}}) {
    Breaker breaker(server);
    breaker.word<std::uint64_t>(detail::kClientWrites, detail::kHeadAt).store(head);
    std::array<std::byte, kRoomForAnything> into;
    EXPECT_EQ(breaker.peer.read(into).error, EPROTO);
    breaker.word<std::uint64_t>(detail::kClientWrites, detail::kHeadAt).store(1);
    EXPECT_EQ(breaker.peer.read(into).error, EPROTO) << "it was mended later";
    EXPECT_EQ(breaker.peer.write(bytes_of("text")).error, EPROTO);
    EXPECT_TRUE(detail::receive(breaker.socket.get(), into).is_end());
  }
}

TEST(ABrokenRing, EndsTheConnectionOfItsWriter) {
  const Server server({.ring_bytes = kSmallestRing});
  Breaker breaker(server);
  breaker.word<std::uint64_t>(detail::kServerWrites, detail::kTailAt).store(1);
  EXPECT_EQ(breaker.peer.write(bytes_of("text")).error, EPROTO);
  std::array<std::byte, kRoomForAnything> into;
  EXPECT_TRUE(detail::receive(breaker.files.files[1].get(), into).is_end());
}

TEST(WakeUps, WithoutAReasonKeepNobody) {
  const Server server({.ring_bytes = kSmallestRing});
  Breaker breaker(server);
  const std::vector<std::byte> many(1 << 16);
  std::vector<std::byte> into(2 * kSmallestRing);
  EXPECT_GT(detail::send(breaker.socket.get(), many).bytes, 4096U);
  EXPECT_GT(detail::send(breaker.files.files[1].get(), many).bytes, 4096U);
  EXPECT_TRUE(breaker.peer.read(into).would_block());
  EXPECT_EQ(breaker.peer.wait_for_bytes(0), 0) << "what is left must not be slept over";
  EXPECT_EQ(breaker.peer.write(into).bytes, kSmallestRing);
  EXPECT_TRUE(breaker.peer.write(into).would_block());
  EXPECT_EQ(breaker.peer.wait_for_room(0), 0);
}

TEST(Memory, OfAConnectionThatHasEndedCountsUntilItsClientLetsGoAndIsTakenAway) {
  const Server server({.ring_bytes = kSmallestRing}, 1);
  Breaker breaker(server);
  const auto head = [&] { return breaker.word<std::uint64_t>(detail::kServerWrites, detail::kHeadAt).load(); };
  EXPECT_EQ(breaker.peer.write(bytes_of("last words")).bytes, 10U);
  breaker.peer.close();
  EXPECT_EQ(server.open_segments(), 1U);
  EXPECT_EQ(head(), 10U) << "what was written before the end can be read";
  breaker.files.files[1].reset();
  EXPECT_EQ(server.open_segments(), 0U);
  EXPECT_EQ(head(), 0U);
}

TEST(AnythingInTheSegment, LeavesBytesWithinTheRingsAndEndsInAnError) {
  std::mt19937_64 random(1);
  const Server server({.ring_bytes = kSmallestRing});
  std::vector<std::byte> some(kSmallestRing);
  for (int round = 0; round < 200; ++round) {
    Breaker breaker(server);
    int error = 0;
    for (int step = 0; step < 10'000 && (error == 0 || error == EAGAIN); ++step) {
      const std::size_t ring = random() % detail::kRings;
      const std::size_t at = random() % 4 * 128;
      // Mostly possible values, so that the connection lives for some time.
      const std::uint64_t near = breaker.word<std::uint64_t>(ring, at).load() + random() % 100;
      breaker.word<std::uint64_t>(ring, at).store(random() % 50 == 0 ? random() : near);
      const std::span piece = std::span(some).first(1 + random() % some.size());
      const Transfer came = random() % 2 == 0 ? breaker.peer.read(piece) : breaker.peer.write(piece);
      ASSERT_LE(came.bytes, piece.size());
      error = came.error;
    }
    EXPECT_EQ(error, EPROTO) << round;
  }
}

}  // namespace
}  // namespace hone::shm
