#include "http/request_parser.h"

#include <gtest/gtest.h>

#include <string>

namespace mesh {
namespace {

class Recorder : public ParserEvents {
 public:
  void onRequestLine(std::string_view method, std::string_view target, unsigned minor) override {
    log.append(method).append(" ").append(target).append(" ").append(std::to_string(minor));
    log.append(";");
  }
  void onHeader(std::string_view name, std::string_view value) override {
    log.append(name).append("=").append(value).append(";");
  }
  void onHeadComplete(bool hasBody) override { log.append(hasBody ? "body;" : "nobody;"); }
  void onBody(std::string_view bytes) override { body.append(bytes); }
  void onMessageComplete() override { log.append("[").append(body).append("]end;"), body.clear(); }

  std::string log;
  std::string body;
};

/// Feeds the text in pieces, the way a connection does.
struct Feeder {
  explicit Feeder(ParserLimits limits = {}) : parser(events, limits) {}

  void feed(std::string_view bytes) {
    pending.append(bytes);
    size_t used = 0;
    while (used < pending.size() && parser.error() == ParseError::kNone) {
      const size_t consumed = parser.consume(std::string_view(pending).substr(used));
      if (consumed == 0) break;
      used += consumed;
    }
    pending.erase(0, used);
  }

  Recorder events;
  RequestParser parser;
  std::string pending;
};

ParseError errorOf(std::string_view text, ParserLimits limits = {}) {
  Feeder feeder(limits);
  feeder.feed(text);
  return feeder.parser.error();
}

constexpr std::string_view kPipeline =
    "GET /a?x=1 HTTP/1.1\r\nHost: h\r\nEmpty:\r\nX-Pad: \t v w \t\r\n\r\n"
    "POST /b HTTP/1.0\r\ncontent-length: 5\r\n\r\nhello\r\n"
    "PUT /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    "4;ext=1\r\nwiki\r\nA\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n"
    "DELETE /d HTTP/1.1\r\n\r\n";
constexpr std::string_view kPipelineLog =
    "GET /a?x=1 1;Host=h;Empty=;X-Pad=v w;nobody;[]end;"
    "POST /b 0;content-length=5;body;[hello]end;"
    "PUT /c 1;Transfer-Encoding=chunked;body;[wiki0123456789]end;"
    "DELETE /d 1;nobody;[]end;";

TEST(RequestParser, ReadsAPipelineAtOnce) {
  Feeder feeder;
  feeder.feed(kPipeline);
  EXPECT_EQ(feeder.parser.error(), ParseError::kNone);
  EXPECT_EQ(feeder.events.log, kPipelineLog);
  EXPECT_TRUE(feeder.pending.empty());
}

TEST(RequestParser, ReadsTheSameByteByByte) {
  Feeder feeder;
  for (const char c : kPipeline) feeder.feed({&c, 1});
  EXPECT_EQ(feeder.events.log, kPipelineLog);
}

TEST(RequestParser, ReadsTheSameAtEveryCut) {
  for (size_t cut = 0; cut <= kPipeline.size(); ++cut) {
    Feeder feeder;
    feeder.feed(kPipeline.substr(0, cut));
    feeder.feed(kPipeline.substr(cut));
    EXPECT_EQ(feeder.events.log, kPipelineLog) << cut;
  }
}

TEST(RequestParser, HoldsBackUnfinishedLines) {
  Feeder feeder;
  feeder.feed("GET / HTTP/1.1\r\nHos");
  EXPECT_EQ(feeder.pending, "Hos");
  EXPECT_EQ(feeder.events.log, "GET / 1;");
  feeder.feed("t: a\r\n\r\n");
  EXPECT_EQ(feeder.events.log, "GET / 1;Host=a;nobody;[]end;");
}

TEST(RequestParser, RefusesMalformedRequestLines) {
  EXPECT_EQ(errorOf("G@T / HTTP/1.1\r\n"), ParseError::kBadMethod);
  EXPECT_EQ(errorOf(" GET / HTTP/1.1\r\n"), ParseError::kBadMethod);
  EXPECT_EQ(errorOf(std::string(30, 'A') + " / HTTP/1.1\r\n"), ParseError::kBadMethod);
  EXPECT_EQ(errorOf("GET  / HTTP/1.1\r\n"), ParseError::kBadTarget);
  EXPECT_EQ(errorOf("GET /\x01 HTTP/1.1\r\n"), ParseError::kBadTarget);
  EXPECT_EQ(errorOf("GET /\xc3\xa9 HTTP/1.1\r\n"), ParseError::kBadTarget);
  EXPECT_EQ(errorOf("GET / HTTP/2.0\r\n"), ParseError::kBadVersion);
  EXPECT_EQ(errorOf("GET / HTTP/1.1\n"), ParseError::kBadVersion);
  EXPECT_EQ(errorOf("GET / HTTP/1.12\r\n"), ParseError::kBadVersion);
}

TEST(RequestParser, RefusesMalformedHeaders) {
  const std::string line = "GET / HTTP/1.1\r\n";
  EXPECT_EQ(errorOf(line + "A B: c\r\n"), ParseError::kBadHeaderName);
  EXPECT_EQ(errorOf(line + "A : c\r\n"), ParseError::kBadHeaderName);
  EXPECT_EQ(errorOf(line + ": c\r\n"), ParseError::kBadHeaderName);
  EXPECT_EQ(errorOf(line + "A: b\r\n folded\r\n"), ParseError::kBadHeaderName);
  EXPECT_EQ(errorOf(line + "A: b\n"), ParseError::kBadHeaderValue);
  EXPECT_EQ(errorOf(line + "A: b\rc\r\n"), ParseError::kBadHeaderValue);
  EXPECT_EQ(errorOf(line + "A: b" + std::string(1, '\0') + "\r\n"), ParseError::kBadHeaderValue);
  EXPECT_EQ(errorOf(line + "\rX"), ParseError::kBadHeaderName);
}

TEST(RequestParser, RefusesAmbiguousLengths) {
  const std::string line = "POST / HTTP/1.1\r\n";
  EXPECT_EQ(errorOf(line + "Content-Length: 1\r\nContent-Length: 1\r\n"),
            ParseError::kBadContentLength);
  EXPECT_EQ(errorOf(line + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"),
            ParseError::kBadContentLength);
  EXPECT_EQ(errorOf(line + "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n"),
            ParseError::kBadContentLength);
  EXPECT_EQ(errorOf(line + "Transfer-Encoding: gzip, chunked\r\n"), ParseError::kBadContentLength);
  EXPECT_EQ(errorOf(line + "Content-Length: +1\r\n"), ParseError::kBadContentLength);
  EXPECT_EQ(errorOf(line + "Content-Length:\r\n"), ParseError::kBadContentLength);
}

TEST(RequestParser, RefusesBrokenChunks) {
  const std::string head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(errorOf(head + "\r\n"), ParseError::kBadChunk);
  EXPECT_EQ(errorOf(head + "xyz\r\n"), ParseError::kBadChunk);
  EXPECT_EQ(errorOf(head + "3\r\nabcd\r\n"), ParseError::kBadChunk);
  EXPECT_EQ(errorOf(head + "123456789\r\n"), ParseError::kBadChunk);
  EXPECT_EQ(errorOf(head + "3\nabc\r\n"), ParseError::kBadChunk);
}

TEST(RequestParser, KeepsItsLimits) {
  ParserLimits limits;
  limits.headBytesMax = 64;
  limits.headersMax = 2;
  limits.bodyBytesMax = 8;
  EXPECT_EQ(errorOf("GET /" + std::string(80, 'a'), limits), ParseError::kHeadTooLarge);
  EXPECT_EQ(errorOf("GET / HTTP/1.1\r\na: 1\r\nb: 2\r\nc: 3\r\n", limits),
            ParseError::kTooManyHeaders);
  EXPECT_EQ(errorOf("POST / HTTP/1.1\r\nContent-Length: 9\r\n", limits), ParseError::kBodyTooLarge);
  EXPECT_EQ(errorOf("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                    "5\r\nabcde\r\n4\r\nabcd\r\n",
                    limits),
            ParseError::kBodyTooLarge);
  EXPECT_EQ(errorOf(std::string(100, '\n'), limits), ParseError::kHeadTooLarge);
}

TEST(RequestParser, AFailedParserReadsNoFurther) {
  Feeder feeder;
  feeder.feed("GET / HTTP/9\r\n");
  feeder.feed("GET / HTTP/1.1\r\n\r\n");
  EXPECT_EQ(feeder.events.log, "");
}

}  // namespace
}  // namespace mesh
