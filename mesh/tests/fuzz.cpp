// No bytes on a connection lead to a crash, to a message that two readers would see differently, or to memory that is
// not given back.
#include "fuzz.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>

#include "cluster/health_check.hpp"
#include "config/yaml.hpp"
#include "fakes.hpp"
#include "http/target.hpp"
#include "http/thrift.hpp"
#include "observe/trace.hpp"
#include "wire/http1/client.hpp"
#include "wire/http1/server.hpp"
#include "wire/http2/connection.hpp"
#include "wire/thrift/connection.hpp"

namespace hone::mesh::testing {
namespace {

void must(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: %s\n", what);
  std::abort();
}

// FuzzParts are the parts that connections use. Their destructor checks that no buffer is lent at the end.
struct FuzzParts {
  ~FuzzParts() { must(buffers.lent() == 0, "a buffer was not given back"); }
  FakeLoop loop;
  BufferPool buffers;
  BlockPool blocks;
  Wire wire;
};

// Echo answers each request with its own body, and writes down what it saw.
class Echo : public MessageSink {
 public:
  explicit Echo(Exchange& exchange) : exchange_(&exchange) {}
  void on_head(Head head) override {
    must(!head.path.empty() && (head.path.front() == '/' || head.path == "*"), "a path is no path");
    // Texts of Thrift may be anything: they end no line.
    must(head.authority.empty() || is_thrift(head) || is_authority(head.authority), "an authority is none");
    for (const Header& header : head.headers.items()) {
      if (is_thrift(head)) break;
      must(header.value.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos,
           "a value ends its line");
      must(header.name.find_first_of(std::string_view("\r\n\0: ", 5)) == std::string_view::npos, "a name is none");
    }
    seen += std::string(head.method) + " " + std::string(head.path) + "\n";
    Head answer;
    answer.status = 200;
    answer.body.kind = head.body.kind == Body::Kind::kNone ? Body::Kind::kNone : Body::Kind::kStreamed;
    if (!head.upgrade.empty()) {
      must(head.upgrade == kWebSocket && head.method == "GET", "a wish is none");
      answer.status = kSwitching;
      answer.upgrade = kWebSocket;
    }
    exchange_->write_head(answer);
  }
  void on_body(Slice slice) override {
    seen += slice.bytes;
    exchange_->write_body(std::move(slice));
  }
  void on_end(Headers trailers) override {
    seen += "\n.\n";
    std::exchange(exchange_, nullptr)->write_end(trailers);
  }
  void on_reset(Reset) override { seen += "reset\n"; }
  void on_room() override {}

  std::string seen;

 private:
  Exchange* exchange_;
};

// Served is a server's connection of either version, read to the end of the bytes.
template <class Connection>
class Served {
 public:
  void ended() { has_ended = true; }
  void ended_http2(http2::Connection&) { has_ended = true; }
  void ended_thrift(thrift::Connection&) { has_ended = true; }
  void refused_thrift(std::string_view why) { seen += std::string(why) + "\n"; }
  void refused(const http1::Fault& fault) { seen += "refused " + std::to_string(fault.status) + "\n"; }
  MessageSink* open(Exchange& exchange) {
    sinks.push_back(std::make_unique<Echo>(exchange));
    return sinks.back().get();
  }
  void run(FuzzParts& parts, std::string_view bytes, std::size_t piece) {
    while (!bytes.empty() && !has_ended) {
      parts.wire.incoming.push_back(std::string(bytes.substr(0, piece)));
      bytes.remove_prefix(std::min(piece, bytes.size()));
      for (int turn = 0; turn < 4 && !has_ended; ++turn) parts.loop.turn();
    }
    for (const auto& sink : sinks) seen += sink->seen;
  }

  std::vector<std::unique_ptr<Echo>> sinks;
  std::string seen;
  bool has_ended = false;
};

std::string serve_http1(std::string_view bytes, std::size_t piece) {
  using Mine = Served<http1::ServerConnection>;
  FuzzParts parts;
  Mine served;
  const http1::ServerLimits limits;
  http1::ServerConnection connection(parts.loop, parts.buffers, parts.blocks,
                                     std::make_unique<FakeTransport>(parts.wire), limits,
                                     {.open = Delegate<MessageSink*(Exchange&)>::of<&Mine::open>(served),
                                      .refused = Delegate<void(const http1::Fault&)>::of<&Mine::refused>(served),
                                      .greeting = {},
                                      .greeted = {},
                                      .ended = Delegate<void()>::of<&Mine::ended>(served)});
  connection.start();
  served.run(parts, bytes, piece);
  std::string seen = served.seen;
  connection.close();
  parts.loop.end_turn();
  return seen;
}

void fuzz_http1_server(std::string_view bytes) {
  // However the bytes are cut, they mean the same.
  const std::string whole = serve_http1(bytes, bytes.size());
  for (const std::size_t piece : {std::size_t{1}, std::size_t{13}}) {
    must(serve_http1(bytes, piece) == whole, "requests mean something else when they are cut");
  }
}

void fuzz_http2_server(std::string_view bytes) {
  using Mine = Served<http2::Connection>;
  const std::string all = std::string(http2::kPreface) + std::string("\0\0\0\4\0\0\0\0\0", 9) + std::string(bytes);
  for (const std::size_t piece : {all.size(), std::size_t{11}}) {
    FuzzParts parts;
    Mine served;
    const http2::Limits limits;
    http2::Connection connection(http2::Connection::Side::kServer, parts.loop, parts.buffers, parts.blocks,
                                 std::make_unique<FakeTransport>(parts.wire), limits,
                                 {.open = Delegate<MessageSink*(Exchange&)>::of<&Mine::open>(served),
                                  .room = {},
                                  .ended = Delegate<void(http2::Connection&)>::of<&Mine::ended_http2>(served)});
    connection.start();
    served.run(parts, all, piece);
    connection.close();
    parts.loop.end_turn();
  }
}

// Asker sends a request, and takes whatever comes.
class Asker : public MessageSink {
 public:
  void on_head(Head) override { must(!is_over, "something comes behind the end"); }
  void on_body(Slice) override { must(!is_over, "something comes behind the end"); }
  void on_end(Headers) override { must(!std::exchange(is_over, true), "two ends"); }
  void on_reset(Reset) override { must(!std::exchange(is_over, true), "two ends"); }
  void on_room() override {}
  void ended_http1(http1::ClientConnection&) { has_ended = true; }
  void ended_http2(http2::Connection&) { has_ended = true; }
  void ended_thrift(thrift::Connection&) { has_ended = true; }
  void room_thrift(thrift::Connection&) {}
  void idle(http1::ClientConnection&) {}
  static Head head() {
    Head made;
    made.method = "GET";
    made.authority = "a";
    made.path = "/";
    return made;
  }
  void run(FuzzParts& parts, std::string_view bytes) {
    while (!bytes.empty() && !has_ended) {
      parts.wire.incoming.push_back(std::string(bytes.substr(0, 29)));
      bytes.remove_prefix(std::min<std::size_t>(29, bytes.size()));
      parts.loop.turn();
      parts.loop.turn();
    }
    parts.wire.is_ended = true;
    if (!has_ended) parts.loop.turn();
  }

  bool is_over = false;
  bool has_ended = false;
};

void fuzz_http1_client(std::string_view bytes) {
  FuzzParts parts;
  Asker asker;
  http1::ClientConnection connection(
      parts.loop, parts.buffers, parts.blocks, std::make_unique<FakeTransport>(parts.wire),
      {.idle = Delegate<void(http1::ClientConnection&)>::of<&Asker::idle>(asker),
       .ended = Delegate<void(http1::ClientConnection&)>::of<&Asker::ended_http1>(asker)});
  connection.start();
  connection.open(asker);
  Head head = Asker::head();
  const bool is_wish = bytes.starts_with("HTTP/1.1 101");
  if (is_wish) {
    head.upgrade = kWebSocket;
    head.headers.add(connection.arena(), {"sec-websocket-key", "key", HeaderId::kOther});
  }
  connection.write_head(head);
  if (!is_wish) connection.write_end({});
  parts.loop.end_turn();
  asker.run(parts, bytes);
  connection.close();
  must(asker.is_over, "a request has no end");
  parts.loop.end_turn();
}

void fuzz_http2_client(std::string_view bytes) {
  FuzzParts parts;
  Asker asker;
  const http2::Limits limits;
  http2::Connection connection(
      http2::Connection::Side::kClient, parts.loop, parts.buffers, parts.blocks,
      std::make_unique<FakeTransport>(parts.wire), limits,
      {.open = {}, .room = {}, .ended = Delegate<void(http2::Connection&)>::of<&Asker::ended_http2>(asker)});
  connection.start();
  Exchange* const exchange = connection.open(asker);
  exchange->write_head(Asker::head());
  exchange->write_end({});
  parts.loop.end_turn();
  asker.run(parts, std::string("\0\0\0\4\0\0\0\0\0", 9) + std::string(bytes));
  connection.close();
  must(asker.is_over, "a request has no end");
  parts.loop.end_turn();
}

void fuzz_configuration(std::string_view bytes) {
  const auto read = config::read_yaml(std::string(bytes), "fuzz.yaml");
  must((read.snapshot == nullptr) != read.faults.empty(), "a configuration is neither right nor wrong");
}

void fuzz_target(std::string_view bytes) {
  BlockPool blocks;
  Arena arena(blocks);
  const auto once = parse_target(bytes, "GET", arena);
  if (!once) return;
  const std::string path(once->path);
  const auto twice = parse_target(path, "GET", arena);
  must(twice && twice->path == path, "a path changes when it is read again");
  const std::string_view decoded = path_of(decoded_path(path, arena));
  must(!decoded.empty() && decoded.find("//") == decoded.npos, "a decoded path has an empty segment");
}

void fuzz_health(std::string_view bytes) {
  // All bytes of an endpoint are an answer, or none.
  const auto status = parse_grpc_health(bytes);
  must(!status || bytes.size() >= 5, "an answer of health has no frame");
}

void fuzz_traceparent(std::string_view bytes) {
  const auto parent = parse_traceparent(bytes);
  must(!parent || (parent->trace_id.size() == 32 && parent->span_id.size() == 16), "a parent has no ids");
}

std::string serve_thrift(std::string_view bytes, std::size_t piece) {
  using Mine = Served<thrift::Connection>;
  FuzzParts parts;
  Mine served;
  const thrift::Limits limits;
  thrift::Connection connection(thrift::Connection::Side::kServer, thrift::Carrier::kHeader, parts.loop, parts.buffers,
                                parts.blocks, std::make_unique<FakeTransport>(parts.wire), limits,
                                {.open = Delegate<MessageSink*(Exchange&)>::of<&Mine::open>(served),
                                 .refused = Delegate<void(std::string_view)>::of<&Mine::refused_thrift>(served),
                                 .room = {},
                                 .ended = Delegate<void(thrift::Connection&)>::of<&Mine::ended_thrift>(served)});
  connection.start();
  served.run(parts, bytes, piece);
  if (!served.has_ended) connection.close();
  parts.loop.end_turn();
  return served.seen + parts.wire.written;
}

void fuzz_thrift_server(std::string_view bytes) {
  must(serve_thrift(bytes, 8192) == serve_thrift(bytes, 7), "pieces change what is read");
}

void fuzz_thrift_client(std::string_view bytes) {
  FuzzParts parts;
  std::array<Asker, 3> askers;
  Asker& asker = askers.front();
  const thrift::Limits limits;
  thrift::Connection connection(thrift::Connection::Side::kClient, thrift::Carrier::kHeader, parts.loop, parts.buffers,
                                parts.blocks, std::make_unique<FakeTransport>(parts.wire), limits,
                                {.open = {},
                                 .refused = {},
                                 .room = Delegate<void(thrift::Connection&)>::of<&Asker::room_thrift>(asker),
                                 .ended = Delegate<void(thrift::Connection&)>::of<&Asker::ended_thrift>(asker)});
  connection.start();
  Head head;
  head.method = kCall;
  head.function = "f";
  head.coding = Coding::kBinary;
  for (Asker& one : askers) {
    Exchange& exchange = *connection.open(one);
    exchange.write_head(head);
    exchange.write_end({});
  }
  parts.loop.end_turn();
  asker.run(parts, bytes);
  if (!asker.has_ended) connection.close();
  parts.loop.end_turn();
}

void fuzz_exceptions(std::string_view bytes) {
  for (const Coding coding : {Coding::kBinary, Coding::kCompact}) {
    const int status = status_of_exception(bytes, coding);
    must(status == 400 || status == 404 || status == 500, "an exception has no status");
  }
}

constexpr void (*kBodies[])(std::string_view) = {
    fuzz_http1_server, fuzz_http1_client, fuzz_http2_server,  fuzz_http2_client,  fuzz_configuration, fuzz_target,
    fuzz_health,       fuzz_traceparent,  fuzz_thrift_server, fuzz_thrift_client, fuzz_exceptions};

std::string seed(char body, std::string_view bytes) {
  return body + std::string(bytes);
}

// A field of HPACK that leaves the table as it is.
std::string field_of(std::string_view name, std::string_view value) {
  return std::string(1, '\0') + static_cast<char>(name.size()) + std::string(name) + static_cast<char>(value.size()) +
         std::string(value);
}

// A frame in bytes.
std::string bytes_of(char type, char flags, char stream, std::string_view payload) {
  return std::string{'\0',
                     static_cast<char>(payload.size() >> 8),
                     static_cast<char>(payload.size() & 0xff),
                     type,
                     flags,
                     '\0',
                     '\0',
                     '\0',
                     stream} +
         std::string(payload);
}

}  // namespace

void fuzz(std::string_view bytes) {
  if (bytes.empty() || bytes.size() > 64 * 1024) return;
  const auto body = static_cast<unsigned char>(bytes.front()) % std::size(kBodies);
  kBodies[body](bytes.substr(1));
}

std::vector<std::string> fuzz_seeds() {
  // GET http / a, by indexes; and an answer of 200.
  const std::string request(
      "\x82\x86\x84\x41\x01"
      "a",
      6);
  const std::string data = bytes_of(0, 1, 1, "body");
  return {
      seed(0, "GET /a?b HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
      seed(0, "POST /a/../b HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbodyHEAD / HTTP/1.0\r\n\r\n"),
      seed(0, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4;x=y\r\nbody\r\n0\r\nX-T: 1\r\n\r\n"),
      seed(0, "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\nbody"),
      seed(1, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody"),
      seed(1, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\nX-T: 1\r\n\r\n"),
      seed(0, "GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n\x81\x02hi\r\n\r\n"),
      seed(1, "HTTP/1.1 101 S\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n\x81\x02hi"),
      seed(2, bytes_of(1, 4, 1,
                       field_of(":method", "CONNECT") + field_of(":protocol", "websocket") + "\x86\x84" +
                           field_of(":authority", "a")) +
                  data),
      seed(1, "HTTP/1.0 200 OK\r\n\r\nuntil the end"),
      seed(2, bytes_of(1, 5, 1, request) + bytes_of(1, 4, 3, request) + bytes_of(8, 0, 0, std::string("\0\0\1\0", 4))),
      seed(2, bytes_of(1, 0, 1, request.substr(0, 2)) + bytes_of(9, 4, 1, request.substr(2)) + data),
      seed(2, bytes_of(4, 0, 0, std::string("\0\4\0\0\0\1", 6)) + bytes_of(1, 4, 1, request) + data +
                  bytes_of(3, 0, 1, std::string("\0\0\0\x8", 4)) + bytes_of(6, 0, 0, "12345678")),
      seed(3, bytes_of(1, 4, 1, "\x88") + data),
      seed(3, bytes_of(1, 4, 1, "\x88") + bytes_of(0, 8, 1, std::string("\2bo\0\0", 5)) +
                  bytes_of(1, 5, 1, std::string("\0\1t\1v", 5))),
      seed(3, bytes_of(7, 0, 0, std::string(8, '\0')) + bytes_of(3, 0, 1, std::string("\0\0\0\7", 4))),
      seed(4,
           "listeners:\n  - {name: a, address: '127.0.0.1:0', routes: [{to: b, timeout: 1s}]}\n"
           "clusters: [{name: b, endpoints: ['unix:/x']}]\n"),
      seed(4,
           "listeners:\n  - name: a\n    address: '127.0.0.1:0'\n    routes: [{reply: {}, skip: [fault]}]\n    "
           "filters:\n"
           "      - {access: {deny: [{match: {prefix: /a}, clients: [10.0.0.0/8]}]}}\n"
           "      - {fault: {abort: {percent: 0.5}}}\n      - {rate_limit: {requests: 1}}\n"),
      seed(5, "/a/./b/%2e%2e/../c?d/.."),
      seed(5, "/a;b=c/%2f%2e%2e%2f/d;?e"),
      seed(5, "http://a:1/b"),
      seed(7, "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),
      seed(6, std::string("\0\0\0\0\7\x12\3abc\x8\1", 12)),
      seed(8, std::string("\0\0\0\x11\x80\1\0\1\0\0\0\4find\0\0\0\7\0", 21)),
      seed(8, std::string("\0\0\0\xa\x82\x21\xac\2\4find\0", 14)),
      seed(8, std::string("\0\0\0\x2f\x10\0\0\1\0\0\0\7\0\5\0\0\1\0\1\0\1k\0\1v\x10\0\1\0\6\0\1s\0\0\0"
                          "\x80\1\0\1\0\0\0\4find\0\0\0\7\0",
                          51)),
      seed(9, std::string("\0\0\0\x21\x10\0\0\0\0\0\0\1\0\1\0\0\0\0\x80\1\0\2\0\0\0\4find\0\0\0\1body", 37)),
      seed(10, std::string("\xb\0\1\0\0\0\1x\x8\0\2\0\0\0\6\0", 16)),
  };
}

}  // namespace hone::mesh::testing

#ifdef HONE_MESH_LIBFUZZER
// Puts the seeds into the folder that is named first, which libFuzzer reads then.
extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  const std::vector<std::string> seeds = hone::mesh::testing::fuzz_seeds();
  for (int word = 1; word < *count; ++word) {
    if ((*words)[word][0] == '-') continue;
    for (std::size_t at = 0; at < seeds.size(); ++at) {
      std::ofstream((*words)[word] + ("/seed-" + std::to_string(at))) << seeds[at];
    }
    break;
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  hone::mesh::testing::fuzz({reinterpret_cast<const char*>(data), size});
  return 0;
}
#endif
