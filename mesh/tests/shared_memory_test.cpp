// Connections of shared memory between two loops of this thread: bytes both ways, waiting, and the end.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/socket.h>

#include <algorithm>
#include <optional>
#include <string>

#include "cluster/dialler.hpp"
#include "net/channel.hpp"
#include "net/shared_memory.hpp"
#include "net/shared_transport.hpp"

namespace hone::mesh::testing {
namespace {

using std::chrono::milliseconds;

// OneWorker has the parts of a process that connections need.
struct OneWorker {
  EpollLoop loop;
  BufferPool buffers;
  BlockPool blocks;
  Random random{1};
  SharedMemoryMetrics metrics;
  SharedMemory shared{loop, 1, metrics};
  Parts parts{loop, buffers, blocks, random, &shared};
};

// SharedEnd is a wire that reads all that comes, unless it holds.
class SharedEnd {
 public:
  SharedEnd(OneWorker& side, std::unique_ptr<Transport> transport)
      : channel(side.loop, side.buffers, std::move(transport),
                {.readable = Delegate<void()>::of<&SharedEnd::on_readable>(*this),
                 .flushed = Delegate<void(bool)>::of<&SharedEnd::on_flushed>(*this),
                 .broken = Delegate<void()>::of<&SharedEnd::on_broken>(*this)}) {
    channel.start();
  }

  void say(std::string_view text) {
    channel.output().append(text);
    channel.flush_later();
  }

  Channel channel;
  std::string heard;
  bool has_ended = false;
  bool is_broken = false;
  int reads = 0;

 private:
  void on_readable() {
    ++reads;
    const Transfer got = channel.fill().transfer;
    heard.append(channel.input());
    channel.take(channel.input().size());
    channel.release_if_taken();
    if (got.would_block() || got.bytes > 0) return;
    has_ended = true;
    channel.hold();
  }
  void on_flushed(bool) {}
  void on_broken() { is_broken = true; }
};

class Shared : public ::testing::Test {
 protected:
  Shared() {
    EXPECT_NE(::mkdtemp(directory_.data()), nullptr);
    spec_.connect_timeout = std::chrono::minutes(5);
    change({.ring_bytes = shm::kSmallestRing});
    listening_ = listen_on(*Address::parse("unix:" + path()));
  }
  ~Shared() override {
    client_.reset();
    server_.reset();
    turn();
    ::unlink(path().c_str());
    ::rmdir(directory_.c_str());
  }

  std::string path() const { return directory_ + "/s"; }
  Address address() const { return *Address::parse("shm:" + path()); }
  void change(const SharedMemorySpec& spec) {
    behind_.shared.change(spec);
    before_.shared.change(spec);
  }
  void turn() {
    before_.loop.turn(milliseconds(0));
    behind_.loop.turn(milliseconds(0));
  }
  template <class Condition>
  bool turn_until(Condition condition) {
    for (int turns = 0; turns < 20'000; ++turns) {
      if (condition()) return true;
      turn();
    }
    return false;
  }

  // Both ends of a connection.
  void connect() {
    dial();
    ASSERT_TRUE(turn_until([&] {
      if (!server_) take();
      return client_ && server_;
    })) << "no connection";
    // A server's connection is settled by the first read after the client's answer.
    turn();
    turn();
  }
  void dial() {
    dialler_.emplace(
        before_.parts, spec_, address(), Alpn::kNone,
        Dialler::Events{.connected = Delegate<void(std::unique_ptr<Transport>, Alpn)>::of<&Shared::on_connected>(*this),
                        .failed = Delegate<void(PoolFailure, std::string_view)>::of<&Shared::on_failed>(*this)});
    ASSERT_EQ(dialler_->dial_one(), PoolFailure::kNone);
  }
  void take() { take(server_); }
  void take(std::optional<SharedEnd>& server) {
    Accepted accepted = accept_from(listening_.get());
    if (accepted.socket) server.emplace(behind_, behind_.shared.answer(std::move(accepted.socket)));
  }
  // The client's end of a connection that is woken by itself.
  shm::Connection connect_alone(std::optional<SharedEnd>& server) {
    shm::Connecting connecting(path());
    EXPECT_TRUE(turn_until([&] {
      if (!server) take(server);
      connecting.go_on();
      return server && !connecting.is_under_way();
    }));
    return connecting.take();
  }
  bool is_shared() const { return behind_.metrics.in_memory.read() == 1 && before_.metrics.in_memory.read() == 1; }

  std::string directory_ = "/tmp/hone-mesh-XXXXXX";
  ClusterSpec spec_;
  OneWorker before_;
  OneWorker behind_;
  Descriptor listening_;
  std::optional<Dialler> dialler_;
  std::optional<SharedEnd> client_;
  std::optional<SharedEnd> server_;
  int failures_ = 0;

 private:
  void on_connected(std::unique_ptr<Transport> transport, Alpn) { client_.emplace(before_, std::move(transport)); }
  void on_failed(PoolFailure, std::string_view) { ++failures_; }
};

TEST_F(Shared, GoesBothWays) {
  connect();
  EXPECT_TRUE(is_shared());
  client_->say("question");
  EXPECT_TRUE(turn_until([&] { return server_->heard == "question"; }));
  server_->say("answer");
  EXPECT_TRUE(turn_until([&] { return client_->heard == "answer"; }));
  const int reads = server_->reads;
  for (int turns = 0; turns < 10; ++turns) turn();
  EXPECT_EQ(server_->reads, reads) << "nobody looks where nothing comes";
}

TEST_F(Shared, PassesMoreThanThereIsRoomForBothWaysAtOnce) {
  connect();
  std::string much(3 << 20, '\0');
  for (std::size_t at = 0; at < much.size(); ++at) much[at] = static_cast<char>('a' + at / 7 % 26);
  client_->say(much);
  server_->say(much);
  EXPECT_TRUE(turn_until([&] { return server_->heard.size() >= much.size() && client_->heard.size() >= much.size(); }));
  EXPECT_TRUE(server_->heard == much && client_->heard == much);
  EXPECT_TRUE(client_->channel.output().is_empty() && server_->channel.output().is_empty());
}

TEST_F(Shared, IsReadALittleInOneTurn) {
  change({.ring_bytes = 1 << 20});
  connect();
  client_->say(std::string(512 << 10, 'x'));
  before_.loop.turn(milliseconds(0));
  std::size_t turns = 0;
  for (std::size_t heard = 0; heard < 512 << 10; heard = server_->heard.size()) {
    ASSERT_LT(++turns, 100U);
    behind_.loop.turn(milliseconds(0));
    // The last read may go beyond it.
    EXPECT_LE(server_->heard.size() - heard, (64 << 10) + kBufferBytes);
  }
  EXPECT_GE(turns, 6U);
}

TEST_F(Shared, WaitsWhereNobodyReadsAndGoesOn) {
  connect();
  server_->channel.hold();
  client_->say(std::string(300 << 10, 'x'));
  for (int turns = 0; turns < 100; ++turns) turn();
  EXPECT_EQ(server_->heard, "");
  EXPECT_GT(client_->channel.waiting(), 200U << 10);
  server_->channel.resume();
  EXPECT_TRUE(turn_until([&] { return server_->heard.size() == 300 << 10; }));
}

TEST_F(Shared, EndsAfterWhatWasWritten) {
  connect();
  client_->say("last words");
  turn();
  client_->channel.shut_writes();
  EXPECT_TRUE(turn_until([&] { return server_->has_ended; }));
  EXPECT_EQ(server_->heard, "last words");
  server_->say("heard");
  EXPECT_TRUE(turn_until([&] { return client_->heard == "heard"; }));
  client_.reset();
  EXPECT_TRUE(turn_until([&] {
    server_->say("nobody");
    return server_->is_broken;
  }));
}

TEST_F(Shared, EndsForBothWithEither) {
  connect();
  server_.reset();
  EXPECT_TRUE(turn_until([&] { return client_->has_ended; }));
  client_.reset();
  EXPECT_EQ(before_.metrics.in_memory.read() + behind_.metrics.in_memory.read(), 0U);
}

// A client that reads nothing and goes: a writer that waits for room hears of it without writing again.
TEST_F(Shared, BreaksForWhoeverWaitsForRoom) {
  connect();
  client_->channel.hold();
  server_->say(std::string(3 * shm::kSmallestRing, 'x'));
  for (int turns = 0; turns < 50; ++turns) turn();
  EXPECT_GT(server_->channel.waiting(), 0U);
  client_.reset();
  EXPECT_TRUE(turn_until([&] { return server_->is_broken; }));
}

TEST_F(Shared, PassesWhatTheServerSaysFirst) {
  dial();
  const std::string much(100'000, 'x');
  ASSERT_TRUE(turn_until([&] {
    if (!server_) {
      take();
      // The client's question has come, and its word on the memory has not.
      if (server_) server_->say(much);
    }
    return client_ && client_->heard.size() == much.size();
  }));
  EXPECT_EQ(before_.metrics.in_memory.read() + before_.metrics.on_sockets.read(), 1U);
  EXPECT_EQ(behind_.metrics.in_memory.read() + behind_.metrics.on_sockets.read(), 1U);
}

TEST_F(Shared, StaysAsItIsWhenOthersGetAnother) {
  connect();
  const std::uint64_t bytes = behind_.shared.bytes();
  change({.ring_bytes = 4 * shm::kSmallestRing, .connections = 1});
  EXPECT_GE(behind_.shared.bytes(), bytes) << "it counts still";
  std::optional<SharedEnd> server;
  const shm::Connection another = connect_alone(server);
  EXPECT_FALSE(another.is_shared()) << "the one that may be is there";
  client_->say("question");
  EXPECT_TRUE(turn_until([&] { return server_->heard == "question"; }));
}

TEST_F(Shared, IsHeldBack) {
  behind_.shared.hold_back(true);
  dial();
  ASSERT_TRUE(turn_until([&] {
    if (!server_) take();
    return client_ && server_;
  }));
  client_->say("question");
  EXPECT_TRUE(turn_until([&] { return server_->heard == "question"; }));
  EXPECT_EQ(behind_.metrics.on_sockets.read(), 1U);
  EXPECT_EQ(behind_.shared.bytes(), 0U);
}

TEST_F(Shared, ServesClientsThatKnowNoPairs) {
  shm::Connection client = connect_alone(server_);
  ASSERT_TRUE(client.is_shared() && !client.is_paired());
  const std::string much(300 << 10, 'x');
  std::size_t written = 0;
  ASSERT_TRUE(turn_until([&] {
    const std::string_view rest = std::string_view(much).substr(written);
    if (!rest.empty()) written += client.write(std::as_bytes(std::span(rest))).bytes;
    return server_->heard.size() == much.size();
  }));
  server_->say(much);
  std::size_t read = 0;
  EXPECT_TRUE(turn_until([&] {
    std::array<std::byte, 4096> into;
    read += client.read(into).bytes;
    return read == much.size();
  }));
  client.close();
  EXPECT_TRUE(turn_until([&] { return server_->has_ended; }));
}

TEST_F(Shared, StaysOnTheSocketWhereTheServerKnowsNoMemory) {
  // The server answers nothing, as one that waits for more.
  spec_.connect_timeout = milliseconds(1);
  dial();
  std::optional<Descriptor> asked, served;
  ASSERT_TRUE(turn_until([&] {
    Accepted accepted = accept_from(listening_.get());
    if (accepted.socket) (asked ? served : asked).emplace(std::move(accepted.socket));
    return client_ && served;
  }));
  client_->say("question");
  SocketTransport server(std::move(*served));
  std::array<char, 64> into;
  std::string heard;
  EXPECT_TRUE(turn_until([&] {
    heard.append(into.data(), server.read(into).bytes);
    return heard == "question";
  }));
  const std::string answer = "answer";
  const iovec piece{const_cast<char*>(answer.data()), answer.size()};
  EXPECT_EQ(server.write({&piece, 1}).bytes, answer.size());
  EXPECT_TRUE(turn_until([&] { return client_->heard == answer; }));
  // The server is not asked again.
  client_.reset();
  ASSERT_EQ(dialler_->dial_one(), PoolFailure::kNone);
  std::optional<Descriptor> next;
  ASSERT_TRUE(turn_until([&] {
    Accepted accepted = accept_from(listening_.get());
    if (accepted.socket) next.emplace(std::move(accepted.socket));
    return client_ && next;
  }));
  client_->say("question");
  SocketTransport next_server(std::move(*next));
  heard.clear();
  EXPECT_TRUE(turn_until([&] {
    heard.append(into.data(), next_server.read(into).bytes);
    return !heard.empty();
  }));
  EXPECT_EQ(heard, "question");
  EXPECT_EQ(before_.metrics.on_sockets.read(), 1U);
}

TEST_F(Shared, ServesClientsThatAskForNoMemory) {
  SocketTransport client(mesh::dial(*Address::parse("unix:" + path())).socket);
  ASSERT_TRUE(turn_until([&] {
    take();
    return server_.has_value();
  }));
  const std::string question(100'000, 'q');
  const iovec pieces[] = {{const_cast<char*>(question.data()), 1},
                          {const_cast<char*>(question.data()), question.size() - 1}};
  std::size_t written = client.write(pieces).bytes;
  EXPECT_TRUE(turn_until([&] { return server_->heard.size() == written; }));
  EXPECT_EQ(behind_.metrics.on_sockets.read(), 1U);
  server_->say("answer, in ");
  server_->say("pieces");
  std::array<char, 64> into;
  std::string heard;
  EXPECT_TRUE(turn_until([&] {
    heard.append(into.data(), client.read(into).bytes);
    return heard == "answer, in pieces";
  }));
}

TEST_F(Shared, IsGivenToNoMoreThanMayHaveIt) {
  change({.connections = 1});
  connect();
  const std::uint64_t bytes = behind_.shared.bytes();
  std::optional<SharedEnd> server;
  const shm::Connection another = connect_alone(server);
  EXPECT_FALSE(another.is_shared());
  EXPECT_EQ(behind_.shared.bytes(), bytes);
}

TEST_F(Shared, FailsWhereNobodyListens) {
  listening_.reset();
  dialler_.emplace(before_.parts, spec_, address(), Alpn::kNone, Dialler::Events{});
  EXPECT_EQ(dialler_->dial_one(), PoolFailure::kRefused);
}

}  // namespace
}  // namespace hone::mesh::testing
