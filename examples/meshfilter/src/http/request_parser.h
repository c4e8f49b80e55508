#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mesh {

enum class ParseError : uint8_t {
  kNone,
  kBadMethod,
  kBadTarget,
  kBadVersion,
  kBadHeaderName,
  kBadHeaderValue,
  kBadContentLength,
  kBadChunk,
  kHeadTooLarge,
  kTooManyHeaders,
  kBodyTooLarge,
};

std::string_view parseErrorText(ParseError error);

struct ParserLimits {
  size_t headBytesMax = 16 * 1024;
  size_t headersMax = 64;
  uint64_t bodyBytesMax = 1024 * 1024;
};

/// Told what the parser finds. Views point into the buffer given to `consume` and are valid for the
/// call only.
class ParserEvents {
 public:
  virtual ~ParserEvents() = default;
  virtual void onRequestLine(std::string_view method, std::string_view target,
                             unsigned minorVersion) = 0;
  virtual void onHeader(std::string_view name, std::string_view value) = 0;
  virtual void onHeadComplete(bool hasBody) = 0;
  virtual void onBody(std::string_view bytes) = 0;
  virtual void onMessageComplete() = 0;
};

/// HTTP/1.1 request parser: one pass over the bytes, no copies, no allocation. It can stop after
/// any byte and go on when more has come. It is strict: bare line feeds, folded headers, several
/// lengths and blanks before a colon are errors, since a lenient reading lets requests be smuggled.
class RequestParser {
 public:
  RequestParser(ParserEvents& events, const ParserLimits& limits)
      : events_(events), limits_(limits) {}

  /// Reads `pending`: all bytes of the connection that were not consumed yet, beginning with the
  /// first of them. Returns how many are consumed now and must not be given again. Bytes of an
  /// unfinished line are not consumed. Reads no further than the end of one message, or an error.
  size_t consume(std::string_view pending);

  ParseError error() const { return error_; }
  bool atMessageStart() const { return state_ == State::kMethodStart; }

 private:
  enum class State : uint8_t {
    kMethodStart,
    kMethod,
    kTarget,
    kVersion,
    kRequestLineEnd,
    kHeaderStart,
    kHeaderName,
    kBlanksBeforeValue,
    kHeaderValue,
    kHeaderLineEnd,
    kHeadEnd,
    kBody,
    kChunkSize,
    kChunkExtension,
    kChunkSizeEnd,
    kChunkData,
    kChunkDataEnd,
    kChunkDataLineEnd,
    kTrailerStart,
    kTrailer,
    kTrailerLineEnd,
    kTrailersEnd,
    kDone,
    kFailed,
  };

  bool inHead() const { return state_ <= State::kHeadEnd; }
  void consumeHead(std::string_view pending);
  void stepRequestLine(char c, std::string_view pending);
  void stepVersion(char c);
  void stepHeader(char c, std::string_view pending);
  void consumeChunkFraming(std::string_view pending);
  void consumeBody(std::string_view pending);
  void finishHeader(std::string_view pending);
  void finishHead();
  void addChunkDigit(char c);
  void fail(ParseError error);
  void reset();

  ParserEvents& events_;
  const ParserLimits limits_;
  State state_ = State::kMethodStart;
  ParseError error_ = ParseError::kNone;
  unsigned minorVersion_ = 1;
  bool chunked_ = false;
  bool hasLength_ = false;
  size_t at_ = 0;          // next byte to read, from the start of `pending`
  size_t lineStart_ = 0;   // everything before it is consumed
  size_t tokenStart_ = 0;  // of the token that is being read
  size_t tokenEnd_ = 0;
  size_t valueStart_ = 0;
  size_t valueEnd_ = 0;  // after the last byte that is no blank
  size_t headBytes_ = 0;
  size_t headers_ = 0;
  size_t chunkDigits_ = 0;
  uint64_t bodyLeft_ = 0;
  uint64_t bodyBytes_ = 0;
};

}  // namespace mesh
