// HTTP/2: both sides with each other, and a server with clients that mean harm.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "http/grpc.hpp"
#include "mocks.hpp"
#include "recorder.hpp"
#include "wire/http2/connection.hpp"
#include "wire/http2/frame.hpp"
#include "wire/http2/hpack.hpp"

namespace hone::mesh::testing {
namespace {

using http2::Code;
using http2::Connection;
using http2::Type;
using std::chrono::seconds;

// Peer is one connection over a wire that the test holds.
class Peer {
 public:
  explicit Peer(Connection::Side side, http2::Limits limits = {})
      : limits_(limits),
        connection(side, loop, buffers_, blocks_, transport_of(wire), limits_,
                   {.open = Delegate<MessageSink*(Exchange&)>::of<&Peer::open>(*this),
                    .room = Delegate<void(Connection&)>::of<&Peer::room>(*this),
                    .ended = Delegate<void(Connection&)>::of<&Peer::ended>(*this)}) {
    connection.start();
    loop.end_turn();
  }
  void receive(std::string bytes) {
    if (!bytes.empty()) wire.incoming.push_back(std::move(bytes));
    for (int turn = 0; turn < 100 && !wire.incoming.empty() && !has_ended; ++turn) loop.turn();
    loop.turn();
  }
  std::string taken() { return std::exchange(wire.written, {}); }

  NiceMock<MockLoop> loop;
  Wire wire;
  std::vector<std::unique_ptr<Recorder>> streams;
  bool has_ended = false;

 private:
  MessageSink* open(Exchange& exchange) {
    streams.push_back(std::make_unique<Recorder>());
    streams.back()->exchange = &exchange;
    return streams.back().get();
  }
  void room(Connection&) {}
  void ended(Connection&) { has_ended = true; }
  http2::Limits limits_;
  BufferPool buffers_;
  BlockPool blocks_;

 public:
  Connection connection;
};

// Pair is a client and a server of ours that talk to each other.
class Pair {
 public:
  Pair() { talk(); }
  void talk() {
    for (int round = 0; round < 200; ++round) {
      const std::string up = client.taken();
      const std::string down = server.taken();
      if (up.empty() && down.empty()) return;
      server.receive(up);
      client.receive(down);
    }
    ADD_FAILURE() << "they never stop";
  }
  Recorder& ask(const Head& head, std::string_view body = {}) {
    answers.push_back(std::make_unique<Recorder>());
    Recorder& answer = *answers.back();
    answer.exchange = client.connection.open(answer);
    answer.exchange->write_head(head);
    if (!body.empty()) answer.exchange->write_body(Slice{{}, body});
    answer.exchange->write_end({});
    client.loop.end_turn();
    talk();
    return answer;
  }
  static Head head(std::string_view method = "GET", std::string_view path = "/") {
    Head made;
    made.method = method;
    made.authority = "shop";
    made.path = path;
    return made;
  }
  static Head status(int status, Body body = {}) {
    Head made;
    made.status = status;
    made.body = body;
    return made;
  }

  Peer client{Connection::Side::kClient};
  Peer server{Connection::Side::kServer};
  std::vector<std::unique_ptr<Recorder>> answers;
};

TEST(Http2, CarriesMessagesWithBodiesAndTrailers) {
  Pair pair;
  BlockPool blocks;
  Arena arena(blocks);
  Head head = Pair::head("POST", "/a?b");
  head.headers.add(arena, {"x-some", "value", HeaderId::kOther});
  head.body = {Body::Kind::kSized, 4};
  Recorder& answer = pair.ask(head, "body");
  ASSERT_EQ(pair.server.streams.size(), 1u);
  Recorder& request = *pair.server.streams[0];
  EXPECT_EQ(request.seen, "[POST shop/a?b x-some=value +4]body.");
  request.exchange->write_head(Pair::status(103));
  request.exchange->write_head(Pair::status(200, {Body::Kind::kStreamed, 0}));
  request.exchange->write_body(Slice{{}, "ok"});
  Headers trailers;
  trailers.add(arena, {"grpc-status", "0", HeaderId::kGrpcStatus});
  request.exchange->write_end(trailers);
  pair.server.loop.end_turn();
  pair.talk();
  EXPECT_EQ(answer.seen, "[103][200 ++]ok grpc-status=0.");
  EXPECT_EQ(pair.client.connection.streams(), 0u);
  EXPECT_EQ(pair.server.connection.streams(), 0u);
}

TEST(Http2, EndsAMessageWithoutABodyByItsHead) {
  Pair pair;
  Recorder& answer = pair.ask(Pair::head());
  EXPECT_EQ(pair.server.streams[0]->seen, "[GET shop/].");
  pair.server.streams[0]->exchange->write_head(Pair::status(204));
  pair.server.streams[0]->exchange->write_end({});
  pair.server.loop.end_turn();
  const std::string written = pair.server.wire.written;
  ASSERT_GT(written.size(), http2::kHeadBytes);
  EXPECT_EQ(written[3], static_cast<char>(Type::kHeaders));
  EXPECT_EQ(written[4], http2::kEndHeaders | http2::kEndStream) << "gRPC takes an error from such a head alone";
  pair.talk();
  EXPECT_EQ(answer.seen, "[204].");
}

TEST(Http2, KeepsToWindowsBothWays) {
  Pair pair;
  const std::string body(1'000'000, 'b');
  Head head = Pair::head("POST");
  head.body = {Body::Kind::kSized, body.size()};
  Recorder& answer = pair.ask(head, body);
  Recorder& request = *pair.server.streams[0];
  EXPECT_EQ(request.body_bytes, body.size());
  request.exchange->set_reading(true);
  request.exchange->write_head(Pair::status(200, {Body::Kind::kSized, body.size()}));
  request.exchange->write_body(Slice{{}, body});
  EXPECT_GT(request.exchange->waiting(), kHighWater);
  // A client that reads nothing gets one window.
  answer.exchange->set_reading(false);
  pair.server.loop.end_turn();
  pair.talk();
  EXPECT_EQ(answer.body_bytes, http2::kDefaultWindow);
  answer.exchange->set_reading(true);
  pair.client.loop.end_turn();
  pair.talk();
  EXPECT_EQ(answer.body_bytes, body.size());
  EXPECT_NE(request.seen.find("room"), std::string::npos);
  request.exchange->write_end({});
  pair.server.loop.end_turn();
  pair.talk();
  EXPECT_TRUE(answer.seen.ends_with("."));
}

TEST(Http2, LetsNoStreamStarveAnother) {
  Pair pair;
  const std::string body(60'000, 'b');
  for (int count = 0; count < 2; ++count) pair.ask(Pair::head());
  for (const auto& request : pair.server.streams) {
    request->exchange->write_head(Pair::status(200, {Body::Kind::kSized, body.size()}));
    request->exchange->write_body(Slice{{}, body});
    request->exchange->write_end({});
  }
  pair.server.wire.room = 50'000;
  pair.server.loop.end_turn();
  pair.client.receive(pair.server.taken());
  EXPECT_GT(pair.answers[0]->body_bytes, 10'000u);
  EXPECT_GT(pair.answers[1]->body_bytes, 10'000u);
}

TEST(Http2, TellsWhatEndsEarly) {
  Pair pair;
  Recorder& cancelled = pair.ask(Pair::head());
  cancelled.exchange->reset(Reset::kCancelled);
  pair.client.loop.end_turn();
  pair.talk();
  EXPECT_EQ(pair.server.streams[0]->seen, "[GET shop/].closed");
  Recorder& failed = pair.ask(Pair::head());
  pair.server.streams[1]->exchange->reset(Reset::kClosed);
  pair.server.loop.end_turn();
  pair.talk();
  EXPECT_EQ(failed.seen, "closed");
  EXPECT_FALSE(pair.client.has_ended || pair.server.has_ended);
}

TEST(Http2, LeavesAServerThatSaysNothing) {
  Pair pair;
  pair.client.loop.pass(seconds(1));
  Recorder& answered = pair.ask(Pair::head());
  pair.server.streams[0]->exchange->write_head(Pair::status(200));
  pair.server.streams[0]->exchange->write_end({});
  pair.server.loop.end_turn();
  pair.client.loop.pass(seconds(1));
  Recorder slow;
  slow.exchange = pair.client.connection.open(slow);
  slow.exchange->write_head(Pair::head());
  pair.client.loop.end_turn();
  pair.client.loop.pass(seconds(1));
  pair.talk();
  EXPECT_EQ(answered.seen, "[200].");
  slow.exchange->reset(Reset::kCancelled);
  EXPECT_TRUE(pair.client.connection.has_room()) << "it has answered others meanwhile";
  pair.client.loop.pass(seconds(1));
  Recorder lost;
  lost.exchange = pair.client.connection.open(lost);
  lost.exchange->write_head(Pair::head());
  pair.client.loop.pass(seconds(1));
  lost.exchange->reset(Reset::kCancelled);
  EXPECT_FALSE(pair.client.connection.has_room());
}

TEST(Http2, AnswersBeforeTheRequestHasEnded) {
  Pair pair;
  pair.answers.push_back(std::make_unique<Recorder>());
  Recorder& answer = *pair.answers.back();
  answer.exchange = pair.client.connection.open(answer);
  Head head = Pair::head("POST");
  head.body.kind = Body::Kind::kStreamed;
  answer.exchange->write_head(head);
  pair.client.loop.end_turn();
  pair.talk();
  pair.server.streams[0]->exchange->write_head(Pair::status(403));
  pair.server.streams[0]->exchange->write_end({});
  pair.server.loop.end_turn();
  pair.talk();
  EXPECT_EQ(answer.seen, "[403].");
  EXPECT_EQ(pair.client.connection.streams(), 0u);
  EXPECT_EQ(pair.server.connection.streams(), 0u);
}

// Answers all requests that a server has.
void answer_all(Pair& pair) {
  for (const auto& stream : pair.server.streams) {
    stream->exchange->write_head(Pair::status(200));
    stream->exchange->write_end({});
  }
  pair.server.loop.end_turn();
  pair.talk();
}

TEST(Http2, ServesWhatIsOnItsWayWhenItDrains) {
  Pair pair;
  Recorder& first = pair.ask(Pair::head());
  pair.server.connection.drain();
  pair.server.loop.end_turn();
  const std::string warning = pair.server.taken();
  // A request that crosses the warning.
  Recorder second;
  second.exchange = pair.client.connection.open(second);
  second.exchange->write_head(Pair::head());
  second.exchange->write_end({});
  pair.client.loop.end_turn();
  pair.client.receive(warning);
  EXPECT_FALSE(pair.client.connection.has_room());
  pair.talk();
  ASSERT_EQ(pair.server.streams.size(), 2u);
  answer_all(pair);
  EXPECT_EQ(first.seen, "[200].");
  EXPECT_EQ(second.seen, "[200].");
  EXPECT_TRUE(pair.server.has_ended);
}

TEST(Http2, SaysWhichRequestsWereNotSeenWhenNobodyAnswersItsWarning) {
  Pair pair;
  Recorder& first = pair.ask(Pair::head());
  pair.server.connection.drain();
  pair.server.loop.end_turn();
  const std::string warning = pair.server.taken();
  pair.server.loop.pass(std::chrono::seconds(2));
  pair.server.loop.end_turn();
  const std::string farewell = pair.server.taken();
  Recorder second;
  second.exchange = pair.client.connection.open(second);
  second.exchange->write_head(Pair::head());
  pair.client.loop.end_turn();
  pair.client.receive(warning);
  pair.client.receive(farewell);
  EXPECT_EQ(second.seen, "unseen");
  pair.talk();
  answer_all(pair);
  EXPECT_EQ(first.seen, "[200].");
  EXPECT_TRUE(pair.server.has_ended);
}

TEST(Http2, RefusesMoreStreamsThanItSaid) {
  Pair pair;
  for (int count = 0; count < 100; ++count) pair.ask(Pair::head());
  EXPECT_EQ(pair.client.connection.has_room(), false) << "the server's limit is known";
}

// Frames as a client would write them.
std::string frame(Type type, std::uint8_t flags, std::uint32_t stream, std::string_view payload) {
  BufferPool pool;
  Wire wire;
  NiceMock<MockTransport> transport(wire);
  Output output(pool);
  http2::write_head(output, payload.size(), type, flags, stream);
  output.append(payload);
  output.flush(transport);
  return wire.written;
}

std::string hello() {
  return std::string(http2::kPreface) + frame(Type::kSettings, 0, 0, "");
}

// A block of fields that leaves the table as it is, so that blocks may come in any order.
std::string block(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string bytes;
  for (const auto& [name, value] : fields) {
    bytes += std::string(1, '\0') + static_cast<char>(name.size()) + name;
    bytes += value.size() < 127 ? std::string(1, static_cast<char>(value.size()))
                                : std::string(1, 127) + static_cast<char>((value.size() - 127) % 128 | 128) +
                                      static_cast<char>((value.size() - 127) / 128);
    bytes += value;
  }
  return bytes;
}

using Fields = std::vector<std::pair<std::string, std::string>>;
const Fields kGetFields = {{":method", "GET"}, {":scheme", "http"}, {":authority", "a"}, {":path", "/"}};

Fields with(Fields fields, std::pair<std::string, std::string> more) {
  fields.push_back(std::move(more));
  return fields;
}

std::string get_frame(std::uint32_t stream, const Fields& fields = kGetFields) {
  return frame(Type::kHeaders, http2::kEndHeaders | http2::kEndStream, stream, block(fields));
}

// Returns the code of the last frame of a type that was written; nothing where there is none.
std::optional<std::uint32_t> code_of(std::string_view written, Type type) {
  std::optional<std::uint32_t> code;
  while (written.size() >= http2::kHeadBytes) {
    const std::uint32_t length = http2::number_of(written.substr(0, 3));
    const std::string_view payload = written.substr(http2::kHeadBytes, length);
    if (written[3] == static_cast<char>(type))
      code = http2::number_of(payload.substr(type == Type::kGoAway ? 4 : 0, 4));
    written.remove_prefix(http2::kHeadBytes + length);
  }
  return code;
}

TEST(Http2, RefusesRequestsThatWouldBeReadInTwoWays) {
  const struct {
    const char* about;
    Fields fields;
  } cases[] = {
      {"a line end in a value", with(kGetFields, {"x", "a\r\nevil: 1"})},
      {"a bare line feed in a value", with(kGetFields, {"x", "a\nb"})},
      {"a zero byte in a value", with(kGetFields, {"x", std::string("a\0b", 3)})},
      {"a space before a value", with(kGetFields, {"x", " a"})},
      {"a capital letter", with(kGetFields, {"X", "a"})},
      {"a colon in a name", with(kGetFields, {"x:y", "a"})},
      {"a space in a name", with(kGetFields, {"x y", "a"})},
      {"an empty name", with(kGetFields, {"", "a"})},
      {"a coding", with(kGetFields, {"transfer-encoding", "chunked"})},
      {"a connection", with(kGetFields, {"connection", "close"})},
      {"an upgrade", with(kGetFields, {"upgrade", "h2c"})},
      {"another te", with(kGetFields, {"te", "gzip"})},
      {"a length without a body", with(kGetFields, {"content-length", "3"})},
      {"a length that is none", with(kGetFields, {"content-length", "-0"})},
      {"two lengths", with(with(kGetFields, {"content-length", "0"}), {"content-length", "0"})},
      {"another host", with(kGetFields, {"host", "b"})},
      {"two hosts", with(with(kGetFields, {"host", "a"}), {"host", "a"})},
      {"a pseudo field behind a field", {{":method", "GET"}, {":scheme", "http"}, {"x", "a"}, {":path", "/"}}},
      {"a pseudo field twice", with(kGetFields, {":path", "/"})},
      {"a pseudo field of responses", with(kGetFields, {":status", "200"})},
      {"no path", {{":method", "GET"}, {":scheme", "http"}}},
      {"an empty path", {{":method", "GET"}, {":scheme", "http"}, {":path", ""}}},
      {"a path with a space", {{":method", "GET"}, {":scheme", "http"}, {":path", "/ HTTP/1.1"}}},
      {"a path with a line end", {{":method", "GET"}, {":scheme", "http"}, {":path", "/\r\nx: y"}}},
      {"a whole URL as path", {{":method", "GET"}, {":scheme", "http"}, {":path", "http://b/"}}},
      {"a method with a space", {{":method", "GET /"}, {":scheme", "http"}, {":path", "/"}}},
      {"another scheme", {{":method", "GET"}, {":scheme", "file"}, {":path", "/"}}},
      {"a user in the authority", {{":method", "GET"}, {":scheme", "http"}, {":authority", "u@a"}, {":path", "/"}}},
      {"a tunnel", {{":method", "CONNECT"}, {":authority", "a:1"}}},
      {"a wish without CONNECT", with(kGetFields, {":protocol", "websocket"})},
      {"a wish for something else",
       {{":method", "CONNECT"}, {":protocol", "x"}, {":scheme", "http"}, {":authority", "a"}, {":path", "/"}}},
      {"a wish that ends at once",
       {{":method", "CONNECT"}, {":protocol", "websocket"}, {":scheme", "http"}, {":authority", "a"}, {":path", "/"}}},
  };
  for (const auto& one : cases) {
    Peer server(Connection::Side::kServer);
    server.receive(hello() + get_frame(1, one.fields));
    EXPECT_TRUE(server.streams.empty()) << one.about;
    EXPECT_EQ(code_of(server.taken(), Type::kReset), static_cast<std::uint32_t>(Code::kProtocol)) << one.about;
    server.receive(get_frame(3));
    EXPECT_EQ(server.streams.size(), 1u) << one.about << ": others on the connection go on";
  }
}

// A server with one stream on which WebSocket was asked for.
class Wish : public Peer {
 public:
  Wish() : Peer(Connection::Side::kServer) {
    const Fields fields = {{":method", "CONNECT"}, {":protocol", "websocket"},
                           {":scheme", "https"},   {":authority", "a"},
                           {":path", "/w"},        {"sec-websocket-version", "13"}};
    receive(hello() + frame(Type::kHeaders, http2::kEndHeaders, 1, block(fields)));
    EXPECT_EQ(seen(), "[GET a/w sec-websocket-version=13 websocket]");
    taken();
  }
  std::string& seen() { return streams.at(0)->seen; }
  Exchange& exchange() { return *streams.at(0)->exchange; }
  // Answers, and returns the fields that the client gets.
  std::string answer(int status) {
    Arena arena(blocks_);
    Head head = Pair::status(status);
    if (status == kSwitching) head.upgrade = kWebSocket;
    head.headers.add(arena, {"sec-websocket-accept", "x", HeaderId::kOther});
    head.headers.add(arena, {"sec-websocket-protocol", "chat", HeaderId::kOther});
    exchange().write_head(head);
    loop.end_turn();
    const std::string written = taken();
    http2::Decoder decoder(100);
    Headers fields;
    decoder.begin(arena, fields);
    decoder.decode(std::string_view(written).substr(http2::kHeadBytes), true);
    std::string text;
    for (const Header& field : fields.items()) text.append(field.name).append("=").append(field.value).append(" ");
    return text;
  }

 private:
  BlockPool blocks_;
};

TEST(Http2, PassesBytesBothWaysOnceWebSocketIsAgreedTo) {
  Wish wish;
  EXPECT_EQ(wish.answer(kSwitching), ":status=200 sec-websocket-protocol=chat ");
  wish.receive(frame(Type::kData, 0, 1, "up"));
  wish.exchange().write_body(Slice{{}, "down"});
  wish.loop.end_turn();
  EXPECT_EQ(wish.taken(), frame(Type::kData, 0, 1, "down"));
  wish.receive(frame(Type::kData, http2::kEndStream, 1, "last"));
  EXPECT_EQ(wish.seen(), "[GET a/w sec-websocket-version=13 websocket]uplast.");
  wish.exchange().write_end({});
  wish.loop.end_turn();
  EXPECT_EQ(wish.taken(), frame(Type::kData, http2::kEndStream, 1, ""));
}

TEST(Http2, TakesNoSuccessButAgreementForWebSocket) {
  Wish refused;
  EXPECT_EQ(refused.answer(403), ":status=403 sec-websocket-accept=x sec-websocket-protocol=chat ");
  Wish mistaken;
  EXPECT_EQ(mistaken.answer(200).substr(0, 12), ":status=502 ");
  Wish early;
  early.receive(frame(Type::kData, 0, 1, "GET / HTTP/1.1"));
  EXPECT_EQ(early.seen(), "[GET a/w sec-websocket-version=13 websocket]protocol");
}

TEST(Http2, EndsAQuietWebSocketAndNothingElse) {
  Wish wish;
  wish.answer(kSwitching);
  wish.loop.pass(std::chrono::minutes(50));
  wish.receive(frame(Type::kData, 0, 1, "up"));
  wish.loop.pass(std::chrono::minutes(50));
  EXPECT_EQ(code_of(wish.taken(), Type::kReset), std::nullopt);
  wish.loop.pass(std::chrono::minutes(20));
  EXPECT_EQ(code_of(wish.taken(), Type::kReset), static_cast<std::uint32_t>(Code::kCancel));
  EXPECT_TRUE(wish.seen().ends_with("uptimeout"));
  EXPECT_FALSE(wish.has_ended);
}

TEST(Http2, JoinsCookiesAndTakesTheHostOfEither) {
  Peer server(Connection::Side::kServer);
  server.receive(hello() + get_frame(1, with(with(kGetFields, {"cookie", "a=1"}), {"cookie", "b=2"})) +
                 get_frame(3, {{":method", "GET"}, {":scheme", "http"}, {":path", "/"}, {"host", "h"}}));
  EXPECT_EQ(server.streams.at(0)->seen, "[GET a/ cookie=a=1; b=2].");
  EXPECT_EQ(server.streams.at(1)->seen, "[GET h/].");
}

TEST(Http2, ChecksTheLengthOfABody) {
  const auto post = [](const char* length) {
    return frame(Type::kHeaders, http2::kEndHeaders, 1,
                 block(with({{":method", "POST"}, {":scheme", "http"}, {":path", "/"}}, {"content-length", length})));
  };
  const std::string data = frame(Type::kData, http2::kEndStream, 1, "abc");
  Peer shorter(Connection::Side::kServer);
  shorter.receive(hello() + post("4") + data);
  EXPECT_EQ(shorter.streams.at(0)->seen, "[POST / +4]abcprotocol");
  Peer longer(Connection::Side::kServer);
  longer.receive(hello() + post("2") + data);
  EXPECT_EQ(longer.streams.at(0)->seen, "[POST / +2]protocol");
}

TEST(Http2, ReadsFramesHoweverTheyAreCut) {
  const std::string padded = frame(Type::kData, http2::kEndStream | http2::kPadded, 1,
                                   std::string("\x03"
                                               "abc\0\0\0",
                                               7));
  const std::string half = block({{":method", "POST"}, {":scheme", "http"}, {":path", "/"}, {"x", "y"}});
  const std::string bytes = hello() + frame(Type::kHeaders, 0, 1, half.substr(0, 9)) +
                            frame(Type::kContinuation, 0, 1, half.substr(9, 5)) +
                            frame(Type::kContinuation, http2::kEndHeaders, 1, half.substr(14)) +
                            frame(static_cast<Type>(77), 0, 0, std::string(300, 'u')) + padded +
                            frame(Type::kPing, 0, 0, "12345678") + get_frame(3);
  for (std::size_t piece = 1; piece < 40; ++piece) {
    Peer server(Connection::Side::kServer);
    for (std::size_t at = 0; at < bytes.size(); at += piece) server.receive(bytes.substr(at, piece));
    ASSERT_EQ(server.streams.size(), 2u) << piece;
    EXPECT_EQ(server.streams[0]->seen, "[POST / x=y ++]abc.");
    EXPECT_EQ(server.streams[1]->seen, "[GET a/].");
    EXPECT_FALSE(server.has_ended);
  }
}

// Floods: each ends the connection with its code, long before a million frames.
struct Flood {
  const char* about;
  Code code;
  // One more piece of it.
  std::string (*piece)(std::uint32_t count);
};

TEST(Http2, EndsFloods) {
  const Flood floods[] = {
      {"streams that are reset at once", Code::kEnhanceYourCalm,
       [](std::uint32_t count) {
         return get_frame(count * 2 + 1) + frame(Type::kReset, 0, count * 2 + 1, std::string("\0\0\0\x08", 4));
       }},
      {"malformed requests", Code::kEnhanceYourCalm, [](std::uint32_t count) { return get_frame(count * 2 + 1, {}); }},
      {"pings", Code::kEnhanceYourCalm, [](std::uint32_t) { return frame(Type::kPing, 0, 0, "12345678"); }},
      {"settings", Code::kEnhanceYourCalm, [](std::uint32_t) { return frame(Type::kSettings, 0, 0, ""); }},
      {"priorities", Code::kEnhanceYourCalm,
       [](std::uint32_t) { return frame(Type::kPriority, 0, 1, std::string(5, '\0')); }},
      {"empty data", Code::kEnhanceYourCalm,
       [](std::uint32_t count) {
         return count == 0 ? frame(Type::kHeaders, http2::kEndHeaders, 1, block(kGetFields))
                           : frame(Type::kData, 0, 1, "");
       }},
      {"a block that never ends", Code::kEnhanceYourCalm,
       [](std::uint32_t count) {
         return count == 0 ? frame(Type::kHeaders, 0, 1, block(kGetFields))
                           : frame(Type::kContinuation, 0, 1, block({{"x", std::string(100, 'y')}}));
       }},
      {"empty pieces of a block", Code::kEnhanceYourCalm,
       [](std::uint32_t count) {
         return count == 0 ? frame(Type::kHeaders, 0, 1, block(kGetFields)) : frame(Type::kContinuation, 0, 1, "");
       }},
      {"data on a stream that is over", Code::kEnhanceYourCalm,
       [](std::uint32_t count) {
         return count == 0 ? get_frame(1) + frame(Type::kReset, 0, 1, std::string("\0\0\0\x08", 4))
                           : frame(Type::kData, 0, 1, "x");
       }},
  };
  for (const Flood& flood : floods) {
    Peer server(Connection::Side::kServer);
    server.receive(hello());
    std::string written;
    std::uint32_t count = 0;
    for (; count < 100'000 && !server.wire.is_shut; ++count) {
      server.receive(flood.piece(count));
      written += server.taken();
    }
    EXPECT_TRUE(server.wire.is_shut) << flood.about;
    server.loop.pass(seconds(3));
    EXPECT_TRUE(server.has_ended) << flood.about;
    EXPECT_LT(count, 2000u) << flood.about;
    EXPECT_EQ(code_of(written, Type::kGoAway), static_cast<std::uint32_t>(flood.code)) << flood.about;
  }
}

TEST(Http2, RefusesABombOfFields) {
  // A long field enters the table once, and is named by one byte ten thousand times.
  Peer server(Connection::Side::kServer);
  std::string bomb = block(kGetFields) + std::string("\x40\x01x\x7f\xa1\x1e", 6) + std::string(4000, 'b');
  bomb += std::string(10'000, '\xbe');
  server.receive(hello() + frame(Type::kHeaders, http2::kEndHeaders | http2::kEndStream, 1, bomb));
  EXPECT_TRUE(server.streams.empty());
  EXPECT_FALSE(server.has_ended) << "the table is as both sides have it";
  server.receive(get_frame(3));
  EXPECT_EQ(server.streams.size(), 1u);
}

TEST(Http2, GoesOnForeverWithRequestsThatAreAnswered) {
  Peer server(Connection::Side::kServer);
  server.receive(hello());
  for (std::uint32_t count = 0; count < 2000; ++count) {
    server.receive(get_frame(count * 2 + 1) + frame(Type::kWindowUpdate, 0, 0, std::string("\0\0\0\x01", 4)));
    server.streams.back()->exchange->write_head(Pair::status(200));
    server.streams.back()->exchange->write_end({});
    server.loop.end_turn();
  }
  EXPECT_FALSE(server.has_ended);
}

TEST(Http2, EndsSlowAndIdleConnections) {
  Peer silent(Connection::Side::kServer);
  silent.loop.pass(seconds(31));
  // The client is warned first, and has a second for its answer.
  silent.loop.pass(seconds(2));
  EXPECT_TRUE(silent.has_ended);
  Peer slow(Connection::Side::kServer);
  slow.receive(hello() + frame(Type::kHeaders, 0, 1, "\x82"));
  for (int count = 0; count < 9; ++count) {
    slow.loop.pass(seconds(1));
    slow.receive(frame(Type::kContinuation, 0, 1, "\x82"));
  }
  EXPECT_FALSE(slow.has_ended);
  slow.loop.pass(seconds(2));
  EXPECT_TRUE(slow.has_ended);
  Peer idle(Connection::Side::kServer);
  idle.receive(hello());
  idle.loop.pass(seconds(59));
  EXPECT_FALSE(idle.has_ended);
  idle.loop.pass(seconds(2));
  idle.loop.pass(seconds(2));
  EXPECT_TRUE(idle.has_ended);
  Peer waiting(Connection::Side::kServer);
  waiting.receive(hello() + get_frame(1));
  for (int count = 0; count < 100; ++count) waiting.loop.pass(seconds(59));
  EXPECT_FALSE(waiting.has_ended) << "it is the sink that takes its time";
}

TEST(Http2, GivesUpAClientThatTakesNoAnswers) {
  Peer server(Connection::Side::kServer);
  server.receive(hello() + get_frame(1));
  server.wire.room = 0;
  server.streams[0]->exchange->write_head(Pair::status(200));
  server.streams[0]->exchange->write_end({});
  server.loop.end_turn();
  server.loop.pass(seconds(31));
  server.loop.pass(seconds(31));
  EXPECT_TRUE(server.has_ended);
}

TEST(Grpc, DeadlinesHaveUnits) {
  using std::chrono::milliseconds;
  EXPECT_EQ(parse_grpc_timeout("100m"), milliseconds(100));
  EXPECT_EQ(parse_grpc_timeout("2S"), seconds(2));
  EXPECT_EQ(parse_grpc_timeout("99999999H"), std::chrono::hours(24 * 365));
  EXPECT_EQ(parse_grpc_timeout("0n"), Duration(0));
  for (const char* text : {"", "m", "100", "-1S", "1 S", "123456789S", "1s", "1d"}) {
    EXPECT_EQ(parse_grpc_timeout(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace hone::mesh::testing
