// Buffers, arenas, outputs, timers: the parts that everything else uses.
#include <gtest/gtest.h>
#include <sys/eventfd.h>

#include <map>
#include <string>

#include "base/arena.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "event/epoll_loop.hpp"
#include "event/timers.hpp"
#include "mocks.hpp"
#include "net/channel.hpp"
#include "net/output.hpp"
#include "net/socket.hpp"

namespace hone::mesh::testing {
namespace {

TEST(Buffers, ReturnWithTheirLastUse) {
  BufferPool pool;
  BufferRef first(pool);
  BufferRef second = first;
  EXPECT_TRUE(first->is_shared());
  first.reset();
  EXPECT_EQ(pool.lent(), 1u);
  char* const bytes = second->bytes();
  second.reset();
  EXPECT_EQ(pool.lent(), 0u);
  EXPECT_EQ(BufferRef(pool)->bytes(), bytes) << "the last returned is lent first";
}

TEST(Arenas, HandOutMemoryThatStaysApart) {
  BlockPool pool;
  Arena arena(pool);
  std::vector<std::string_view> texts;
  for (int count = 0; count < 300; ++count)
    texts.push_back(arena.copy(std::string(37, static_cast<char>('a' + count % 26))));
  const std::string_view large = arena.copy(std::string(10'000, 'L'));
  for (int count = 0; count < 300; ++count) {
    EXPECT_EQ(texts[static_cast<std::size_t>(count)], std::string(37, static_cast<char>('a' + count % 26)));
  }
  EXPECT_EQ(large, std::string(10'000, 'L'));
  EXPECT_EQ(arena.join("a", "", "bc"), "abc");
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arena.allocate(1)) % alignof(std::max_align_t), 0u);
}

TEST(Texts, NumbersAreDigitsAlone) {
  EXPECT_EQ(number("0"), 0u);
  EXPECT_EQ(number("18446744073709551615"), UINT64_MAX);
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "0x1", "1.0", "18446744073709551616", "a"}) {
    EXPECT_EQ(number(text), std::nullopt) << text;
  }
}

TEST(Outputs, GatherCopiesAndSlicesIntoOneWrite) {
  BufferPool pool;
  Wire wire;
  NiceMock<MockTransport> transport(wire);
  Output output(pool);
  BufferRef body(pool);
  std::copy_n("body", 4, body->bytes());
  output.append_all("head", ": ");
  output.append(Slice{body, {body->bytes(), 4}});
  output.append("\r\n");
  EXPECT_EQ(output.bytes(), 12u);
  EXPECT_EQ(output.flush(transport), 0);
  EXPECT_EQ(wire.written, "head: body\r\n");
  EXPECT_EQ(wire.writes, 1u);
  body.reset();
  EXPECT_EQ(pool.lent(), 0u) << "an empty output holds no buffer";
}

TEST(Outputs, GoOnWhereTheKernelStopped) {
  BufferPool pool;
  Wire wire;
  NiceMock<MockTransport> transport(wire);
  Output output(pool);
  std::string all;
  for (int count = 0; count < 200; ++count) {
    const std::string part(static_cast<std::size_t>(count * 7 % 400), static_cast<char>('a' + count % 26));
    // Slices with a keeper each, so that more pieces wait than one write takes.
    BufferRef keeper(pool);
    std::copy(part.begin(), part.end(), keeper->bytes());
    output.append(Slice{keeper, {keeper->bytes(), part.size()}});
    all += part;
  }
  std::size_t step = 1;
  while (!output.is_empty()) {
    wire.room = step = step * 3 % 1013 + 1;
    ASSERT_EQ(output.flush(transport), 0);
  }
  EXPECT_EQ(wire.written, all);
  EXPECT_EQ(pool.lent(), 0u);
}

// Wheel against a map of deadlines, over random sets, cancels and steps.
TEST(Timers, FireOnceAtTheirTimeAndNeverBefore) {
  struct Fired {
    void fire() { ++count; }
    int count = 0;
  };
  Random random(7);
  const Moment start{std::chrono::seconds(5)};
  TimerWheel wheel(start);
  constexpr std::size_t kTimers = 200;
  std::vector<Fired> fired(kTimers);
  std::vector<std::unique_ptr<Timer>> timers;
  for (Fired& one : fired) timers.push_back(std::make_unique<Timer>(Delegate<void()>::of<&Fired::fire>(one)));
  std::map<std::size_t, Moment> deadlines;
  Moment now = start;
  for (int step = 0; step < 3000; ++step) {
    const std::size_t at = random.below(kTimers);
    // From microseconds to hours.
    const Duration after = Duration(random.next() % (std::uint64_t{1} << (10 + random.below(33))));
    if (random.below(4) == 0) {
      timers[at]->cancel();
      deadlines.erase(at);
    } else {
      wheel.set(*timers[at], now + after);
      deadlines[at] = now + after;
    }
    Moment next = kNever;
    for (const auto& [timer, deadline] : deadlines) next = std::min(next, deadline);
    if (next != kNever) {
      EXPECT_LE(wheel.next(), next + std::chrono::milliseconds(1));
    }
    now += Duration(random.next() % (std::uint64_t{1} << (10 + random.below(30))));
    wheel.advance(now);
    for (auto one = deadlines.begin(); one != deadlines.end();) {
      const Duration late = now - one->second;
      Fired& it = fired[one->first];
      if (late < Duration(0)) {
        EXPECT_EQ(it.count, 0) << "before its time";
      } else if (late >= std::chrono::milliseconds(1)) {
        EXPECT_EQ(it.count, 1) << "late by " << late.count() << " ns";
      }
      one = it.count > 0 ? (it.count = 0, deadlines.erase(one)) : std::next(one);
    }
    for (const Fired& one : fired) EXPECT_EQ(one.count, 0) << "fired without being set";
    if (HasFailure()) return;
  }
}

TEST(Timers, MayEndOrSetEachOtherWhileTheyFire) {
  const Moment start{};
  TimerWheel wheel(start);
  struct Chain {
    void fire() {
      other.reset();
      if (++count < 3) wheel.set(*self, Moment{} + std::chrono::milliseconds(10 * (count + 1)));
    }
    TimerWheel& wheel;
    std::unique_ptr<Timer> self;
    std::unique_ptr<Timer> other;
    int count = 0;
  } chain{wheel, nullptr, nullptr};
  chain.self = std::make_unique<Timer>(Delegate<void()>::of<&Chain::fire>(chain));
  chain.other = std::make_unique<Timer>(Delegate<void()>::of<&Chain::fire>(chain));
  wheel.set(*chain.other, start + std::chrono::milliseconds(10));
  wheel.set(*chain.self, start + std::chrono::milliseconds(10));
  EXPECT_EQ(wheel.advance(start + std::chrono::seconds(1)), 3u);
  EXPECT_EQ(wheel.next(), kNever);
}

TEST(Loops, ForgetWhatAHandlerOfTheSameTurnEnds) {
  // A worker that was told to take no more connections closed its listeners while one of them was ready.
  struct Pair {
    void handle(Ready) {
      ++handled;
      for (std::unique_ptr<Watch>& watch : watches) {
        loop.forget(*watch);
        watch.reset(new Watch(-1, {}));
      }
    }
    EpollLoop loop;
    std::array<std::unique_ptr<Watch>, 2> watches;
    int handled = 0;
  } pair;
  const std::array<Descriptor, 2> ready = {Descriptor(::eventfd(1, 0)), Descriptor(::eventfd(1, 0))};
  for (std::size_t at = 0; at < 2; ++at) {
    pair.watches[at] = std::make_unique<Watch>(ready[at].get(), Delegate<void(Ready)>::of<&Pair::handle>(pair));
    pair.loop.watch(*pair.watches[at], {.readable = true, .writable = false});
  }
  pair.loop.turn(Duration(0));
  EXPECT_EQ(pair.handled, 1);
}

TEST(Tasks, LeaveTheQueueWhenOneBeforeThemDestroysThem) {
  // A connection that ended had a task behind the one that destroyed it, which another connection had asked for before.
  struct Owner {
    void destroy() { other.reset(); }
    void count() { ++counted; }
    std::unique_ptr<Task> other;
    int counted = 0;
  } owner;
  Task destroys(Delegate<void()>::of<&Owner::destroy>(owner));
  Task last(Delegate<void()>::of<&Owner::count>(owner));
  owner.other = std::make_unique<Task>(Delegate<void()>::of<&Owner::count>(owner));
  TaskQueue queue;
  queue.push(destroys);
  queue.push(*owner.other);
  queue.push(last);
  queue.push(*owner.other);
  queue.run_all();
  EXPECT_EQ(owner.counted, 1);
  EXPECT_TRUE(queue.is_empty());
}

// Reads the bytes of a channel, and counts the channel's calls.
struct Reader {
  explicit Reader(std::unique_ptr<Transport> transport)
      : channel(loop, buffers, std::move(transport),
                {.readable = Delegate<void()>::of<&Reader::readable>(*this),
                 .flushed = Delegate<void(bool)>::of<&Reader::flushed>(*this),
                 .broken = Delegate<void()>::of<&Reader::broken>(*this)}) {
    channel.start();
  }
  void readable() { last = channel.fill(); }
  void flushed(bool has_room) { room_count += has_room ? 1 : 0; }
  void broken() { ++broken_count; }

  NiceMock<MockLoop> loop;
  BufferPool buffers;
  Channel channel;
  Channel::Fill last;
  int room_count = 0;
  int broken_count = 0;
};

TEST(Channels, LendABufferOnlyWhileBytesAreThere) {
  Wire wire;
  Reader reader(transport_of(wire));
  EXPECT_EQ(reader.buffers.lent(), 0u);
  wire.incoming = {"hello"};
  reader.loop.turn();
  EXPECT_EQ(reader.channel.input(), "hello");
  EXPECT_EQ(reader.buffers.lent(), 1u);
  reader.channel.take(5);
  reader.channel.release_if_taken();
  EXPECT_EQ(reader.buffers.lent(), 0u);
}

TEST(Channels, PutSmallPiecesThatOthersHoldIntoOneBuffer) {
  Wire wire;
  Reader reader(transport_of(wire));
  std::vector<Slice> held;
  for (int count = 0; count < 1000; ++count) {
    wire.incoming = {"x"};
    reader.loop.turn();
    held.push_back({reader.channel.keeper(), reader.channel.input()});
    reader.channel.take(1);
    reader.channel.release_if_taken();
  }
  EXPECT_EQ(reader.buffers.lent(), 1u) << "a client of single bytes would take 16 KiB for each";
}

TEST(Channels, KeepMarkedBytesTogetherWhenABufferIsFull) {
  Wire wire;
  Reader reader(transport_of(wire));
  wire.incoming = {std::string(kBufferBytes - 100, 'a') + "HEAD"};
  reader.loop.turn();
  reader.channel.take(kBufferBytes - 100);
  const char* const head = reader.channel.input_bytes();
  reader.channel.keep_from(head);
  reader.channel.take(4);
  wire.incoming = {"MORE"};
  reader.loop.turn();
  EXPECT_NE(reader.last.moved, 0);
  EXPECT_EQ(std::string_view(head + reader.last.moved, 8), "HEADMORE");
  EXPECT_EQ(reader.channel.input(), "MORE");
}

TEST(Channels, SayWhenMarkedBytesFillABuffer) {
  Wire wire;
  Reader reader(transport_of(wire));
  wire.incoming = {std::string(kBufferBytes, 'h'), "more"};
  reader.loop.turn();
  reader.channel.keep_from(reader.channel.input_bytes());
  reader.channel.take(kBufferBytes);
  reader.loop.turn();
  EXPECT_TRUE(reader.last.is_full);
}

TEST(Channels, TellOfRoomOncePerFilling) {
  Wire wire;
  Reader reader(transport_of(wire));
  wire.room = 0;
  reader.channel.output().append(std::string(kHighWater + 1, 'x'));
  reader.channel.flush_later();
  reader.loop.end_turn();
  EXPECT_EQ(reader.room_count, 0);
  wire.room = kHighWater - kLowWater;
  reader.loop.turn();
  EXPECT_EQ(reader.room_count, 0) << "more than the low mark is left";
  wire.room = kLowWater;
  reader.loop.turn();
  EXPECT_EQ(reader.room_count, 1);
  wire.room = kLowWater;
  reader.loop.turn();
  EXPECT_EQ(reader.room_count, 1);
}

TEST(Addresses, AreNumbersOrPaths) {
  for (const char* text : {"127.0.0.1:80", "[::1]:8080", "unix:/run/a.sock", "0.0.0.0:0"}) {
    const auto address = Address::parse(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(address->text(), text);
  }
  EXPECT_EQ(Address::parse("localhost:1")->text(), "127.0.0.1:1");
  for (const char* text : {"", "80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "a.b:1", "::1:80", "[::1]",
                           "unix:", "256.0.0.1:1", "127.0.0.1:+1"}) {
    EXPECT_FALSE(Address::parse(text)) << text;
  }
  EXPECT_FALSE(Address::parse("unix:/" + std::string(200, 'x')));
}

// Sockets themselves, over the real loop.
TEST(Sockets, ConnectAndCarryBytes) {
  EpollLoop loop;
  const Descriptor listening = listen_on(*Address::parse("127.0.0.1:0"));
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  ASSERT_EQ(::getsockname(listening.get(), reinterpret_cast<sockaddr*>(&bound), &size), 0);
  Dialled dialled = dial(Address::of(bound, size));
  ASSERT_EQ(dialled.error, 0);
  struct Seen {
    void ready(Ready ready) { writable |= ready.writable; }
    bool writable = false;
  } seen;
  Watch watch(dialled.socket.get(), Delegate<void(Ready)>::of<&Seen::ready>(seen));
  loop.watch(watch, {.readable = false, .writable = true});
  while (!seen.writable) loop.turn(std::chrono::seconds(1));
  loop.forget(watch);
  EXPECT_EQ(connect_error(dialled.socket.get()), 0);
  Accepted accepted = accept_from(listening.get());
  ASSERT_EQ(accepted.error, 0);
  EXPECT_EQ(accepted.peer.host(), "127.0.0.1");
  SocketTransport client(std::move(dialled.socket));
  SocketTransport server(std::move(accepted.socket));
  char bytes[] = "ping";
  const iovec pieces[] = {{bytes, 2}, {bytes + 2, 2}};
  EXPECT_EQ(client.write(pieces).bytes, 4u);
  client.shut_writes();
  char got[16];
  EXPECT_EQ(server.read(got).bytes, 4u);
  EXPECT_TRUE(server.read(got).is_end());
}

}  // namespace
}  // namespace hone::mesh::testing
