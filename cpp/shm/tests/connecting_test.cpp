// A client of one thread with its server: a call that waits would hang.
#include <cerrno>
#include <string_view>

#include "support.hpp"

namespace hone::shm {
namespace {

using test::bytes_of;
using test::Listener;

TEST(Connecting, IsSharedOnceTheServerHasAnsweredAndPairedWhereItCan) {
  for (const bool has_pairs : {false, true}) {
    const Listener listener;
    const Server server;
    const Pairs of_client, of_server;
    Connecting connecting = has_pairs ? Connecting(listener.path(), {}, of_client, 1) : Connecting(listener.path());
    Connection accepted = has_pairs ? server.answer(listener.accept(), of_server, 2) : server.answer(listener.accept());
    connecting.go_on();
    EXPECT_TRUE(connecting.is_under_way());
    EXPECT_NE(detail::wait(connecting.descriptor(), POLLIN, 0), 0);
    std::array<std::byte, 8> into;
    EXPECT_TRUE(accepted.read(into).would_block());
    EXPECT_EQ(detail::wait(connecting.descriptor(), POLLIN, 0), 0);
    connecting.go_on();
    ASSERT_FALSE(connecting.is_under_way());
    EXPECT_EQ(connecting.error(), 0);
    Connection connection = connecting.take();
    EXPECT_TRUE(connection.is_shared());
    EXPECT_EQ(connection.is_paired(), has_pairs);
    EXPECT_EQ(connection.write(bytes_of("text")).bytes, 4U);
    EXPECT_EQ(accepted.read(into).bytes, 4U);
  }
}

TEST(Connecting, TakesAnAnswerInPieces) {
  const Listener listener;
  Connecting connecting(listener.path());
  const Descriptor accepted = listener.accept();
  const detail::Hello none = detail::hello(0);
  for (const std::byte one : none) {
    EXPECT_TRUE(connecting.is_under_way());
    detail::send(accepted.get(), {&one, 1});
    connecting.go_on();
  }
  EXPECT_FALSE(connecting.is_under_way());
  const Connection connection = connecting.take();
  EXPECT_TRUE(connection.is_open());
  EXPECT_FALSE(connection.is_shared());
}

TEST(Connecting, IsOrdinaryWhereTheServerSaysSomethingElseOrNothing) {
  for (const std::string_view said : {"HTTP/1.1 400 Bad Request\r\n", ""}) {
    const Listener listener;
    Connecting connecting(listener.path());
    const Descriptor asked = listener.accept();
    detail::send(asked.get(), bytes_of(said));
    connecting.go_on();
    EXPECT_EQ(connecting.is_under_way(), said.empty());
    connecting.ask_no_more();
    Connection connection = connecting.take();
    EXPECT_FALSE(connection.is_shared());
    const Descriptor again = listener.accept();
    EXPECT_EQ(connection.write(bytes_of("text")).bytes, 4U);
    std::array<std::byte, 8> into;
    EXPECT_EQ(detail::receive(again.get(), into).bytes, 4U);
  }
}

TEST(Connecting, TellsWhyThereIsNoConnection) {
  Connecting nowhere("/nowhere/s");
  EXPECT_FALSE(nowhere.is_under_way());
  EXPECT_EQ(nowhere.error(), ENOENT);
  EXPECT_FALSE(nowhere.take().is_open());

  const auto listener = std::make_unique<Listener>();
  Connecting connecting(listener->path());
  const std::string path = listener->path();
  ::unlink(path.c_str());
  connecting.ask_no_more();
  EXPECT_EQ(connecting.error(), ENOENT);
}

}  // namespace
}  // namespace hone::shm
