// Thrift: messages as they are on the wire, both sides with each other, and with peers that mean harm.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "http/thrift.hpp"
#include "recorder.hpp"
#include "wire/thrift/connection.hpp"

namespace hone::mesh::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using thrift::Carrier;
using thrift::Envelope;
using thrift::Kind;
using thrift::Opened;

// Returns the bytes of a text in hexadecimal digits.
std::string from_hex(std::string_view digits) {
  std::string bytes;
  int high = -1;
  for (const char c : digits) {
    if (c == ' ') continue;
    const int value = c <= '9' ? c - '0' : c - 'a' + 10;
    if (high < 0) {
      high = value;
    } else {
      bytes.push_back(static_cast<char>(high << 4 | value));
      high = -1;
    }
  }
  return bytes;
}

// Message is a message of the tests: an envelope, facts and a body.
struct Message {
  Carrier carrier = Carrier::kHeader;
  Coding coding = Coding::kBinary;
  Kind kind = Kind::kCall;
  std::int32_t sequence = 1;
  std::string name = "find";
  std::vector<std::pair<std::string, std::string>> facts = {};
  std::string body = std::string(1, '\0');
  std::uint16_t flags = 0;

  std::string bytes() const {
    FakeLoop loop;
    BufferPool buffers;
    BlockPool blocks;
    Arena arena(blocks);
    Headers fields;
    for (const auto& [name_of_fact, value] : facts) fields.add(arena, {name_of_fact, value, HeaderId::kOther});
    Envelope envelope;
    envelope.carrier = carrier;
    envelope.coding = coding;
    envelope.kind = kind;
    envelope.flags = flags;
    envelope.sequence = envelope.header_sequence = sequence;
    envelope.name = name;
    envelope.body = static_cast<std::uint32_t>(body.size());
    Output output(buffers);
    thrift::write(output, envelope, fields, arena);
    output.append(body);
    Wire wire;
    FakeTransport transport(wire);
    output.flush(transport);
    return wire.written;
  }
};

TEST(ThriftEnvelope, IsWrittenAsOthersWriteIt) {
  EXPECT_EQ((Message{.carrier = Carrier::kFramed, .sequence = 7}.bytes()),
            from_hex("00000011 80010001 00000004 66696e64 00000007 00"));
  EXPECT_EQ(
      (Message{.carrier = Carrier::kFramed, .coding = Coding::kCompact, .kind = Kind::kReply, .sequence = 300}.bytes()),
      from_hex("0000000a 82 41 ac02 04 66696e64 00"));
  // Named facts, numbered ones, padding to a whole word, and the message.
  EXPECT_EQ((Message{.sequence = 7, .facts = {{":to-service", "s"}, {"k", "v"}}, .flags = 1}.bytes()),
            from_hex("0000002f 1000 0001 00000007 0005 00 00 01 0001 0001 6b 0001 76 10 0001 0006 0001 73 00"
                     "80010001 00000004 66696e64 00000007 00"));
}

TEST(ThriftEnvelope, IsReadAsItIsWritten) {
  BlockPool blocks;
  for (const Carrier carrier : {Carrier::kFramed, Carrier::kHeader, Carrier::kFramedHeader}) {
    for (const Coding coding : {Coding::kBinary, Coding::kCompact}) {
      const Message message{carrier, coding, Kind::kOneway, -5, "a.b", {{":27", "x"}, {"K", "v"}, {":token", "t"}},
                            "body"};
      const std::string bytes = message.bytes();
      for (std::size_t size = 0; size < bytes.size() - message.body.size(); ++size) {
        Envelope part;
        ASSERT_EQ(thrift::open(std::string_view(bytes).substr(0, size), 1000, part).step, Opened::Step::kMore) << size;
      }
      Envelope read;
      const Opened opened = thrift::open(bytes, 1000, read);
      ASSERT_EQ(opened.step, Opened::Step::kOpen) << opened.fault;
      EXPECT_EQ(bytes.substr(opened.taken), "body");
      EXPECT_EQ(read.carrier, carrier);
      EXPECT_EQ(read.coding, coding);
      EXPECT_EQ(read.kind, Kind::kOneway);
      EXPECT_EQ(read.sequence, -5);
      EXPECT_EQ(read.name, "a.b");
      EXPECT_EQ(read.body, 4u);
      if (carrier == Carrier::kFramed) continue;
      Arena arena(blocks);
      Headers fields;
      EXPECT_EQ(thrift::read_facts(read.facts, 3, arena, fields), "");
      std::string seen;
      for (const Header& field : fields.items()) seen += std::string(field.name) + "=" + std::string(field.value) + " ";
      EXPECT_EQ(seen, "K=v :27=x :token=t ");
      EXPECT_NE(thrift::read_facts(read.facts, 2, arena, fields), "");
    }
  }
}

TEST(ThriftEnvelope, OfOthersIsRefusedWithItsReason) {
  const auto fault_of = [](std::string_view digits) {
    Envelope envelope;
    const Opened opened = thrift::open(from_hex(digits), 1 << 20, envelope);
    return opened.step == Opened::Step::kFault ? std::string(opened.fault) : "none";
  };
  EXPECT_THAT(fault_of("80010001 0000"), ::testing::HasSubstr("no length"));
  // GET / HTTP
  EXPECT_THAT(fault_of("47455420 2f20 48545450"), ::testing::HasSubstr("longer than allowed"));
  EXPECT_THAT(fault_of("00000010 1234 0000 00000000 0000 00000000 0000"), ::testing::HasSubstr("is not one of"));
  EXPECT_THAT(fault_of("00000005 8001000100"), ::testing::HasSubstr("shorter"));
  EXPECT_THAT(fault_of("00000011 80010005 00000004 66696e64 00000007 00"), ::testing::HasSubstr("neither a call"));
  EXPECT_THAT(fault_of("00000011 80020001 00000004 66696e64 00000007 00"), ::testing::HasSubstr("version"));
  EXPECT_THAT(fault_of("00000020 1000 0000 00000007 0001 00 01 0000 80010001 00000004 66696e64 00000007 00"),
              ::testing::HasSubstr("transforms"));
  EXPECT_THAT(fault_of("0000001f 1000 0002 00000007 0001 00 00 0000 80010001 00000004 66696e64 00000007 00"),
              ::testing::HasSubstr("streams"));
  // A name that is said to be longer than its message.
  EXPECT_THAT(fault_of("00000011 80010001 7fffffff 66696e64 00000007 00"), ::testing::HasSubstr("shorter"));
}

TEST(ThriftEnvelope, OfFaultyFactsIsRefused) {
  BlockPool blocks;
  const auto fault_of = [&](std::string_view digits) {
    Arena arena(blocks);
    Headers fields;
    return std::string(thrift::read_facts(from_hex(digits), 10, arena, fields));
  };
  EXPECT_EQ(fault_of("00 00 00"), "");
  EXPECT_THAT(fault_of("01 0001 0005 61"), ::testing::HasSubstr("shorter"));
  EXPECT_THAT(fault_of("01 ffff"), ::testing::HasSubstr("shorter"));
  EXPECT_THAT(fault_of("42"), ::testing::HasSubstr("not known"));
  // A named fact must not pass for one with a number.
  EXPECT_THAT(fault_of("01 0001 000b 3a746f2d73657276696365 0001 61"), ::testing::HasSubstr("colon"));
}

TEST(ThriftExceptions, TellTheStatusBothWays) {
  BlockPool blocks;
  Arena arena(blocks);
  for (const Coding coding : {Coding::kBinary, Coding::kCompact}) {
    for (const int status : {400, 404, 500}) {
      EXPECT_EQ(status_of_exception(thrift_exception_of({.status = status}, coding, arena), coding), status);
    }
    const std::string_view whole = thrift_exception_of({.status = 404, .body = "no such"}, coding, arena);
    for (std::size_t size = 0; size + 1 < whole.size(); ++size) {
      EXPECT_EQ(status_of_exception(whole.substr(0, size), coding), 500);
    }
  }
  // The bytes that Apache's library writes for "x", INTERNAL_ERROR; and an exception without a text.
  EXPECT_EQ(thrift_exception_of({.status = 503, .body = "x"}, Coding::kBinary, arena),
            from_hex("0b0001 00000001 78 080002 00000006 00"));
  EXPECT_EQ(thrift_exception_of({.status = 503, .body = "x"}, Coding::kCompact, arena), from_hex("18 01 78 15 0c 00"));
  EXPECT_EQ(status_of_exception(from_hex("080002 00000001 00"), Coding::kBinary), 404);
  EXPECT_EQ(status_of_exception(from_hex("25 02 00"), Coding::kCompact), 404);
}

TEST(ThriftTimeouts, AreMilliseconds) {
  EXPECT_EQ(parse_thrift_timeout("250"), milliseconds(250));
  for (const char* const none : {"", "0", "-1", "1s", "1.5"}) EXPECT_FALSE(parse_thrift_timeout(none)) << none;
  EXPECT_EQ(parse_thrift_timeout("18446744073709551615"), std::chrono::hours(24 * 365));
}

// ThriftPeer is one connection over a wire that the test holds.
class ThriftPeer {
 public:
  explicit ThriftPeer(thrift::Connection::Side side, thrift::Limits limits = {}, Carrier carrier = Carrier::kHeader)
      : limits_(limits),
        connection(side, carrier, loop, buffers, blocks_, transport_of(wire), limits_,
                   {.open = Delegate<MessageSink*(Exchange&)>::of<&ThriftPeer::open>(*this),
                    .refused = Delegate<void(std::string_view)>::of<&ThriftPeer::refused>(*this),
                    .room = Delegate<void(thrift::Connection&)>::of<&ThriftPeer::room>(*this),
                    .ended = Delegate<void(thrift::Connection&)>::of<&ThriftPeer::ended>(*this)}) {
    connection.start();
  }
  void receive(std::string bytes) {
    if (!bytes.empty()) wire.incoming.push_back(std::move(bytes));
    for (int turn = 0; turn < 100 && !wire.incoming.empty() && !has_ended; ++turn) loop.turn();
    loop.turn();
  }
  // For a client: makes a call.
  Recorder& ask(std::string_view function = "find", std::string_view body = "args", std::string_view method = kCall) {
    Recorder& answer = *calls.emplace_back(std::make_unique<Recorder>());
    answer.exchange = connection.open(answer);
    if (answer.exchange == nullptr) return answer;
    Head head;
    head.method = method;
    head.function = function;
    head.coding = Coding::kBinary;
    answer.exchange->write_head(head);
    answer.exchange->write_body(Slice{{}, body});
    answer.exchange->write_end({});
    loop.end_turn();
    return answer;
  }
  // For a server: answers a call.
  void answer(std::size_t call, std::string_view body, int status = 200) {
    Head head;
    head.status = status;
    Exchange& exchange = *calls[call]->exchange;
    exchange.write_head(head);
    exchange.write_body(Slice{{}, body});
    exchange.write_end({});
    loop.turn();
  }
  std::string taken() { return std::exchange(wire.written, {}); }

  NiceMock<MockLoop> loop;
  BufferPool buffers;
  Wire wire;
  std::vector<std::unique_ptr<Recorder>> calls;
  std::string refusal;
  int rooms = 0;
  bool has_ended = false;

 private:
  MessageSink* open(Exchange& exchange) {
    calls.push_back(std::make_unique<Recorder>());
    calls.back()->exchange = &exchange;
    return calls.back().get();
  }
  void refused(std::string_view why) { refusal = why; }
  void room(thrift::Connection&) { ++rooms; }
  void ended(thrift::Connection&) { has_ended = true; }

  thrift::Limits limits_;
  BlockPool blocks_;

 public:
  thrift::Connection connection;
};

std::string reply_to(std::int32_t sequence, std::string body, Kind kind = Kind::kReply,
                     Carrier carrier = Carrier::kHeader) {
  return Message{.carrier = carrier, .kind = kind, .sequence = sequence, .body = std::move(body)}.bytes();
}

TEST(ThriftServer, TellsServiceFunctionAndFacts) {
  ThriftPeer peer(thrift::Connection::Side::kServer);
  peer.receive(Message{.facts = {{":to-service", "users"}, {"isn", "Users"}, {"RPC_PERSIST_env", "x"}}}.bytes());
  EXPECT_EQ(peer.calls[0]->seen.substr(0, peer.calls[0]->seen.find(']')),
            "[CALL users/Users/find isn=Users RPC_PERSIST_env=x :to-service=users +1");
  peer.receive(Message{.carrier = Carrier::kFramedHeader, .sequence = 2, .name = "Shop:buy"}.bytes());
  EXPECT_EQ(peer.calls[1]->seen.substr(0, 15), "[CALL /Shop/buy");
  peer.answer(1, "done");
  // Clients with several services on a connection want the function's name alone.
  EXPECT_EQ(
      peer.taken(),
      (Message{.carrier = Carrier::kFramedHeader, .kind = Kind::kReply, .sequence = 2, .name = "buy", .body = "done"}
           .bytes()));
  peer.answer(0, "no", 503);
  EXPECT_EQ(peer.taken(), reply_to(1, "no", Kind::kException));
}

TEST(ThriftServer, TakesMessagesInPiecesOfAnySize) {
  const std::string bytes = Message{.name = "first", .body = std::string(50, 'x')}.bytes() +
                            Message{.sequence = 2, .name = "second", .facts = {{"a", "b"}}, .body = "y"}.bytes();
  for (std::size_t piece = 1; piece < bytes.size(); ++piece) {
    ThriftPeer peer(thrift::Connection::Side::kServer);
    for (std::size_t at = 0; at < bytes.size(); at += piece) peer.receive(bytes.substr(at, piece));
    ASSERT_EQ(peer.calls.size(), 2u) << piece;
    EXPECT_EQ(peer.calls[0]->seen, "[CALL /first +50]" + std::string(50, 'x') + ".") << piece;
    EXPECT_EQ(peer.calls[1]->seen, "[CALL /second a=b +1]y.") << piece;
  }
}

TEST(ThriftServer, AnswersBehindHeadersAsAnswersCome) {
  ThriftPeer peer(thrift::Connection::Side::kServer);
  peer.receive(Message{}.bytes() + Message{.sequence = 2}.bytes());
  ASSERT_EQ(peer.calls.size(), 2u);
  peer.answer(1, "b");
  peer.answer(0, "a");
  EXPECT_EQ(peer.taken(), reply_to(2, "b") + reply_to(1, "a"));
}

TEST(ThriftServer, TakesFramesOneAfterTheOther) {
  ThriftPeer peer(thrift::Connection::Side::kServer);
  peer.receive(Message{.carrier = Carrier::kFramed}.bytes() +
               Message{.carrier = Carrier::kFramed, .sequence = 2}.bytes());
  ASSERT_EQ(peer.calls.size(), 1u);
  peer.answer(0, "a");
  ASSERT_EQ(peer.calls.size(), 2u);
  peer.answer(1, "b");
  EXPECT_EQ(peer.taken(),
            reply_to(1, "a", Kind::kReply, Carrier::kFramed) + reply_to(2, "b", Kind::kReply, Carrier::kFramed));
}

TEST(ThriftServer, TakesFramesInOrderAlsoBehindACallWithAHeader) {
  ThriftPeer peer(thrift::Connection::Side::kServer);
  std::string all = Message{}.bytes();
  for (const int sequence : {2, 3}) all += Message{.carrier = Carrier::kFramed, .sequence = sequence}.bytes();
  peer.receive(all);
  ASSERT_EQ(peer.calls.size(), 2u);
  peer.answer(1, "b");
  EXPECT_EQ(peer.calls.size(), 3u);
}

TEST(ThriftServer, AnswersNoOnewayCall) {
  ThriftPeer peer(thrift::Connection::Side::kServer);
  peer.receive(Message{.kind = Kind::kOneway}.bytes());
  EXPECT_EQ(peer.calls[0]->seen.substr(0, 13), "[ONEWAY /find");
  peer.answer(0, "late", 503);
  EXPECT_EQ(peer.taken(), "");
  peer.receive(Message{.sequence = 2}.bytes());
  EXPECT_EQ(peer.calls.size(), 2u);
}

TEST(ThriftServer, ReadsOverWhatIsLeftOfACallThatIsAnsweredEarly) {
  ThriftPeer peer(thrift::Connection::Side::kServer);
  const std::string call = Message{.body = std::string(100, 'x')}.bytes();
  peer.receive(call.substr(0, call.size() - 60));
  peer.answer(0, "no", 503);
  peer.receive(call.substr(call.size() - 60) + Message{.sequence = 2, .name = "next"}.bytes());
  ASSERT_EQ(peer.calls.size(), 2u);
  EXPECT_EQ(peer.calls[1]->seen.substr(0, 11), "[CALL /next");
}

TEST(ThriftServer, TellsACallerThatTheAnswerBrokeOff) {
  ThriftPeer peer(thrift::Connection::Side::kServer);
  peer.receive(Message{}.bytes());
  Head head;
  head.status = 200;
  peer.calls[0]->exchange->write_head(head);
  peer.calls[0]->exchange->write_body(Slice{{}, "ha"});
  peer.calls[0]->exchange->reset(Reset::kClosed);
  peer.loop.turn();
  EXPECT_EQ(peer.taken(),
            reply_to(1, from_hex("0b0001 00000014") + "the answer broke off" + from_hex("080002 00000006 00"),
                     Kind::kException));
}

TEST(ThriftServer, IsHeldUpByCallsAndUnreadAnswers) {
  ThriftPeer peer(thrift::Connection::Side::kServer, {.calls = 2});
  std::string many;
  for (int call = 1; call <= 5; ++call) many += Message{.sequence = call}.bytes();
  peer.receive(many);
  EXPECT_EQ(peer.calls.size(), 2u);
  peer.calls[0]->exchange->set_reading(false);
  peer.answer(1, "b");
  EXPECT_EQ(peer.calls.size(), 2u);
  peer.calls[0]->exchange->set_reading(true);
  peer.loop.turn();
  EXPECT_EQ(peer.calls.size(), 3u);
  // Answers that the client does not take.
  peer.wire.room = 0;
  const std::string large(kHighWater, 'x');
  peer.answer(2, large);
  peer.answer(0, "a");
  EXPECT_EQ(peer.calls.size(), 3u);
  peer.wire.room = static_cast<std::size_t>(-1);
  peer.loop.turn();
  EXPECT_EQ(peer.calls.size(), 5u);
}

TEST(ThriftServer, RefusesWhatIsNoCall) {
  for (const std::string& bytes :
       {std::string("GET / HTTP/1.1\r\n\r\n"), reply_to(1, "x"), Message{.flags = thrift::kStreaming}.bytes(),
        std::string("\x00\x00\x01\x00\x16\x03", 6),
        Message{.name = "Shop:find", .facts = {{"isn", "Users"}}}.bytes()}) {
    ThriftPeer peer(thrift::Connection::Side::kServer);
    peer.receive(bytes);
    EXPECT_TRUE(peer.has_ended);
    EXPECT_NE(peer.refusal, "");
  }
  // A head that never ends.
  ThriftPeer peer(thrift::Connection::Side::kServer);
  const std::string call = Message{.name = std::string(20'000, 'n')}.bytes();
  for (std::size_t at = 0; at < call.size() && !peer.has_ended; at += 1000) peer.receive(call.substr(at, 1000));
  EXPECT_EQ(peer.refusal, "what is before the body has more than 16 KiB");
  EXPECT_EQ(peer.buffers.lent(), 0u);
}

TEST(ThriftServer, KnowsItsLimits) {
  ThriftPeer peer(thrift::Connection::Side::kServer, {.message = 1024, .facts = 1});
  peer.receive(Message{.body = std::string(2000, 'x')}.bytes());
  EXPECT_THAT(peer.refusal, ::testing::HasSubstr("longer than allowed"));
  ThriftPeer other(thrift::Connection::Side::kServer, {.facts = 1});
  other.receive(Message{.facts = {{"a", "1"}, {"b", "2"}}}.bytes());
  EXPECT_THAT(other.refusal, ::testing::HasSubstr("more facts"));
  EXPECT_TRUE(other.calls.empty());
}

TEST(ThriftServer, GivesUpAClientThatStands) {
  ThriftPeer head(thrift::Connection::Side::kServer);
  head.receive(Message{}.bytes().substr(0, 8));
  head.loop.pass(seconds(10));
  EXPECT_TRUE(head.has_ended);
  ThriftPeer body(thrift::Connection::Side::kServer);
  body.receive(Message{.body = std::string(100, 'x')}.bytes().substr(0, 60));
  for (int half = 0; half < 8; ++half) body.loop.pass(seconds(5));
  EXPECT_TRUE(body.has_ended);
  EXPECT_THAT(body.calls[0]->seen, ::testing::EndsWith("timeout"));
  ThriftPeer idle(thrift::Connection::Side::kServer);
  idle.receive(Message{}.bytes());
  for (int half = 0; half < 60; ++half) idle.loop.pass(seconds(5));
  EXPECT_FALSE(idle.has_ended) << "a call is under way";
  idle.answer(0, "a");
  for (int half = 0; half < 14; ++half) idle.loop.pass(seconds(5));
  EXPECT_TRUE(idle.has_ended);
}

TEST(ThriftServer, DrainsWithItsLastCall) {
  ThriftPeer peer(thrift::Connection::Side::kServer);
  peer.receive(Message{}.bytes());
  peer.connection.drain();
  peer.loop.pass(seconds(3));
  EXPECT_FALSE(peer.has_ended);
  // One that was on its way.
  peer.receive(Message{.sequence = 2}.bytes());
  peer.answer(0, "a");
  peer.answer(1, "b");
  const std::vector<std::pair<std::string, std::string>> leaving = {{"crrst", "1"}};
  EXPECT_EQ(peer.taken(), (Message{.kind = Kind::kReply, .facts = leaving, .body = "a"}.bytes() +
                           Message{.kind = Kind::kReply, .sequence = 2, .facts = leaving, .body = "b"}.bytes()));
  peer.loop.pass(milliseconds(200));
  EXPECT_FALSE(peer.has_ended);
  peer.loop.pass(milliseconds(400));
  EXPECT_TRUE(peer.has_ended);
}

TEST(ThriftClient, SharesItsConnectionAmongCalls) {
  ThriftPeer peer(thrift::Connection::Side::kClient, {.calls = 3});
  Recorder& first = peer.ask("find", "1");
  Recorder& second = peer.ask("find", "2");
  peer.ask("find", "3");
  EXPECT_FALSE(peer.connection.has_room());
  EXPECT_EQ(peer.taken(),
            (Message{.body = "1", .flags = 1}.bytes() + Message{.sequence = 2, .body = "2", .flags = 1}.bytes() +
             Message{.sequence = 3, .body = "3", .flags = 1}.bytes()));
  peer.receive(reply_to(2, "two") + reply_to(1, "one", Kind::kException));
  EXPECT_EQ(second.seen, "[200 +3]two.");
  EXPECT_EQ(first.seen, "[500 +3]one.");
  EXPECT_EQ(peer.rooms, 2);
  EXPECT_TRUE(peer.connection.has_room());
  // An answer to a call that was given up meanwhile, or that never was.
  peer.calls[2]->exchange->reset(Reset::kCancelled);
  peer.receive(reply_to(3, "three") + reply_to(77, "?"));
  EXPECT_EQ(peer.calls[2]->seen, "");
  EXPECT_FALSE(peer.has_ended);
  Recorder& last = peer.ask();
  peer.receive(reply_to(4, "four"));
  EXPECT_EQ(last.seen, "[200 +4]four.");
}

TEST(ThriftClient, WritesACallWhenAllOfItHasCome) {
  ThriftPeer peer(thrift::Connection::Side::kClient, {.calls = 2});
  Recorder sink;
  Exchange* const slow = peer.connection.open(sink);
  Head head;
  head.method = kCall;
  head.function = "slow";
  head.coding = Coding::kBinary;
  slow->write_head(head);
  slow->write_body(Slice{{}, "ha"});
  peer.ask("fast", "f");
  EXPECT_EQ(peer.taken(), (Message{.sequence = 2, .name = "fast", .body = "f", .flags = 1}.bytes()));
  slow->write_body(Slice{{}, "lf"});
  slow->write_end({});
  peer.loop.end_turn();
  EXPECT_EQ(peer.taken(), (Message{.name = "slow", .body = "half", .flags = 1}.bytes()));
}

TEST(ThriftClient, WithOneCallAtATimeEndsWithOneThatIsGivenUp) {
  ThriftPeer peer(thrift::Connection::Side::kClient, {.calls = 1}, Carrier::kFramed);
  Recorder& first = peer.ask();
  EXPECT_FALSE(peer.connection.has_room());
  peer.receive(reply_to(1, "one", Kind::kReply, Carrier::kFramed));
  EXPECT_EQ(first.seen, "[200 +3]one.");
  peer.ask().exchange->reset(Reset::kCancelled);
  EXPECT_TRUE(peer.has_ended);
  ThriftPeer other(thrift::Connection::Side::kClient, {.calls = 1}, Carrier::kFramed);
  Recorder& wrong = other.ask();
  other.receive(reply_to(9, "nine", Kind::kReply, Carrier::kFramed));
  EXPECT_EQ(wrong.seen, "protocol");
}

TEST(ThriftClient, EndsOnewayCallsByItself) {
  ThriftPeer peer(thrift::Connection::Side::kClient, {.calls = 1}, Carrier::kFramed);
  Recorder& sent = peer.ask("tell", "x", kOneway);
  EXPECT_EQ(sent.seen, "[200].");
  EXPECT_TRUE(peer.connection.has_room());
  EXPECT_EQ(peer.taken(),
            (Message{.carrier = Carrier::kFramed, .kind = Kind::kOneway, .name = "tell", .body = "x"}.bytes()));
}

TEST(ThriftClient, TellsConnectionsThatWereKeptFromBrokenOnes) {
  ThriftPeer kept(thrift::Connection::Side::kClient, {.calls = 1});
  kept.ask();
  kept.receive(reply_to(1, "a"));
  Recorder& stale = kept.ask();
  kept.wire.is_ended = true;
  kept.loop.turn();
  EXPECT_EQ(stale.seen, "stale");
  ThriftPeer fresh(thrift::Connection::Side::kClient, {.calls = 1});
  Recorder& closed = fresh.ask();
  fresh.wire.is_ended = true;
  fresh.loop.turn();
  EXPECT_EQ(closed.seen, "closed");
  ThriftPeer broken(thrift::Connection::Side::kClient, {.calls = 1});
  Recorder& half = broken.ask();
  broken.receive(reply_to(1, "abcd").substr(0, 36));
  broken.wire.is_ended = true;
  broken.loop.turn();
  EXPECT_THAT(half.seen, ::testing::EndsWith("closed"));
}

TEST(ThriftClient, LeavesAServerThatIsAboutToLeave) {
  ThriftPeer peer(thrift::Connection::Side::kClient, {.calls = 3});
  Recorder& first = peer.ask();
  Recorder& second = peer.ask();
  peer.receive(Message{.kind = Kind::kReply, .facts = {{"crrst", "1"}}, .body = "a"}.bytes());
  EXPECT_EQ(first.seen, "[200 +1]a.");
  EXPECT_FALSE(peer.connection.has_room());
  peer.receive(reply_to(2, "b"));
  EXPECT_EQ(second.seen, "[200 +1]b.");
  peer.loop.pass(seconds(1));
  EXPECT_TRUE(peer.has_ended);
  // Messages that go/rpc's and Kitex's servers send without a call.
  ThriftPeer other(thrift::Connection::Side::kClient, {.calls = 3});
  other.receive(Message{.kind = Kind::kReply, .sequence = 0, .name = "none", .facts = {{"crrst", "1"}}}.bytes());
  EXPECT_TRUE(other.has_ended);
}

TEST(ThriftClient, EndsWhenItIsIdle) {
  ThriftPeer peer(thrift::Connection::Side::kClient, {.calls = 1, .idle = seconds(5)});
  peer.loop.pass(seconds(4));
  EXPECT_FALSE(peer.has_ended);
  peer.loop.pass(seconds(2));
  EXPECT_TRUE(peer.has_ended);
}

}  // namespace
}  // namespace hone::mesh::testing
