// Messages that the parser takes or refuses. The tables are the cases by which requests are smuggled past a proxy: each
// is refused, with its status, or has one meaning that is written beside it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "http/target.hpp"
#include "wire/http1/parser.hpp"

namespace hone::mesh::testing {
namespace {

using http1::Parser;
using http1::Side;
using http1::Step;

// Parsed is the result of parsing some bytes, as text.
struct Parsed {
  int status = 0;
  std::string detail;
  // Heads, bodies and trailers, in the order in which they came.
  std::string text;
};

class ParserRun {
 public:
  explicit ParserRun(Side side, bool is_reply_to_head = false)
      : arena_(blocks_),
        parser_(side, 20, arena_, Delegate<void(std::string_view)>::of<&ParserRun::on_body>(*this)),
        is_reply_to_head_(is_reply_to_head) {}

  // Parses bytes in pieces, each in memory of its own with the earlier bytes it needs, as a channel does it.
  Parsed parse(std::string_view bytes, std::size_t piece, bool is_ended = false) {
    parser_.begin(is_reply_to_head_);
    std::string memory;
    memory.reserve(kBufferBytes);
    std::size_t kept = std::string::npos;
    while (!bytes.empty()) {
      // Moves bytes that have to stay together to other memory.
      std::string next;
      next.reserve(kBufferBytes);
      if (kept != std::string::npos) next.append(memory, kept);
      if (kept != std::string::npos) parser_.moved(next.data() - (memory.data() + kept));
      const std::size_t from = next.size();
      next += bytes.substr(0, piece);
      bytes.remove_prefix(std::min(piece, bytes.size()));
      std::fill(memory.begin(), memory.end(), '?');
      memory.swap(next);
      if (!step(std::string_view(memory).substr(from))) return parsed_;
      const char* const needed = parser_.needed();
      kept = needed == nullptr ? std::string::npos : static_cast<std::size_t>(needed - memory.data());
    }
    if (is_ended) handle(parser_.finish());
    return parsed_;
  }

 private:
  bool step(std::string_view input) {
    for (bool is_at_head = false; is_at_head || !input.empty();) {
      const Parser::Parsed parsed = parser_.parse(input);
      input.remove_prefix(parsed.taken);
      is_at_head = parsed.step == Step::kHead;
      if (!handle(parsed.step)) return false;
    }
    return true;
  }

  bool handle(Step step) {
    if (step == Step::kHead) {
      const Head& head = parser_.head();
      parsed_.text += "<" + std::string(head.method) + (head.status == 0 ? "" : std::to_string(head.status)) + " " +
                      std::string(head.authority) + " " + std::string(head.path);
      append(head.headers);
      parsed_.text += head.body.kind == Body::Kind::kSized      ? " +" + std::to_string(head.body.size)
                      : head.body.kind == Body::Kind::kStreamed ? " ++"
                                                                : "";
      parsed_.text += parser_.keeps_alive() ? ">" : " close>";
    } else if (step == Step::kEnd) {
      append(parser_.trailers());
      parsed_.text += ".";
      parser_.begin(is_reply_to_head_);
    } else if (step == Step::kFault) {
      parsed_.status = parser_.fault().status;
      parsed_.detail = parser_.fault().detail;
      return false;
    }
    return true;
  }
  void append(const Headers& headers) {
    for (const Header& header : headers.items()) {
      parsed_.text += " " + std::string(header.name) + "=" + std::string(header.value);
    }
  }
  void on_body(std::string_view part) { parsed_.text += part; }

  BlockPool blocks_;
  Arena arena_;
  Parser parser_;
  bool is_reply_to_head_;
  Parsed parsed_;
};

Parsed parse_request(std::string_view bytes, std::size_t piece = kBufferBytes) {
  return ParserRun(Side::kRequests).parse(bytes, piece);
}

struct Case {
  const char* about;
  std::string bytes;
  int status;
};

const std::string kHost = "Host: a\r\n";

TEST(Http1Requests, ThatAreReadInTwoWaysAreRefused) {
  const std::vector<Case> cases = {
      {"both lengths",
       "POST / HTTP/1.1\r\n" + kHost + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {"both lengths, the other way round",
       "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n", 400},
      {"two lengths", "POST / HTTP/1.1\r\n" + kHost + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", 400},
      {"the same length twice", "POST / HTTP/1.1\r\n" + kHost + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
       400},
      {"a list of lengths", "POST / HTTP/1.1\r\n" + kHost + "Content-Length: 3, 3\r\n\r\nabc", 400},
      {"a length with a sign", "POST / HTTP/1.1\r\n" + kHost + "Content-Length: +3\r\n\r\nabc", 400},
      {"a negative length", "POST / HTTP/1.1\r\n" + kHost + "Content-Length: -3\r\n\r\nabc", 400},
      {"a length in hexadecimal", "POST / HTTP/1.1\r\n" + kHost + "Content-Length: 0x3\r\n\r\nabc", 400},
      {"an empty length", "POST / HTTP/1.1\r\n" + kHost + "Content-Length: \r\n\r\nabc", 400},
      {"a length with a space in it", "POST / HTTP/1.1\r\n" + kHost + "Content-Length: 1 2\r\n\r\nabc", 400},
      {"a length of more than 64 bits", "POST / HTTP/1.1\r\n" + kHost + "Content-Length: 18446744073709551617\r\n\r\na",
       400},
      {"chunked twice", "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n", 400},
      {"two fields of codings",
       "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
       400},
      {"identity behind chunked",
       "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
       400},
      {"another coding", "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501},
      {"a coding without chunked", "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: gzip\r\n\r\n", 501},
      {"a coding that looks like chunked",
       "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501},
      {"a coding in quotes", "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n", 501},
      {"a coding with a control byte",
       "POST / HTTP/1.1\r\n" + kHost +
           "Transfer-Encoding: \x0b"
           "chunked\r\n\r\n0\r\n\r\n",
       400},
      {"a coding in HTTP/1.0", "POST / HTTP/1.0\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {"a space before the colon", "POST / HTTP/1.1\r\n" + kHost + "Content-Length : 3\r\n\r\nabc", 400},
      {"a tab before the colon", "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n", 400},
      {"a folded field", "GET / HTTP/1.1\r\n" + kHost + "X: a\r\n b\r\n\r\n", 400},
      {"a folded length", "POST / HTTP/1.1\r\n" + kHost + "Content-Length:\r\n 3\r\n\r\nabc", 400},
      {"a folded coding", "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding:\r\n\tchunked\r\n\r\n0\r\n\r\n", 400},
      {"a space before the first field", "GET / HTTP/1.1\r\n " + kHost + "\r\n", 400},
      {"a bare carriage return in a value", "GET / HTTP/1.1\r\n" + kHost + "X: a\rContent-Length: 3\r\n\r\n", 400},
      {"a bare carriage return behind a field", "GET / HTTP/1.1\r\n" + kHost + "X: a\r\r\n\r\n", 400},
      {"a bare line feed behind a field", "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", 400},
      {"bare line feeds at the end of the head", "GET / HTTP/1.1\r\nHost: a\r\n\n", 400},
      {"a bare line feed behind the request line", "GET / HTTP/1.1\n" + kHost + "\r\n", 400},
      {"a zero byte in a value", "GET / HTTP/1.1\r\n" + kHost + std::string("X: a\0b\r\n\r\n", 10), 400},
      {"a zero byte in a name", "GET / HTTP/1.1\r\n" + kHost + std::string("X\0: a\r\n\r\n", 9), 400},
      {"no name", "GET / HTTP/1.1\r\n" + kHost + ": a\r\n\r\n", 400},
      {"a line without a colon", "GET / HTTP/1.1\r\n" + kHost + "Content-Length\r\n\r\n", 400},
      {"bytes beyond ASCII in a name", "GET / HTTP/1.1\r\n" + kHost + "X\xc3\xa4: a\r\n\r\n", 400},
      {"two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
      {"the same host twice", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400},
      {"no host", "GET / HTTP/1.1\r\n\r\n", 400},
      {"a host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400},
      {"a host with a user", "GET / HTTP/1.1\r\nHost: a@b\r\n\r\n", 400},
      {"a host with a space", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400},
      {"a host with a port that is none", "GET / HTTP/1.1\r\nHost: a:b\r\n\r\n", 400},
      {"chunks: no size", "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n\r\n", 400},
      {"chunks: a sign", "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n+3\r\nabc\r\n0\r\n\r\n",
       400},
      {"chunks: a prefix", "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n0x3\r\nabc\r\n0\r\n\r\n",
       400},
      {"chunks: a space before the size",
       "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n 3\r\nabc\r\n0\r\n\r\n", 400},
      {"chunks: a space behind the size",
       "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n3 \r\nabc\r\n0\r\n\r\n", 400},
      {"chunks: a size of more than 64 bits",
       "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n10000000000000003\r\nabc\r\n0\r\n\r\n", 400},
      {"chunks: a bare line feed behind the size",
       "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n3\nabc\r\n0\r\n\r\n", 400},
      {"chunks: a bare carriage return behind the size",
       "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n3\rabc\r\n0\r\n\r\n", 400},
      {"chunks: more bytes than the size",
       "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n", 400},
      {"chunks: a bare line feed behind the bytes",
       "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\n0\r\n\r\n", 400},
      {"chunks: a bare line feed in an extension",
       "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n3;a\nb\r\nabc\r\n0\r\n\r\n", 400},
      {"chunks: a bare carriage return in an extension",
       "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n3;a\rb\r\nabc\r\n0\r\n\r\n", 400},
      {"chunks: extensions without end",
       "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n3;" + std::string(17'000, 'e') +
           "\r\nabc\r\n0\r\n\r\n",
       400},
      {"chunks: a folded trailer",
       "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n0\r\nX: a\r\n b\r\n\r\n", 400},
      {"chunks: a length in the trailers",
       "POST / HTTP/1.1\r\n" + kHost + "Transfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 5\r\n\r\n", 400},
      {"a tunnel", "CONNECT a:1 HTTP/1.1\r\n" + kHost + "\r\n", 501},
      {"a method that is none", "GE(T / HTTP/1.1\r\n" + kHost + "\r\n", 400},
      {"another protocol", "GET / RTSP/1.0\r\n" + kHost + "\r\n", 400},
      {"a version that is none", "GET / HTTP/1.2\r\n" + kHost + "\r\n", 505},
      {"HTTP/2 by its number alone", "GET / HTTP/2.0\r\n" + kHost + "\r\n", 505},
      {"HTTP/0.9", "GET /\r\n\r\n", 505},
      {"a version of two digits", "GET / HTTP/1.10\r\n" + kHost + "\r\n", 400},
      {"two spaces before the version", "GET /  HTTP/1.1\r\n" + kHost + "\r\n", 400},
      {"a target that is no path", "GET a HTTP/1.1\r\n" + kHost + "\r\n", 400},
      {"a target of another scheme", "GET ftp://a/ HTTP/1.1\r\n" + kHost + "\r\n", 400},
      {"a fragment", "GET /a#b HTTP/1.1\r\n" + kHost + "\r\n", 400},
      {"an encoded zero byte", "GET /a%00b HTTP/1.1\r\n" + kHost + "\r\n", 400},
      {"a percent sign alone", "GET /a%zz HTTP/1.1\r\n" + kHost + "\r\n", 400},
      {"a backslash", "GET /a\\..\\b HTTP/1.1\r\n" + kHost + "\r\n", 400},
      {"a star for another method", "GET * HTTP/1.1\r\n" + kHost + "\r\n", 400},
      {"TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc", 400},
      {"more fields than may be",
       "GET / HTTP/1.1\r\n" + kHost +
           [] {
             std::string all;
             for (int at = 0; at < 20; ++at) all += "X: a\r\n";
             return all;
           }() +
           "\r\n",
       431},
  };
  for (const Case& one : cases) {
    for (const std::size_t piece : {kBufferBytes, std::size_t{1}, std::size_t{7}}) {
      const Parsed parsed = parse_request(one.bytes, piece);
      EXPECT_EQ(parsed.status, one.status) << one.about << ", in pieces of " << piece << ": " << parsed.text;
    }
  }
}

TEST(Http1Requests, HaveOneMeaningHoweverTheyAreCut) {
  const struct {
    std::string bytes;
    const char* meaning;
  } cases[] = {
      {"GET /p?q=1 HTTP/1.1\r\nHost: a:80\r\nX-Some: Value \r\n\r\n", "<GET a:80 /p?q=1 x-some=Value>."},
      {"\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "<GET a />."},
      {"GET http://b/x HTTP/1.1\r\nHost: a\r\n\r\n", "<GET b /x>."},
      {"GET http://b?x HTTP/1.1\r\nHost: a\r\n\r\n", "<GET b /?x>."},
      {"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "<OPTIONS a *>."},
      {"GET / HTTP/1.0\r\n\r\n", "<GET  / close>."},
      {"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "<GET  />."},
      {"GET / HTTP/1.1\r\nHost: a\r\nConnection: close, x-hop\r\nX-Hop: 1\r\nX-End: 2\r\n\r\n",
       "<GET a / x-end=2 close>."},
      {"GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nGET /2 HTTP/1.1\r\nHost: "
       "a\r\n\r\n",
       "<GET a />.<GET a /2>."},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabcGET /2 HTTP/1.1\r\nHost: a\r\n\r\n",
       "<POST a / +3>abc.<GET a /2>."},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n",
       "<POST a / +0>.<GET a /2>."},
      {"POST / HTTP/1.1\r\nHost: a\r\ntransfer-encoding: Chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\n\r\nGET /2 "
       "HTTP/1.1\r\nHost: a\r\n\r\n",
       "<POST a / ++>abc.<GET a /2>."},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n03\r\nabc\r\nA\r\n0123456789\r\n0\r\nX-Sum: "
       "7\r\nTE: x\r\nHost: b\r\n\r\n",
       "<POST a / ++>abc0123456789 x-sum=7."},
      {"GET /a/./b/../c HTTP/1.1\r\nHost: a\r\n\r\n", "<GET a /a/c>."},
      {"GET /a/%2e%2E/../../b?/../ HTTP/1.1\r\nHost: a\r\n\r\n", "<GET a /b?/../>."},
      {"GET /a/.. HTTP/1.1\r\nHost: a\r\n\r\n", "<GET a />."},
      {"GET /.a/..b/%2ec HTTP/1.1\r\nHost: a\r\n\r\n", "<GET a /.a/..b/%2ec>."},
      {"GET /%2F..%2Fa HTTP/1.1\r\nHost: a\r\n\r\n", "<GET a /%2F..%2Fa>."},
  };
  for (const auto& one : cases) {
    for (std::size_t piece = 1; piece <= one.bytes.size(); ++piece) {
      const Parsed parsed = parse_request(one.bytes, piece);
      ASSERT_EQ(parsed.text, one.meaning) << one.bytes << "\nin pieces of " << piece << ": " << parsed.detail;
    }
  }
}

TEST(Http1Responses, HaveOneMeaningHoweverTheyAreCut) {
  const struct {
    std::string bytes;
    bool is_reply_to_head;
    const char* meaning;
  } cases[] = {
      {"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", false, "<200   +3>abc."},
      {"HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", false, "<200   +0>."},
      {"HTTP/1.1 204 No Content\r\n\r\n", false, "<204  >."},
      {"HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", false, "<304   content-length=9>."},
      {"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", true, "<200   content-length=9>."},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", true, "<200  >."},
      {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: "
       "1\r\n\r\na",
       false, "<100  >.<103   link=x>.<200   +1>a."},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-T: 1\r\n\r\n", false,
       "<200   ++>a x-t=1."},
      {"HTTP/1.1 200 OK\r\n\r\nuntil the end", false, "<200   ++ close>until the end."},
      {"HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na", false, "<200   +1 close>a."},
  };
  for (const auto& one : cases) {
    for (std::size_t piece = 1; piece <= one.bytes.size(); ++piece) {
      const Parsed parsed = ParserRun(Side::kResponses, one.is_reply_to_head).parse(one.bytes, piece, true);
      ASSERT_EQ(parsed.text, one.meaning) << one.bytes << "\nin pieces of " << piece << ": " << parsed.detail;
    }
  }
}

TEST(Http1Responses, ThatAreReadInTwoWaysAreRefused) {
  const std::string cases[] = {
      "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nabc",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
      "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\r\n",
      "HTTP/1.1 200 OK\nContent-Length: 1\r\n\r\na",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
      "HTTP/1.1 099 No\r\n\r\n",
      "HTTP/1.1 600 No\r\n\r\n",
      "HTTP/2.0 200 OK\r\n\r\n",
      "SSH-2.0-OpenSSH\r\n",
  };
  for (const std::string& bytes : cases) {
    for (const std::size_t piece : {kBufferBytes, std::size_t{1}}) {
      const Parsed parsed = ParserRun(Side::kResponses).parse(bytes, piece);
      EXPECT_EQ(parsed.status, 502) << bytes << parsed.text;
    }
  }
}

TEST(Http1Responses, ThatEndTooEarlyAreRefused) {
  for (const char* bytes : {"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab", "HTTP/1.1 200 OK\r\nContent-L",
                            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"}) {
    EXPECT_EQ(ParserRun(Side::kResponses).parse(bytes, 1, true).status, 502) << bytes;
  }
}

}  // namespace
}  // namespace hone::mesh::testing
