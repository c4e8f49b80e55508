// Tunnels between sockets of this machine: bytes both ways, ends, and waiting for a slow reader.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <string>

#include "event/epoll_loop.hpp"
#include "mocks.hpp"
#include "stream/tunnel.hpp"

namespace hone::mesh::testing {
namespace {

using std::chrono::milliseconds;

// A tunnel with the other end of its client's connection, and a cluster of one endpoint that listens.
class Tunnels : public ::testing::Test {
 protected:
  Tunnels() : listening_(listen_on(*Address::parse("127.0.0.1:0"))) {
    spec_.name = "back";
    spec_.endpoints = {{bound_address(listening_.get()), 1}};
    spec_.connect_timeout = std::chrono::seconds(60);
    listener_.tcp = 0;
  }
  ~Tunnels() override { loop_.turn(milliseconds(0)); }

  // An endpoint that refuses connections: its port was free just now.
  static Address refusing() { return bound_address(listen_on(*Address::parse("127.0.0.1:0")).get()); }

  void begin() {
    around_.clusters = {
        Held<Cluster>::make(lent(spec_), first_balancer(),
                            endpoints_with(around_.parts, std::vector<std::unique_ptr<Pool>>(spec_.endpoints.size())))};
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()), 0);
    client_end_ = std::make_unique<SocketTransport>(Descriptor(ends[0]));
    tunnel_.emplace(around_, client_, std::make_unique<SocketTransport>(Descriptor(ends[1])),
                    Delegate<void()>::of<&Tunnels::on_ended>(*this));
    tunnel_->start();
  }
  // Takes the connection that the tunnel makes to its endpoint.
  void connect() {
    turn_until([&] {
      Accepted accepted = accept_from(listening_.get());
      if (accepted.socket) server_end_ = std::make_unique<SocketTransport>(std::move(accepted.socket));
      return server_end_ != nullptr;
    });
    ASSERT_NE(server_end_, nullptr);
  }
  template <class Condition>
  void turn_until(Condition condition) {
    for (int turns = 0; turns < 10'000 && !condition(); ++turns) loop_.turn(milliseconds(1));
  }
  static std::size_t say(Transport& end, std::string_view text) {
    const iovec piece{const_cast<char*>(text.data()), text.size()};
    return end.write({&piece, 1}).bytes;
  }
  // Reads until `size` bytes, or the end, have come. An end is a dot.
  std::string hear(Transport& end, std::size_t size) {
    std::string all;
    turn_until([&] {
      std::string bytes(65536, '\0');
      const Transfer read = end.read(bytes);
      all.append(bytes, 0, read.bytes);
      if (read.is_end()) all += ".";
      return all.size() >= size || read.is_end() || (read.error != 0 && !read.would_block());
    });
    return all;
  }
  void on_ended() { has_ended_ = true; }

  EpollLoop loop_;
  BufferPool buffers_;
  BlockPool blocks_;
  Random random_{1};
  ClusterSpec spec_;
  ListenerSpec listener_;
  Listener serving_{lent(listener_), 0};
  ListenerMetrics& metrics_ = listener_.metrics->of(0);
  ClusterMetrics& cluster_metrics_ = spec_.metrics->of(0);
  Surroundings around_{.parts = {loop_, buffers_, blocks_, random_}};
  Client client_{serving_, "10.0.0.9", "TCP"};
  Descriptor listening_;
  std::unique_ptr<Transport> client_end_;
  std::unique_ptr<Transport> server_end_;
  std::optional<Tunnel> tunnel_;
  bool has_ended_ = false;
};

TEST_F(Tunnels, PassBytesBothWaysWhoeverSpeaksFirst) {
  begin();
  connect();
  say(*server_end_, "welcome");
  EXPECT_EQ(hear(*client_end_, 7), "welcome");
  say(*client_end_, "ask");
  EXPECT_EQ(hear(*server_end_, 3), "ask");
  EXPECT_EQ(metrics_.tcp_received.read(), 3u);
  EXPECT_EQ(metrics_.tcp_sent.read(), 7u);
  EXPECT_EQ(buffers_.lent(), 0u) << "an idle connection holds no buffer";
  EXPECT_EQ(spec_.totals->connections, 1u);
}

TEST_F(Tunnels, PassEachEndOnByItself) {
  for (const bool is_client_first : {true, false}) {
    tunnel_.reset();
    server_end_.reset();
    has_ended_ = false;
    begin();
    connect();
    Transport& first = is_client_first ? *client_end_ : *server_end_;
    Transport& second = is_client_first ? *server_end_ : *client_end_;
    say(first, "last words");
    first.shut_writes();
    EXPECT_EQ(hear(second, 11), "last words.");
    say(second, "an answer");
    EXPECT_EQ(hear(first, 9), "an answer");
    EXPECT_FALSE(has_ended_);
    second.shut_writes();
    EXPECT_EQ(hear(first, 1), ".");
    turn_until([&] { return has_ended_; });
    EXPECT_TRUE(has_ended_);
    EXPECT_EQ(spec_.totals->connections, 0u);
  }
}

TEST_F(Tunnels, KeepLittleForAReaderThatIsSlow) {
  begin();
  connect();
  const std::string part(100'000, 'x');
  std::size_t sent = 0;
  // Until neither the kernel nor the tunnel takes more.
  for (int full = 0; full < 100;) {
    const std::size_t size = say(*client_end_, part);
    sent += size;
    full = size == 0 ? full + 1 : 0;
    loop_.turn(milliseconds(0));
  }
  EXPECT_LE(buffers_.lent() * kBufferBytes, kHighWater + 3 * kBufferBytes);
  std::size_t heard = 0;
  while (heard < sent) {
    const std::size_t size = hear(*server_end_, 1).size();
    ASSERT_GT(size, 0u) << "all that was sent comes";
    heard += size;
  }
  EXPECT_EQ(heard, sent);
}

TEST_F(Tunnels, TryAnotherEndpointWhereOneRefuses) {
  spec_.endpoints.insert(spec_.endpoints.begin(), {refusing(), 1});
  begin();
  say(*client_end_, "early");
  connect();
  EXPECT_EQ(hear(*server_end_, 5), "early");
  EXPECT_EQ(cluster_metrics_.retries.read(), 1u);
  EXPECT_EQ(spec_.totals->connections, 1u);
}

TEST_F(Tunnels, EndWhereEveryEndpointRefuses) {
  spec_.endpoints = {{refusing(), 1}, {refusing(), 1}};
  begin();
  turn_until([&] { return has_ended_; });
  EXPECT_TRUE(has_ended_);
  EXPECT_EQ(cluster_metrics_.connect_failures.read(), 2u);
  EXPECT_EQ(spec_.totals->connections, 0u);
}

TEST_F(Tunnels, KeepToTheLimitOfTheCluster) {
  spec_.limits.connections = 0;
  begin();
  turn_until([&] { return has_ended_; });
  EXPECT_TRUE(has_ended_);
  EXPECT_EQ(cluster_metrics_.overflows.read(), 1u);
}

TEST_F(Tunnels, EndWithEitherSideThatBreaks) {
  begin();
  connect();
  client_end_.reset();
  // The client closed both ways, which looks like the end of one.
  EXPECT_EQ(hear(*server_end_, 1), ".");
  EXPECT_FALSE(has_ended_);
  say(*server_end_, "too late");
  turn_until([&] { return has_ended_; });
  EXPECT_TRUE(has_ended_);
}

TEST_F(Tunnels, EndWhereNothingGoesForLong) {
  listener_.limits.tunnel = milliseconds(5);
  begin();
  connect();
  turn_until([&] { return has_ended_; });
  EXPECT_TRUE(has_ended_);
}

}  // namespace
}  // namespace hone::mesh::testing
