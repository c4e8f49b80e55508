// Shared connections: their bytes, when a side would block and is woken, and how connections end.
#include <cstdlib>
#include <new>
#include <random>
#include <vector>

#include "support.hpp"

namespace {
thread_local std::size_t allocations = 0;
}

void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace hone::shm {
namespace {

using test::bytes_of;
using test::connected;

Server small() {
  return Server({.ring_bytes = kSmallestRing});
}

bool is_woken(int descriptor) {
  return detail::wait(descriptor, POLLIN, 0) == 0;
}

TEST(Connection, BringsBytesInTheirOrderWithoutAnAllocation) {
  auto [client, server] = connected(small());
  ASSERT_TRUE(client.is_shared() && server.is_shared());
  std::mt19937 random(1);
  std::vector<std::byte> out(100'000), in(100'000);
  std::uint64_t sent = 0, received = 0;
  const std::size_t before = allocations;
  while (received < 4'000'000) {
    const std::size_t size = 1 + random() % out.size();
    for (std::size_t at = 0; at < size; ++at) out[at] = static_cast<std::byte>((sent + at) * 7 >> 3);
    const Transfer put = client.write(std::span(out).first(size));
    ASSERT_TRUE(put.error == 0 || put.would_block());
    sent += put.bytes;
    const Transfer got = server.read(std::span(in).first(1 + random() % in.size()));
    ASSERT_TRUE(got.error == 0 || got.would_block());
    for (std::size_t at = 0; at < got.bytes; ++at) {
      ASSERT_EQ(in[at], static_cast<std::byte>((received + at) * 7 >> 3));
    }
    received += got.bytes;
  }
  EXPECT_EQ(allocations, before);
}

TEST(Connection, WouldBlockAndIsWokenWhenBytesCome) {
  auto [client, server] = connected(small());
  std::array<std::byte, 8> into;
  EXPECT_FALSE(server.has_bytes());
  EXPECT_TRUE(server.read(into).would_block());
  EXPECT_FALSE(is_woken(server.read_descriptor()));
  EXPECT_EQ(client.write(bytes_of("text")).bytes, 4U);
  EXPECT_TRUE(server.has_bytes());
  EXPECT_TRUE(is_woken(server.read_descriptor()));
  EXPECT_EQ(server.read(into).bytes, 4U);
  EXPECT_TRUE(server.read(into).would_block());
  EXPECT_FALSE(is_woken(server.read_descriptor()));
}

TEST(Connection, TakesWhatARingHoldsAndIsWokenOnceAQuarterIsFree) {
  auto [client, server] = connected(small());
  std::vector<std::byte> much(2 * kSmallestRing);
  EXPECT_EQ(client.write(much).bytes, kSmallestRing);
  EXPECT_TRUE(client.write(much).would_block());
  EXPECT_EQ(client.write_events(), POLLIN);
  EXPECT_EQ(server.read(std::span(much).first(kSmallestRing / 4 - 1)).error, 0);
  EXPECT_FALSE(is_woken(client.write_descriptor()));
  EXPECT_EQ(server.read(std::span(much).first(1)).bytes, 1U);
  EXPECT_TRUE(is_woken(client.write_descriptor()));
  EXPECT_EQ(client.write(much).bytes, kSmallestRing / 4);
}

TEST(Connection, LetsWritersAndReadersWorkInPlace) {
  auto [client, server] = connected(small());
  const Room room = client.room();
  ASSERT_EQ(room.bytes.size(), kSmallestRing);
  std::memcpy(room.bytes.data(), "in place", 8);
  EXPECT_EQ(server.unread().error, EAGAIN);
  client.wrote(8);
  const Unread unread = server.unread();
  ASSERT_EQ(unread.bytes.size(), 8U);
  EXPECT_EQ(std::memcmp(unread.bytes.data(), "in place", 8), 0);
  server.did_read(3);
  EXPECT_EQ(server.unread().bytes.size(), 5U);
}

TEST(Connection, ReadsWhatWasWrittenBeforeHalfOfItWasClosedAndAnswers) {
  auto [client, server] = connected(small());
  client.write(bytes_of("last words"));
  client.close_write();
  EXPECT_EQ(client.write(bytes_of("more")).error, EPIPE);
  EXPECT_EQ(client.room().error, EPIPE);
  std::array<std::byte, 64> into;
  EXPECT_EQ(server.read(into).bytes, 10U);
  EXPECT_TRUE(server.read(into).is_end());
  EXPECT_EQ(server.write(bytes_of("answer")).bytes, 6U);
  EXPECT_EQ(client.read_waiting(into).bytes, 6U);
}

TEST(Connection, EndsForBothSidesWhereOneClosesIt) {
  const Server server = small();
  auto [client, answering] = connected(server);
  EXPECT_EQ(server.open_segments(), 1U);
  client.write(bytes_of("last words"));
  client.close();
  EXPECT_FALSE(client.is_open());
  std::vector<std::byte> much(2 * kSmallestRing);
  EXPECT_EQ(answering.read(much).bytes, 10U);
  EXPECT_TRUE(answering.read(much).is_end());
  EXPECT_EQ(answering.write_waiting(much).error, EPIPE);
  answering.close();
  EXPECT_EQ(server.open_segments(), 0U);
}

TEST(Connection, WaitsNoLongerThanItWasTold) {
  auto [client, server] = connected(small());
  EXPECT_EQ(client.wait_for_bytes(0), ETIMEDOUT);
  EXPECT_EQ(client.wait_for_room(0), ETIMEDOUT);
}

}  // namespace
}  // namespace hone::shm
