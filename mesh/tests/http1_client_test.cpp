// A connection to an endpoint, and the pool that keeps it.
#include <gtest/gtest.h>

#include <string>

#include "cluster/http1_pool.hpp"
#include "event/epoll_loop.hpp"
#include "mocks.hpp"
#include "wire/http1/client.hpp"
#include "wire/http1/websocket.hpp"

namespace hone::mesh::testing {
namespace {

using http1::ClientConnection;

// Caller sends requests, and writes down the responses.
class Caller : public MessageSink {
 public:
  Caller()
      : arena(blocks_),
        connection(loop, buffers_, blocks_, transport_of(wire),
                   {.idle = Delegate<void(ClientConnection&)>::of<&Caller::idle>(*this),
                    .ended = Delegate<void(ClientConnection&)>::of<&Caller::ended>(*this)}) {
    connection.start();
  }

  void send(std::string_view method, std::string_view body = {}, bool is_whole = true) {
    Head head;
    head.method = method;
    head.path = "/";
    head.authority = "a";
    if (!body.empty()) head.body = {Body::Kind::kSized, body.size()};
    connection.open(*this);
    connection.write_head(head);
    if (!body.empty()) connection.write_body(Slice{{}, body});
    if (is_whole) connection.write_end({});
    loop.end_turn();
  }
  // Asks for WebSocket, with a client's own key or without one.
  void wish(std::string_view key = "key") {
    Head head;
    head.method = "GET";
    head.path = "/";
    head.authority = "a";
    head.upgrade = kWebSocket;
    if (!key.empty()) head.headers.add(arena, {"sec-websocket-key", key, HeaderId::kOther});
    connection.open(*this);
    connection.write_head(head);
    loop.end_turn();
  }
  void receive(std::string bytes) {
    wire.incoming.push_back(std::move(bytes));
    loop.turn();
  }
  void end() {
    wire.is_ended = true;
    loop.turn();
  }

  void on_head(Head head) override { seen += "[" + std::to_string(head.status) + "]"; }
  void on_body(Slice slice) override { seen += slice.bytes; }
  void on_end(Headers) override { seen += "."; }
  void on_reset(Reset reason) override { seen += " " + word_of(reason) + " "; }
  void on_room() override {}

  NiceMock<MockLoop> loop;
  Wire wire;
  std::string seen;

 private:
  void idle(ClientConnection&) { seen += "idle "; }
  void ended(ClientConnection&) { seen += "ended"; }
  BufferPool buffers_;
  BlockPool blocks_;

 public:
  Arena arena;
  ClientConnection connection;
};

constexpr char kResponse[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

constexpr char kAgreed[] =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nsec-websocket-accept: x\r\n\r\n";

TEST(Http1Client, PassesBytesBothWaysOnceWebSocketIsAgreedTo) {
  Caller caller;
  caller.wish();
  EXPECT_EQ(caller.wire.written,
            "GET / HTTP/1.1\r\nhost: a\r\nsec-websocket-key: key\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n");
  caller.connection.write_body(Slice{{}, "too early"});
  caller.receive(std::string(kAgreed) + "first");
  EXPECT_EQ(caller.seen, "[101]first");
  caller.receive("second");
  caller.wire.written.clear();
  caller.connection.write_body(Slice{{}, "raw"});
  caller.connection.write_end({});
  caller.loop.end_turn();
  EXPECT_EQ(caller.wire.written, "raw") << "and nothing of what came before the answer";
  EXPECT_TRUE(caller.wire.is_shut);
  caller.receive("third");
  caller.end();
  EXPECT_EQ(caller.seen, "[101]firstsecondthird.ended");
}

TEST(Http1Client, HasWebSocketProvenWhereItsClientDoesNot) {
  EXPECT_EQ(http1::websocket_accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") << "RFC 6455's own";
  for (const bool is_proven : {true, false}) {
    Caller caller;
    caller.wish("");
    const std::string head = "\r\nsec-websocket-key: ";
    const std::size_t at = caller.wire.written.find(head);
    ASSERT_NE(at, std::string::npos);
    const std::string key = caller.wire.written.substr(at + head.size(), 24);
    caller.receive(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " +
        http1::websocket_accept(is_proven ? key : "another") + "\r\n\r\n");
    EXPECT_EQ(caller.seen, is_proven ? "[101]" : " protocol ended");
  }
}

TEST(Http1Client, RefusesWebSocketThatWasNotAskedForOrIsSomethingElse) {
  Caller unasked;
  unasked.send("GET");
  unasked.receive(kAgreed);
  EXPECT_EQ(unasked.seen, " protocol ended");
  for (const char* fields : {"", "Upgrade: h2c\r\nConnection: Upgrade\r\n", "Upgrade: websocket\r\n"}) {
    Caller caller;
    caller.wish();
    caller.receive("HTTP/1.1 101 Switching Protocols\r\n" + std::string(fields) + "\r\n");
    EXPECT_EQ(caller.seen, " protocol ended") << fields;
  }
}

TEST(Http1Client, KeepsItsConnection) {
  Caller client;
  client.send("GET");
  EXPECT_EQ(client.wire.written, "GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  client.receive(kResponse);
  client.send("POST", "body");
  client.receive("HTTP/1.1 100 Continue\r\n\r\n");
  client.receive(kResponse);
  EXPECT_EQ(client.seen, "[200]ok.idle [100][200]ok.idle ");
}

TEST(Http1Client, SaysThatABodyIsEmptyWhereOneIsExpected) {
  for (const std::string method : {"POST", "PUT", "PATCH"}) {
    Caller client;
    client.send(method);
    EXPECT_EQ(client.wire.written, method + " / HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n");
  }
}

TEST(Http1Client, KeepsNoConnectionThatMayBeOutOfStep) {
  Caller closing;
  closing.send("GET");
  closing.receive("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
  EXPECT_EQ(closing.seen, "[200]ok.ended");
  Caller talkative;
  talkative.send("GET");
  talkative.receive(std::string(kResponse) + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfalse");
  EXPECT_EQ(talkative.seen, "[200]ok.ended");
  Caller early;
  early.send("POST", "bo", false);
  early.receive(kResponse);
  EXPECT_EQ(early.seen, "[200]ok.ended");
  Caller unasked;
  unasked.send("GET");
  unasked.receive(kResponse);
  unasked.receive(kResponse);
  EXPECT_EQ(unasked.seen, "[200]ok.idle ended");
}

TEST(Http1Client, ReadsABodyUntilTheEnd) {
  Caller client;
  client.send("GET");
  client.receive("HTTP/1.1 200 OK\r\n\r\nall ");
  client.receive("of it");
  client.end();
  EXPECT_EQ(client.seen, "[200]all of it.ended");
}

TEST(Http1Client, TellsWhetherTheRequestMayHaveBeenSeen) {
  Caller fresh;
  fresh.send("GET");
  fresh.end();
  EXPECT_EQ(fresh.seen, " closed ended");
  Caller kept;
  kept.send("GET");
  kept.receive(kResponse);
  kept.send("GET");
  kept.end();
  EXPECT_EQ(kept.seen, "[200]ok.idle  stale ended");
  Caller begun;
  begun.send("GET");
  begun.receive(kResponse);
  begun.send("GET");
  begun.receive("HTTP/1.1 2");
  begun.end();
  EXPECT_EQ(begun.seen, "[200]ok.idle  closed ended") << "the request was seen";
}

TEST(Http1Client, RefusesWhatIsNoResponse) {
  Caller client;
  client.send("GET");
  client.receive("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
  EXPECT_EQ(client.seen, " protocol ended");
  Caller echoed;
  echoed.send("GET");
  echoed.receive("GET / HTTP/1.1\r\nhost: " + std::string(99, 'a'));
  EXPECT_EQ(echoed.seen, " protocol ended");
  EXPECT_EQ(echoed.connection.fault(), "Expected HTTP/, RTSP/ or ICE/; it said: GET / HTTP/1.1\r\nhost: aaaaaaaaaa");
}

TEST(Http1Client, RefusesLongHeads) {
  Caller client;
  client.send("GET");
  client.receive("HTTP/1.1 200 OK\r\nX: " + std::string(2 * kBufferBytes, 'a'));
  for (int turn = 0; turn < 3; ++turn) client.loop.turn();
  EXPECT_EQ(client.seen, " protocol ended");
}

// Pool over real sockets, whose other side the test holds.
class Pools : public ::testing::Test, public MessageSink {
 protected:
  Pools() : listening(listen_on(*Address::parse("127.0.0.1:0"))) {
    cluster.endpoints.push_back({bound_address(listening.get()), 1});
  }
  void SetUp() override { make(); }
  void make() { pool.emplace(Parts{loop, buffers, blocks, random}, cluster, cluster.endpoints[0].address); }

  void ready(Exchange& exchange) { got.push_back(&exchange); }
  void failed(PoolFailure failure) { failures.push_back(failure); }
  std::unique_ptr<Waiter> waiter() {
    return std::make_unique<Waiter>(*this, Delegate<void(Exchange&)>::of<&Pools::ready>(*this),
                                    Delegate<void(PoolFailure)>::of<&Pools::failed>(*this));
  }
  void turn_until(auto condition) {
    while (!condition()) loop.turn(std::chrono::seconds(1));
  }
  void on_head(Head) override {}
  void on_body(Slice) override {}
  void on_end(Headers) override { ++ends; }
  void on_reset(Reset) override { ++resets; }
  void on_room() override {}

  EpollLoop loop;
  BufferPool buffers;
  BlockPool blocks;
  Random random{1};
  Descriptor listening;
  ClusterSpec cluster;
  std::optional<Http1Pool> pool;
  std::vector<Exchange*> got;
  std::vector<PoolFailure> failures;
  int ends = 0;
  int resets = 0;
};

TEST_F(Pools, GiveTheConnectionThatWasUsedLast) {
  const auto first = waiter();
  pool->acquire(*first);
  turn_until([&] { return got.size() == 1; });
  Accepted peer;
  turn_until([&] { return (peer = accept_from(listening.get())).error == 0; });
  Head head;
  head.method = "GET";
  head.path = "/";
  got[0]->write_head(head);
  got[0]->write_end({});
  loop.turn(Duration(0));
  SocketTransport server(std::move(peer.socket));
  char response[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
  const iovec piece{response, sizeof response - 1};
  server.write({&piece, 1});
  turn_until([&] { return ends == 1; });
  const auto second = waiter();
  pool->acquire(*second);
  ASSERT_EQ(got.size(), 2u);
  EXPECT_EQ(got[0], got[1]);
  EXPECT_EQ(pool->connections(), 1u);
  got[1]->reset(Reset::kCancelled);
  EXPECT_EQ(pool->connections(), 0u) << "an exchange that was given up takes its connection with it";
  EXPECT_EQ(cluster.totals->connections, 0u);
  loop.turn(Duration(0));
}

TEST(Sockets, AreKeptAliveWhereThatIsAskedFor) {
  for (const bool is_kept_alive : {false, true}) {
    Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (is_kept_alive) keep_alive(socket.get());
    int value = -1;
    socklen_t size = sizeof value;
    ::getsockopt(socket.get(), SOL_SOCKET, SO_KEEPALIVE, &value, &size);
    EXPECT_EQ(value, is_kept_alive ? 1 : 0);
  }
}

TEST_F(Pools, KeepToTheLimitOfConnections) {
  cluster.limits.connections = 1;
  make();
  const auto first = waiter();
  const auto second = waiter();
  pool->acquire(*first);
  pool->acquire(*second);
  turn_until([&] { return got.size() == 1; });
  EXPECT_TRUE(second->is_waiting());
  EXPECT_EQ(cluster.totals->connections, 1u);
  got[0]->reset(Reset::kCancelled);
  turn_until([&] { return got.size() == 2; });
  got[1]->reset(Reset::kCancelled);
  loop.turn(Duration(0));
}

TEST_F(Pools, FailWhereNobodyListens) {
  listening.reset();
  const auto first = waiter();
  pool->acquire(*first);
  turn_until([&] { return !failures.empty(); });
  EXPECT_EQ(failures, std::vector{PoolFailure::kRefused});
  EXPECT_EQ(cluster.totals->connections, 0u);
  loop.turn(Duration(0));
}

TEST_F(Pools, ForgetWaitersThatGoAway) {
  auto first = waiter();
  pool->acquire(*first);
  first.reset();
  turn_until([&] { return accept_from(listening.get()).error == 0; });
  for (int turn = 0; turn < 3; ++turn) loop.turn(Duration(0));
  EXPECT_TRUE(got.empty());
}

}  // namespace
}  // namespace hone::mesh::testing
