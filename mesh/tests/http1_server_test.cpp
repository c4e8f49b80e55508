// A client's connection: its answers, when it is kept, and when it ends.
#include <gtest/gtest.h>

#include <string>

#include "mocks.hpp"
#include "wire/http1/server.hpp"

namespace hone::mesh::testing {
namespace {

using http1::ServerConnection;
using http1::ServerLimits;
using std::chrono::seconds;

// Server answers each request when the test says so.
class Server : public MessageSink {
 public:
  Server()
      : connection_(loop, buffers_, blocks_, transport_of(wire), limits,
                    {.open = Delegate<MessageSink*(Exchange&)>::of<&Server::open>(*this),
                     .refused = Delegate<void(const http1::Fault&)>::of<&Server::refused>(*this),
                     .greeting = {},
                     .greeted = {},
                     .ended = Delegate<void()>::of<&Server::ended>(*this)}) {
    connection_.start();
  }

  void receive(std::string bytes) {
    wire.incoming.push_back(std::move(bytes));
    loop.turn();
  }
  void answer(std::string_view body, int status = 200, Body::Kind kind = Body::Kind::kSized) {
    Head head;
    head.status = status;
    head.body = {kind, body.size()};
    exchange->write_head(head);
    if (!body.empty()) exchange->write_body(Slice{{}, body});
    std::exchange(exchange, nullptr)->write_end({});
    if (!echoes && !answers_at_once) loop.end_turn();
  }
  std::string taken() { return std::exchange(wire.written, {}); }
  ServerConnection& connection() { return connection_; }
  std::size_t lent() const { return buffers_.lent(); }

  void on_head(Head head) override {
    seen += "[" + std::string(head.method) + " " + std::string(head.path);
    seen += (head.upgrade.empty() ? "" : " ") + std::string(head.upgrade) + "]";
    if (answers_at_once) answer("no", 404);
  }
  void on_body(Slice slice) override { seen += slice.bytes; }
  void on_end(Headers) override {
    seen += ".";
    if (echoes) answer("ok");
  }
  void on_reset(Reset reason) override {
    seen += " " + word_of(reason) + " ";
    exchange = nullptr;
  }
  void on_room() override { seen += "room"; }

  NiceMock<MockLoop> loop;
  Wire wire;
  ServerLimits limits;
  Exchange* exchange = nullptr;
  std::string seen;
  std::string refusals;
  bool has_ended = false;
  bool echoes = false;
  bool answers_at_once = false;

 private:
  MessageSink* open(Exchange& opened) {
    exchange = &opened;
    return this;
  }
  void refused(const http1::Fault& fault) {
    refusals += std::to_string(fault.status) + std::string(fault.detail) + " ";
  }
  void ended() { has_ended = true; }

  BufferPool buffers_;
  BlockPool blocks_;
  ServerConnection connection_;
};

constexpr char kGet[] = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
constexpr char kOk[] = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

TEST(Http1Server, AnswersOneRequestAfterTheOther) {
  Server server;
  server.receive(kGet);
  EXPECT_EQ(server.seen, "[GET /].");
  EXPECT_EQ(server.taken(), "");
  server.answer("ok");
  EXPECT_EQ(server.taken(), kOk);
  server.receive("POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbo");
  server.receive("dy");
  EXPECT_EQ(server.seen, "[GET /].[POST /b]body.");
  server.answer("ok");
  EXPECT_EQ(server.taken(), kOk);
  EXPECT_FALSE(server.has_ended);
  EXPECT_EQ(server.lent(), 0u) << "an idle connection holds no buffer";
}

TEST(Http1Server, AnswersRequestsThatCameTogetherInTheirOrderByOneWrite) {
  Server server;
  server.echoes = true;
  server.receive(
      "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\nGET /3 HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(server.seen, "[GET /1].[GET /2].[GET /3].");
  EXPECT_EQ(server.taken(), std::string(kOk) + kOk + kOk);
  EXPECT_EQ(server.wire.writes, 1u);
}

TEST(Http1Server, HoldsRequestsUntilTheOneBeforeIsAnswered) {
  Server server;
  server.receive("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(server.seen, "[GET /1].");
  server.answer("ok");
  EXPECT_EQ(server.seen, "[GET /1].[GET /2].");
}

TEST(Http1Server, StopsReadingWhenRequestsThatWaitFillItsBuffer) {
  Server server;
  std::string many;
  while (many.size() < 10 * kBufferBytes) many += kGet;
  server.receive(many);
  for (int turn = 0; turn < 20; ++turn) server.loop.turn();
  EXPECT_EQ(server.lent(), 1u);
  ASSERT_FALSE(server.wire.incoming.empty());
  EXPECT_GE(server.wire.incoming.front().size(), 9 * kBufferBytes - 100) << "the rest stays in the kernel";
  server.echoes = true;
  server.answer("ok");
  server.loop.end_turn();
  for (int turn = 0; turn < 40; ++turn) server.loop.turn();
  EXPECT_TRUE(server.wire.incoming.empty());
}

constexpr char kWish[] = "GET /w HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n\r\n";

// Agrees to a request for WebSocket.
void agree(Server& server) {
  Head head;
  head.status = kSwitching;
  head.upgrade = kWebSocket;
  server.exchange->write_head(head);
  server.loop.end_turn();
}

TEST(Http1Server, PassesBytesBothWaysOnceWebSocketIsAgreedTo) {
  Server server;
  server.receive(std::string(kWish) + "early");
  EXPECT_EQ(server.seen, "[GET /w websocket]") << "what follows waits for the answer";
  server.receive(" on");
  EXPECT_EQ(server.seen, "[GET /w websocket]");
  agree(server);
  EXPECT_EQ(server.taken(), "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n");
  EXPECT_EQ(server.seen, "[GET /w websocket]early on");
  server.receive("GET / ");
  EXPECT_EQ(server.seen, "[GET /w websocket]early onGET / ");
  server.exchange->write_body(Slice{{}, "raw"});
  server.loop.end_turn();
  EXPECT_EQ(server.taken(), "raw");
  server.wire.is_ended = true;
  server.loop.turn();
  EXPECT_EQ(server.seen, "[GET /w websocket]early onGET / .") << "the client has finished";
  EXPECT_FALSE(server.has_ended);
  server.exchange->write_body(Slice{{}, "last"});
  server.exchange->write_end({});
  server.loop.end_turn();
  EXPECT_EQ(server.taken(), "last");
  EXPECT_TRUE(server.wire.is_shut);
  EXPECT_TRUE(server.has_ended);
}

TEST(Http1Server, TakesNothingForARequestBehindAWishThatWasRefused) {
  Server server;
  server.receive(std::string(kWish) + kGet);
  server.answer("no", 200);
  EXPECT_EQ(server.taken(), "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nno");
  server.receive(kGet);
  EXPECT_EQ(server.seen, "[GET /w websocket]");
}

TEST(Http1Server, PassesOverWishesForAnythingElse) {
  for (const std::string fields :
       {"Connection: Upgrade\r\nUpgrade: h2c\r\n", "Upgrade: websocket\r\n", "Connection: Upgrade\r\n",
        "Connection: Upgrade\r\nUpgrade: websocket\r\nUpgrade: h2c\r\n",
        "Connection: Upgrade\r\nUpgrade: websocket, h2c\r\n"}) {
    Server server;
    server.receive("GET /w HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n");
    EXPECT_EQ(server.seen, "[GET /w].") << fields;
  }
  Server server;
  server.receive(
      "POST /w HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 1\r\n\r\nx");
  EXPECT_EQ(server.seen, "[POST /w]x.");
}

TEST(Http1Server, EndsAWebSocketThatIsQuiet) {
  Server server;
  server.receive(kWish);
  agree(server);
  server.loop.pass(std::chrono::minutes(50));
  server.receive("x");
  server.loop.pass(std::chrono::minutes(50));
  EXPECT_FALSE(server.has_ended);
  server.loop.pass(std::chrono::minutes(20));
  EXPECT_TRUE(server.has_ended);
  EXPECT_EQ(server.seen, "[GET /w websocket]x closed ");
}

TEST(Http1Server, TellsAClientThatReadsSlowlyAllOfItsLastResponse) {
  Server server;
  server.receive("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  server.wire.room = 10;
  const std::string body(1000, 'x');
  server.answer(body);
  for (int second = 0; second < 20; ++second) {
    server.loop.pass(seconds(1));
    server.wire.room += 50;
    server.loop.turn();
  }
  server.wire.room = static_cast<std::size_t>(-1);
  server.loop.turn();
  EXPECT_TRUE(server.taken().ends_with("\r\n\r\n" + body));
  EXPECT_TRUE(server.wire.is_shut);
}

TEST(Http1Server, TellsClientsOfHttp10WhatTheyKnow) {
  Server server;
  server.receive("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  server.answer("ok");
  EXPECT_EQ(server.taken(), "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: keep-alive\r\n\r\nok");
  server.receive("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  server.answer("streamed", 200, Body::Kind::kStreamed);
  EXPECT_EQ(server.taken(), "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nstreamed");
  EXPECT_TRUE(server.wire.is_shut);
}

TEST(Http1Server, WritesChunksAndTrailers) {
  Server server;
  server.receive(kGet);
  Head head;
  head.status = 200;
  head.body.kind = Body::Kind::kStreamed;
  server.exchange->write_head(head);
  server.exchange->write_body(Slice{{}, "0123456789abcdefg"});
  Headers trailers;
  trailers.add(server.exchange->arena(), {"x-sum", "7", HeaderId::kOther});
  server.exchange->write_end(trailers);
  server.loop.end_turn();
  EXPECT_EQ(server.taken(),
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n11\r\n0123456789abcdefg\r\n0\r\nx-sum: 7\r\n\r\n");
}

TEST(Http1Server, WritesNoBodyForHead) {
  Server server;
  server.receive("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
  server.answer("ok");
  EXPECT_EQ(server.taken(), "HTTP/1.1 200 OK\r\n\r\n");
  EXPECT_FALSE(server.has_ended);
}

TEST(Http1Server, ClosesWhenItsClientAsksForIt) {
  Server server;
  server.receive("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  server.answer("ok");
  EXPECT_EQ(server.taken(), "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok");
  EXPECT_TRUE(server.wire.is_shut);
  server.wire.is_ended = true;
  server.loop.turn();
  EXPECT_TRUE(server.has_ended);
}

TEST(Http1Server, RefusesWithTheStatusAndThenListensToNothing) {
  Server server;
  server.receive("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(server.taken(), "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
  EXPECT_EQ(server.seen, "");
  EXPECT_EQ(server.refusals, "400host ");
  EXPECT_TRUE(server.wire.is_shut);
  server.receive(kGet);
  EXPECT_EQ(server.seen, "");
  server.loop.pass(seconds(3));
  EXPECT_TRUE(server.has_ended);
}

TEST(Http1Server, AnswersWhatCameBeforeARefusedRequest) {
  Server server;
  server.echoes = true;
  server.receive(std::string(kGet) + "BAD\r\n\r\n");
  EXPECT_EQ(server.taken(),
            std::string(kOk) + "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
}

TEST(Http1Server, ResetsARequestWhoseBodyIsRefused) {
  Server server;
  server.receive("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n");
  EXPECT_EQ(server.seen, "[POST /]abc protocol ");
  EXPECT_EQ(server.taken().substr(0, 12), "HTTP/1.1 400");
}

TEST(Http1Server, RefusesLongHeads) {
  Server target;
  target.receive("GET /" + std::string(kBufferBytes, 'a'));
  target.loop.turn();
  target.loop.turn();
  EXPECT_EQ(target.taken().substr(0, 12), "HTTP/1.1 414");
  Server fields;
  fields.receive("GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(kBufferBytes, 'a'));
  fields.loop.turn();
  fields.loop.turn();
  EXPECT_EQ(fields.taken().substr(0, 12), "HTTP/1.1 431");
}

TEST(Http1Server, TakesAHeadThatIsCutByTheEndOfABuffer) {
  Server server;
  server.echoes = true;
  std::string head = "GET /";
  head += std::string(6000, 'p') + " HTTP/1.1\r\nHost: a\r\nX-Long: " + std::string(4000, 'v') + "\r\n\r\n";
  std::string seen;
  for (int count = 0; count < 5; ++count) {
    server.wire.incoming.push_back(head.substr(0, 7777));
    server.wire.incoming.push_back(head.substr(7777));
    seen += "[GET /" + std::string(6000, 'p') + "].";
  }
  for (int turn = 0; turn < 20; ++turn) server.loop.turn();
  EXPECT_EQ(server.seen, seen);
}

TEST(Http1Server, EndsSlowHeadsIdleConnectionsAndStalledBodies) {
  Server slow;
  for (int count = 0; count < 9; ++count) {
    slow.receive(std::string(1, kGet[count]));
    slow.loop.pass(seconds(1));
  }
  EXPECT_EQ(slow.taken(), "");
  slow.loop.pass(seconds(2));
  EXPECT_EQ(slow.taken().substr(0, 12), "HTTP/1.1 408");
  EXPECT_EQ(slow.refusals, "408head ");

  Server idle;
  idle.echoes = true;
  idle.loop.pass(seconds(59));
  idle.receive(kGet);
  idle.loop.pass(seconds(59));
  EXPECT_FALSE(idle.has_ended);
  idle.loop.pass(seconds(2));
  EXPECT_TRUE(idle.has_ended);
  EXPECT_EQ(idle.taken(), kOk);

  Server stalled;
  stalled.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1");
  for (int count = 0; count < 7; ++count) {
    stalled.loop.pass(seconds(29));
    stalled.receive("2");
  }
  EXPECT_EQ(stalled.seen, "[POST /]12222222");
  stalled.loop.pass(seconds(31));
  EXPECT_EQ(stalled.seen, "[POST /]12222222 timeout ");
  EXPECT_EQ(stalled.taken().substr(0, 12), "HTTP/1.1 408");
}

TEST(Http1Server, WaitsAsLongAsItsSinkForAnAnswer) {
  Server server;
  server.receive(kGet);
  server.loop.pass(seconds(10'000));
  EXPECT_FALSE(server.has_ended);
  server.answer("ok");
  EXPECT_EQ(server.taken(), kOk);
}

TEST(Http1Server, GivesUpAClientThatReadsNothing) {
  Server server;
  server.receive(kGet);
  server.wire.room = 10;
  server.loop.pass(seconds(100));
  server.answer("ok");
  server.loop.pass(seconds(29));
  EXPECT_FALSE(server.has_ended);
  server.loop.pass(seconds(2));
  EXPECT_TRUE(server.has_ended);
}

TEST(Http1Server, TellsItsSinkOfRoom) {
  Server server;
  server.receive(kGet);
  server.wire.room = 0;
  Head head;
  head.status = 200;
  head.body = {Body::Kind::kSized, 100'000};
  const std::string body(100'000, 'b');
  server.exchange->write_head(head);
  server.exchange->write_body(Slice{{}, body});
  server.loop.end_turn();
  EXPECT_GT(server.exchange->waiting(), kHighWater);
  server.wire.room = 90'000;
  server.loop.turn();
  EXPECT_EQ(server.seen, "[GET /].room");
}

TEST(Http1Server, TellsItsSinkThatTheClientIsGone) {
  Server server;
  server.receive(kGet);
  server.wire.is_ended = true;
  server.loop.turn();
  EXPECT_EQ(server.seen, "[GET /]. closed ");
  EXPECT_TRUE(server.has_ended);
}

TEST(Http1Server, ThrowsAwayABodyThatNobodyWantsAndGoesOn) {
  Server server;
  server.answers_at_once = true;
  server.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nabc");
  EXPECT_EQ(server.taken(), "HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\nno");
  server.receive("def" + std::string(kGet));
  EXPECT_EQ(server.seen, "[POST /][GET /]");
  EXPECT_EQ(server.taken(), "HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\nno");
}

TEST(Http1Server, ClosesInsteadOfThrowingAwayALongBody) {
  Server server;
  server.answers_at_once = true;
  server.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
  server.taken();
  for (int count = 0; count < 40 && !server.has_ended; ++count) server.receive(std::string(kBufferBytes, 'x'));
  server.loop.pass(seconds(3));
  EXPECT_TRUE(server.has_ended);
}

TEST(Http1Server, ClosesWhereABodyMayOrMayNotFollow) {
  // The client was not told to go on: what comes next may be its body or another request.
  Server server;
  server.answers_at_once = true;
  server.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(server.taken(), "HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\nconnection: close\r\n\r\nno");
  server.receive(kGet);
  EXPECT_EQ(server.seen, "[POST /]");
}

TEST(Http1Server, PassesOnThatTheClientMayGoOn) {
  Server server;
  server.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
  Head head;
  head.status = 100;
  server.exchange->write_head(head);
  server.loop.end_turn();
  EXPECT_EQ(server.taken(), "HTTP/1.1 100 Continue\r\n\r\n");
  server.receive("abc");
  server.answer("ok");
  EXPECT_EQ(server.taken(), kOk);
}

TEST(Http1Server, EndsWithItsLastAnswerWhenItIsDrained) {
  Server idle;
  idle.connection().drain();
  EXPECT_TRUE(idle.has_ended);
  Server busy;
  busy.receive(kGet);
  busy.connection().drain();
  EXPECT_FALSE(busy.has_ended);
  busy.answer("ok");
  EXPECT_EQ(busy.taken(), "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok");
}

TEST(Http1Server, SaysThatAnAnswerIsTheLastWhenItIsRetired) {
  Server server;
  server.receive(kGet);
  Head head;
  head.status = 200;
  head.body = {Body::Kind::kSized, 2};
  server.exchange->write_head(head);
  // Too late for this answer: its client may have begun with the next request.
  server.connection().retire();
  server.exchange->write_body(Slice{{}, "ok"});
  server.exchange->write_end({});
  server.receive(kGet);
  server.answer("ok");
  EXPECT_EQ(server.taken(), std::string(kOk) + "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok");
}

TEST(Http1Server, LeavesAnAnswerWithoutItsEndWhenItIsReset) {
  Server server;
  server.receive(kGet);
  Head head;
  head.status = 200;
  head.body.kind = Body::Kind::kStreamed;
  server.exchange->write_head(head);
  server.exchange->write_body(Slice{{}, "half"});
  server.exchange->reset(Reset::kClosed);
  EXPECT_EQ(server.taken(), "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n");
  EXPECT_TRUE(server.has_ended);
}

}  // namespace
}  // namespace hone::mesh::testing
