// Connections where one side does not ask for memory, does not give it, or does not know it.
#include <functional>
#include <vector>

#include "support.hpp"

namespace hone::shm {
namespace {

using test::bytes_of;
using test::connected;
using test::Listener;
using test::patient;

bool nobody(uid_t) {
  return false;
}

// Reads all bytes until the end.
std::string rest(Connection& connection) {
  std::string all;
  std::array<std::byte, 5> into;
  for (Transfer got = connection.read_waiting(into); got.bytes > 0; got = connection.read_waiting(into)) {
    all.append(reinterpret_cast<const char*>(into.data()), got.bytes);
  }
  return all;
}

TEST(AServer, ServesClientsThatDoNotAsk) {
  for (const std::string_view text : {"", "x", "HONE", "HONESHM2 and more", "HEAD / HTTP/1.1\r\n"}) {
    const Server server;
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    const Descriptor client(ends[0]);
    Connection connection = server.answer(Descriptor(ends[1]));
    detail::send(client.get(), bytes_of(text));
    ::shutdown(client.get(), SHUT_WR);
    EXPECT_EQ(rest(connection), text);
    EXPECT_FALSE(connection.is_shared());
    EXPECT_EQ(connection.write(bytes_of("answer")).bytes, 6U);
  }
}

TEST(AServer, ThatSendsBeforeItHasHeardAnythingHasAnOrdinaryConnection) {
  const Server server;
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  const Descriptor client(ends[0]);
  Connection connection = server.answer(Descriptor(ends[1]));
  EXPECT_EQ(connection.write(bytes_of("welcome")).bytes, 7U);
  detail::send(client.get(), bytes_of("HONESHM1HONESHM1"));
  ::shutdown(client.get(), SHUT_WR);
  EXPECT_EQ(rest(connection), "HONESHM1HONESHM1");
  EXPECT_FALSE(connection.is_shared());
}

TEST(AServer, SendsNothingBetweenItsOfferAndTheClientsWord) {
  const Server server;
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  const Descriptor client(ends[0]);
  Connection connection = server.answer(Descriptor(ends[1]));
  EXPECT_FALSE(connection.is_settled());
  detail::send(client.get(), detail::hello(detail::kKnowsNoPairs));
  EXPECT_TRUE(connection.write(bytes_of("text")).would_block());
  EXPECT_EQ(connection.write_events(), POLLIN);
  EXPECT_EQ(connection.wait_for_room(0), ETIMEDOUT);
  detail::send(client.get(), {&detail::kUnmapped, 1});
  EXPECT_EQ(connection.wait_for_room(0), 0);
  EXPECT_EQ(connection.write(bytes_of("text")).bytes, 4U);
  EXPECT_TRUE(connection.is_settled() && !connection.is_shared());
}

TEST(AConnection, IsOrdinaryWhereThereIsNoMemoryForIt) {
  struct Case {
    const char* name;
    Server server;
    Options client;
  };
  const Case cases[] = {
      {"the server does not allow it", Server({.allow = nobody}), patient()},
      {"the client does not allow it", Server(), {.patience = patient().patience, .allow = nobody}},
      {"others have all there is", Server({}, 0), patient()},
      {"a ring cannot be so small", Server({.ring_bytes = 1}), patient()},
  };
  for (const Case& is : cases) {
    auto [client, server] = connected(is.server, is.client);
    EXPECT_FALSE(client.is_shared() || server.is_shared()) << is.name;
    EXPECT_EQ(client.room().error, EOPNOTSUPP) << is.name;
    EXPECT_EQ(server.unread().error, EOPNOTSUPP) << is.name;
    EXPECT_EQ(server.write_waiting(bytes_of("text")).bytes, 4U) << is.name;
    server.close_write();
    EXPECT_EQ(rest(client), "text") << is.name;
    EXPECT_EQ(is.server.open_segments(), 0U) << is.name;
  }
}

TEST(AClient, ConnectsToServersThatDoNotKnowSharedMemory) {
  const std::function<void(int)> servers[] = {
      [](int) {},
      [](int socket) { detail::send(socket, bytes_of("what is that?")); },
      [](int socket) { detail::send(socket, bytes_of("HON")); },
  };
  for (const auto& serve : servers) {
    const Listener listener;
    std::string said;
    std::thread client([&] {
      Connection connection = connect(listener.path(), patient());
      EXPECT_FALSE(connection.is_shared());
      said = rest(connection);
    });
    {
      const Descriptor first = listener.accept();
      serve(first.get());
      ::shutdown(first.get(), SHUT_WR);
      std::array<std::byte, 64> into;
      while (detail::transferred([&] { return ::recv(first.get(), into.data(), into.size(), 0); }).bytes > 0) {
      }
    }
    const Descriptor second = listener.accept();
    detail::send(second.get(), bytes_of("welcome"));
    ::shutdown(second.get(), SHUT_WR);
    client.join();
    EXPECT_EQ(said, "welcome");
  }
}

TEST(AClient, ConnectsAnewToServersThatAnswerNothing) {
  const Listener listener;
  const Connection connection = connect(listener.path(), {.patience = std::chrono::milliseconds(1)});
  EXPECT_TRUE(connection.is_open() && !connection.is_shared());
}

TEST(AClient, RefusesFilesThatAreNoneOfASegment) {
  const Listener listener;
  Connection made;
  std::thread client([&] { made = connect(listener.path(), patient()); });
  const Descriptor accepted = listener.accept();
  detail::Files files;
  for (int copy = 0; copy < 2; ++copy) files.take(Descriptor(::dup(accepted.get())));
  std::array<std::byte, detail::kHelloBytes> asking;
  ::recv(accepted.get(), asking.data(), asking.size(), MSG_WAITALL);
  EXPECT_EQ(detail::send_hello(accepted.get(), detail::hello(kSmallestRing), files), 0);
  client.join();
  std::byte word{7};
  EXPECT_EQ(detail::receive(accepted.get(), {&word, 1}).bytes, 1U);
  EXPECT_EQ(word, detail::kUnmapped);
  EXPECT_TRUE(made.is_open() && !made.is_shared());
}

TEST(AClient, TellsWhyItCannotConnect) {
  EXPECT_FALSE(connect("/nobody/is/here").is_open());
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(connect(std::string(200, 'x')).is_open());
  EXPECT_EQ(errno, ENAMETOOLONG);
}

}  // namespace
}  // namespace hone::shm
