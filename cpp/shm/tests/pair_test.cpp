// Connections that are woken together, and sides that break the pair that wakes them.
#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "support.hpp"

namespace hone::shm {

bool operator==(const News& one, const News& other) {
  return one.key == other.key && one.may_read == other.may_read && one.may_write == other.may_write;
}

void PrintTo(const News& news, std::ostream* out) {
  *out << news.key << (news.may_read ? " read" : "") << (news.may_write ? " write" : "");
}

namespace {

using test::bytes_of;
using test::Listener;
using test::patient;
using test::Sides;

using AllNews = std::vector<News>;

AllNews taken(const Pairs& pairs) {
  AllNews news;
  pairs.take(news);
  return news;
}

bool is_woken(const Pairs& pairs) {
  return detail::wait(pairs.descriptor(), POLLIN, 0) == 0;
}

// Waits until a server's connection, over which nothing comes yet, is settled.
void settle(Connection& connection) {
  std::array<std::byte, 1> none;
  while (!connection.is_settled()) {
    EXPECT_EQ(detail::wait(connection.read_descriptor(), POLLIN, -1), 0);
    EXPECT_TRUE(connection.read(none).would_block());
  }
}

// Loops are the loops of a client and of a server, with a listener.
struct Loops {
  explicit Loops(std::size_t most_segments = 1024) : server({.ring_bytes = kSmallestRing}, most_segments) {}

  // Returns both sides of a connection with a key, which has begun.
  Sides connected(std::uint64_t key) {
    Sides sides;
    std::thread connecting([&] { sides.client = connect(listener.path(), patient(), of_client, key); });
    sides.server = server.answer(listener.accept(), of_server, key);
    settle(sides.server);
    connecting.join();
    EXPECT_TRUE(sides.client.is_paired() && sides.server.is_paired());
    return sides;
  }

  std::shared_ptr<detail::Pair> pair() const { return of_client.known()->with_server(listener.path()); }

  const Listener listener;
  const Server server;
  const Pairs of_client, of_server;
};

TEST(Pairs, WakeALoopOnceForAllThatHasCome) {
  Loops loops;
  std::array<Sides, 3> all{loops.connected(0), loops.connected(1), loops.connected(2)};
  std::array<std::byte, 64> into;
  for (Sides& one : all) EXPECT_TRUE(one.server.read(into).would_block());
  EXPECT_EQ(taken(loops.of_server), AllNews());
  EXPECT_FALSE(is_woken(loops.of_server));
  all[0].client.write(bytes_of("text"));
  all[1].client.write(bytes_of("text"));
  EXPECT_TRUE(is_woken(loops.of_server) && loops.of_server.has_news());
  EXPECT_EQ(taken(loops.of_server), (AllNews{{0, true, false}, {1, true, false}}));
  EXPECT_EQ(taken(loops.of_server), AllNews());
  EXPECT_FALSE(is_woken(loops.of_server)) << "one ring was for both";
  all[0].client.write(bytes_of("more"));
  EXPECT_EQ(taken(loops.of_server), AllNews()) << "only who would have blocked is told";
  EXPECT_EQ(all[0].server.read(into).bytes, 8U);
}

TEST(Pairs, LookAtABellThatHasRungOrIsSaidToBeReadable) {
  Loops loops;
  auto sides = loops.connected(1);
  std::array<std::byte, 64> into;
  EXPECT_TRUE(sides.server.read(into).would_block());
  EXPECT_EQ(taken(loops.of_server), AllNews());
  AllNews news;
  for (int count = 0; count < 3; ++count) {
    sides.client.write(bytes_of("text"));
    EXPECT_TRUE(is_woken(loops.of_server));
    loops.of_server.take(news, false);
    EXPECT_EQ(news, (AllNews{{1, true, false}}));
    EXPECT_EQ(sides.server.read(into).bytes, 4U);
    EXPECT_TRUE(sides.server.read(into).would_block());
    loops.of_server.take(news, false);
    EXPECT_EQ(news, AllNews());
    EXPECT_FALSE(is_woken(loops.of_server)) << "it has rung, and is silent again";
  }
  // A process that was killed leaves no notice.
  ::shutdown(loops.pair()->bell(), SHUT_RDWR);
  EXPECT_TRUE(is_woken(loops.of_server));
  loops.of_server.take(news, false);
  EXPECT_EQ(news, AllNews());
  loops.of_server.take(news);
  EXPECT_EQ(news, (AllNews{{1, true, true}}));
}

TEST(Pairs, TellAWriterOfRoom) {
  Loops loops;
  auto [client, server] = loops.connected(7);
  std::vector<std::byte> much(2 * kSmallestRing);
  EXPECT_EQ(client.write(much).bytes, kSmallestRing);
  EXPECT_TRUE(client.write(much).would_block());
  EXPECT_EQ(taken(loops.of_client), AllNews());
  EXPECT_EQ(server.read(much).bytes, kSmallestRing);
  EXPECT_TRUE(is_woken(loops.of_client));
  EXPECT_EQ(taken(loops.of_client), (AllNews{{7, false, true}}));
  EXPECT_EQ(client.write(much).bytes, kSmallestRing);
}

TEST(Pairs, TellOfAnEndAfterWhatWasWritten) {
  Loops loops;
  for (const bool half : {true, false}) {
    auto [client, server] = loops.connected(1);
    std::array<std::byte, 64> into;
    EXPECT_TRUE(server.read(into).would_block());
    client.write(bytes_of("last words"));
    if (half) {
      client.close_write();
    } else {
      client.close();
    }
    EXPECT_EQ(taken(loops.of_server), (AllNews{{1, true, true}}));
    EXPECT_EQ(server.read(into).bytes, 10U);
    EXPECT_TRUE(server.read(into).is_end());
  }
}

TEST(TheEndOfABell, EndsAllConnectionsOfItsPairOnce) {
  Loops loops;
  std::array<Sides, 2> all{loops.connected(0), loops.connected(1)};
  std::array<std::byte, 64> into;
  for (Sides& one : all) EXPECT_EQ(one.client.write(bytes_of("last")).error, 0);
  ::shutdown(loops.pair()->bell(), SHUT_RDWR);
  // Notices that were posted before come first.
  AllNews news = taken(loops.of_server);
  while (!news.empty() && !news[0].may_write) news = taken(loops.of_server);
  EXPECT_EQ(news, (AllNews{{0, true, true}, {1, true, true}}));
  EXPECT_EQ(taken(loops.of_server), AllNews());
  EXPECT_FALSE(is_woken(loops.of_server)) << "it would let nobody sleep";
  for (Sides& one : all) {
    EXPECT_EQ(one.server.read(into).bytes, 4U);
    EXPECT_TRUE(one.server.read(into).is_end());
  }
  const Sides next = loops.connected(5);
  EXPECT_TRUE(next.client.is_paired()) << "the next one has a new pair";
}

// Sends on each byte that comes, `most` bytes of each connection, and sleeps whenever there are none.
void pass_on(const Pairs& pairs, std::array<Connection*, 3> connections, int most) {
  std::array<int, 3> left{most, most, most};
  const auto is_over = [&] { return std::ranges::all_of(left, [](int one) { return one <= 0; }); };
  // A connection has news once a read of it would have blocked.
  AllNews news{{0, true, false}, {1, true, false}, {2, true, false}};
  std::array<std::byte, 1> byte{};
  while (!is_over()) {
    for (const News& one : news) {
      while (connections[one.key]->read(byte).bytes > 0) {
        --left[one.key];
        connections[one.key]->write(byte);
      }
    }
    pairs.take(news);
    if (news.empty() && !is_over()) {
      ASSERT_EQ(detail::wait(pairs.descriptor(), POLLIN, 300'000), 0) << "a wake-up was lost";
    }
  }
}

TEST(Pairs, LoseNoWakeUpWhereLoopsWakeEachOtherInTurn) {
  constexpr int kRoundTrips = 10'000;
  Loops loops;
  std::array<Sides, 3> all{loops.connected(0), loops.connected(1), loops.connected(2)};
  std::thread answering(
      [&] { pass_on(loops.of_server, {&all[0].server, &all[1].server, &all[2].server}, kRoundTrips); });
  for (Sides& one : all) one.client.write(bytes_of("t"));
  pass_on(loops.of_client, {&all[0].client, &all[1].client, &all[2].client}, kRoundTrips);
  answering.join();
}

TEST(APair, EndsWithItsLastConnection) {
  Loops loops;
  {
    Sides first = loops.connected(0);
    const std::uint64_t token = loops.pair()->token();
    Sides second = loops.connected(1);
    EXPECT_EQ(loops.pair()->token(), token);
    first.client.close();
    EXPECT_NE(loops.pair(), nullptr);
    second.client.close();
    EXPECT_EQ(loops.pair(), nullptr);
  }
  EXPECT_EQ(loops.server.open_segments(), 0U);
}

TEST(APair, WhoseSeatsAreTakenIsFollowedByAnother) {
  Loops loops;
  std::vector<Sides> all;
  std::array<std::byte, 1> into;
  for (std::size_t key = 0; key < detail::kSeats + 2; ++key) all.push_back(loops.connected(key));
  for (Sides& one : all) EXPECT_TRUE(one.server.read(into).would_block());
  EXPECT_EQ(taken(loops.of_server), AllNews());
  for (Sides& one : all) one.client.write(bytes_of("t"));
  EXPECT_EQ(taken(loops.of_server).size(), all.size());
}

TEST(APairedConnection, IsNotWaitedForByItself) {
  Loops loops;
  const Sides sides = loops.connected(1);
  EXPECT_EQ(sides.client.wait_for_bytes(), EOPNOTSUPP);
  EXPECT_EQ(sides.client.wait_for_room(), EOPNOTSUPP);
}

TEST(AConnection, WhoseOtherSideKnowsNoPairsIsWokenForItself) {
  Loops loops;
  const std::function<Connection()> clients[] = {
      [&] { return connect(loops.listener.path(), patient()); },
      [&] { return connect(loops.listener.path(), patient(), loops.of_client, 1); },
  };
  const std::function<Connection(Descriptor)> servers[] = {
      [&](Descriptor accepted) { return loops.server.answer(std::move(accepted), loops.of_server, 1); },
      [&](Descriptor accepted) { return loops.server.answer(std::move(accepted)); },
  };
  for (std::size_t at = 0; at < std::size(clients); ++at) {
    Connection client;
    std::thread connecting([&] { client = clients[at](); });
    Connection server = servers[at](loops.listener.accept());
    settle(server);
    connecting.join();
    EXPECT_TRUE(client.is_shared() && !client.is_paired() && !server.is_paired()) << at;
    client.write(bytes_of("x"));
    std::array<std::byte, 1> into;
    EXPECT_EQ(server.read_waiting(into).bytes, 1U);
  }
}

TEST(Rings, WithoutNoticesAreTakenAndDoNotKeepTheLoop) {
  Loops loops;
  const Sides sides = loops.connected(1);
  const std::vector<std::byte> many(64 * detail::kMostRounds + 1);
  EXPECT_EQ(detail::send(loops.pair()->bell(), many).bytes, many.size());
  EXPECT_EQ(taken(loops.of_server), AllNews());
  EXPECT_TRUE(is_woken(loops.of_server)) << "what is left lets nobody sleep";
  EXPECT_EQ(taken(loops.of_server), AllNews());
  EXPECT_FALSE(is_woken(loops.of_server));
}

// Files that a server may send along with a seat.
void send_page(detail::Files& files) {
  Descriptor file, ours, theirs;
  EXPECT_TRUE(detail::Page::create(5, file));
  EXPECT_TRUE(detail::socket_pair(ours, theirs));
  files.take(std::move(file));
  files.take(std::move(theirs));
}

void send_memory(std::size_t bytes, detail::Files& files) {
  Descriptor ours, theirs;
  EXPECT_TRUE(detail::socket_pair(ours, theirs));
  files.take(detail::create_memory(bytes));
  files.take(std::move(theirs));
}

TEST(AClient, TakesNoSeatThatIsNoneAndNoPageThatIsNone) {
  struct Case {
    const char* name;
    std::optional<std::size_t> seat;
    std::function<void(detail::Files&)> of_pair;
    bool is_taken;
  };
  const auto nothing = [](detail::Files&) {};
  const Case cases[] = {
      {"as it should be", 0, send_page, true},
      {"no pair", std::nullopt, nothing, true},
      {"a seat without a pair", 0, nothing, false},
      {"a pair without a seat", std::nullopt, send_page, false},
      {"a seat that is none", detail::kSeats, send_page, false},
      {"no page", 0, [](auto& files) { send_memory(detail::kPageBytes, files); }, false},
      {"another size", 0, [](auto& files) { send_memory(2 * detail::kPageBytes, files); }, false},
      {"a bell that is none", 0,
       [](auto& files) {
         send_page(files);
         files.files[3] = Descriptor(::open("/dev/null", O_RDWR | O_CLOEXEC));
       },
       false},
  };
  for (const Case& is : cases) {
    Loops loops;
    Connection made;
    std::thread connecting([&] { made = connect(loops.listener.path(), patient(), loops.of_client, 1); });
    const Descriptor accepted = loops.listener.accept();
    detail::Hello asking;
    ::recv(accepted.get(), asking.data(), asking.size(), MSG_WAITALL);
    EXPECT_EQ(detail::word_of(asking), detail::kHasNoPair);
    detail::Files files;
    Descriptor file, ours, theirs;
    EXPECT_TRUE(Segment::create(kSmallestRing, file));
    EXPECT_TRUE(detail::socket_pair(ours, theirs));
    files.take(std::move(file));
    files.take(std::move(theirs));
    is.of_pair(files);
    const detail::Answer answer{kSmallestRing, is.seat};
    EXPECT_EQ(detail::send_hello(accepted.get(), detail::hello(answer.word()), files), 0);
    connecting.join();
    std::byte word{7};
    EXPECT_EQ(detail::receive(accepted.get(), {&word, 1}).bytes, 1U);
    EXPECT_EQ(word, is.is_taken ? detail::kMapped : detail::kUnmapped) << is.name;
    EXPECT_EQ(made.is_shared(), is.is_taken) << is.name;
  }
}

// PageBreaker is a client of a pair that writes into its page and over its bell as it likes.
struct PageBreaker {
  PageBreaker(const Server& server, const Pairs& pairs, std::uint64_t key) {
    Descriptor theirs;
    EXPECT_TRUE(detail::socket_pair(socket, theirs));
    peer = server.answer(std::move(theirs), pairs, key);
    detail::send(socket.get(), detail::hello(detail::kHasNoPair));
    std::array<std::byte, 1> none;
    EXPECT_TRUE(peer.read(none).would_block());
    detail::Hello answer;
    EXPECT_EQ(detail::receive_hello(socket.get(), answer, files).bytes, answer.size());
    void* mapped = ::mmap(nullptr, detail::kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, files.files[2].get(), 0);
    EXPECT_NE(mapped, MAP_FAILED);
    words = static_cast<std::uint64_t*>(mapped);
    detail::send(socket.get(), {&detail::kMapped, 1});
    EXPECT_TRUE(peer.read(none).would_block());
    EXPECT_TRUE(peer.is_paired());
  }
  ~PageBreaker() { ::munmap(words, detail::kPageBytes); }

  int bell() const { return files.files[3].get(); }
  void store(std::size_t at, std::uint64_t value) const {
    std::atomic_ref<std::uint64_t>(words[at / sizeof value]).store(value);
  }

  Connection peer;
  Descriptor socket;
  detail::Files files;
  std::uint64_t* words = nullptr;
};

TEST(AnythingInThePage, HarmsNoOtherConnectionOfTheLoop) {
  constexpr int kRounds = 10'000, kEndsAt = 9'000;
  Loops loops;
  auto [client, server] = loops.connected(1);
  PageBreaker breaker(loops.server, loops.of_server, 2);
  std::mt19937_64 random(1);
  std::array<std::byte, 64> into{};
  for (int round = 0; round < kRounds; ++round) {
    for (std::uint64_t stores = random() % 8; stores > 0; --stores) {
      breaker.store(random() % (detail::kPageBytes / 8) * 8, random());
    }
    detail::send(breaker.bell(), std::span(into).first(random() % 9));
    if (round == kEndsAt) ::shutdown(breaker.bell(), SHUT_RDWR);
    ASSERT_TRUE(server.read(into).would_block()) << round;
    client.write(bytes_of("text"));
    AllNews news = taken(loops.of_server);
    const AllNews more = taken(loops.of_server);
    news.insert(news.end(), more.begin(), more.end());
    const auto is_of = [](std::uint64_t key) { return [=](const News& one) { return one.key == key; }; };
    ASSERT_TRUE(std::ranges::any_of(news, is_of(1))) << round;
    ASSERT_TRUE(std::ranges::all_of(news, [&](const News& one) { return is_of(1)(one) || is_of(2)(one); })) << round;
    ASSERT_EQ(server.read(into).bytes, 4U) << round;
    // Nothing was written, and no connection ends before its bell does.
    const Transfer came = breaker.peer.read(into);
    ASSERT_TRUE(came.would_block() || (round >= kEndsAt && came.is_end())) << round;
  }
  EXPECT_TRUE(breaker.peer.read(into).is_end());
}

TEST(Notices, OfSeatsWithoutAConnectionAreNothing) {
  Loops loops;
  PageBreaker breaker(loops.server, loops.of_server, 2);
  const std::size_t at = detail::kNoticesAt + detail::kBitsAt;
  for (std::size_t word = 0; word < detail::kNoticeWords; ++word) breaker.store(at + word * 8, ~std::uint64_t{0});
  EXPECT_EQ(taken(loops.of_server), (AllNews{{2, true, true}}));
  // The bit without a meaning, alone.
  breaker.store(at, 1 << (detail::kEnd + 1));
  EXPECT_EQ(taken(loops.of_server), AllNews());
}

}  // namespace
}  // namespace hone::shm
