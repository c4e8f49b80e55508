#include "http/request_parser.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/text.h"

namespace mesh {

namespace {

constexpr uint8_t kTokenByte = 1;   // may stand in a method or a header name
constexpr uint8_t kTargetByte = 2;  // may stand in a request target
constexpr uint8_t kValueByte = 4;   // may stand in a header value

constexpr std::array<uint8_t, 256> makeByteClasses() {
  std::array<uint8_t, 256> classes{};
  for (unsigned c = 0x21; c < 0x7f; ++c) classes[c] = kTargetByte | kValueByte;
  for (unsigned c = 0x80; c < 0x100; ++c) classes[c] = kValueByte;
  classes[' '] = classes['\t'] = kValueByte;
  for (unsigned c = '0'; c <= '9'; ++c) classes[c] |= kTokenByte;
  for (unsigned c = 'a'; c <= 'z'; ++c) classes[c] |= kTokenByte;
  for (unsigned c = 'A'; c <= 'Z'; ++c) classes[c] |= kTokenByte;
  for (const char c : std::string_view("!#$%&'*+-.^_`|~")) {
    classes[static_cast<uint8_t>(c)] |= kTokenByte;
  }
  return classes;
}

constexpr std::array<uint8_t, 256> kByteClasses = makeByteClasses();

bool isToken(char c) {
  return (kByteClasses[static_cast<uint8_t>(c)] & kTokenByte) != 0;
}
bool isTarget(char c) {
  return (kByteClasses[static_cast<uint8_t>(c)] & kTargetByte) != 0;
}
bool isValue(char c) {
  return (kByteClasses[static_cast<uint8_t>(c)] & kValueByte) != 0;
}

constexpr size_t kMethodBytesMax = 24;
constexpr size_t kChunkDigitsMax = 8;
constexpr std::string_view kVersionText = "HTTP/1.";

}  // namespace

std::string_view parseErrorText(ParseError error) {
  switch (error) {
    case ParseError::kNone:
      return "none";
    case ParseError::kBadMethod:
      return "bad_method";
    case ParseError::kBadTarget:
      return "bad_target";
    case ParseError::kBadVersion:
      return "bad_version";
    case ParseError::kBadHeaderName:
      return "bad_header_name";
    case ParseError::kBadHeaderValue:
      return "bad_header_value";
    case ParseError::kBadContentLength:
      return "bad_content_length";
    case ParseError::kBadChunk:
      return "bad_chunk";
    case ParseError::kHeadTooLarge:
      return "head_too_large";
    case ParseError::kTooManyHeaders:
      return "too_many_headers";
    case ParseError::kBodyTooLarge:
      return "body_too_large";
  }
  return "none";
}

size_t RequestParser::consume(std::string_view pending) {
  if (state_ == State::kDone) reset();
  while (at_ < pending.size() && state_ != State::kDone && state_ != State::kFailed) {
    if (inHead()) {
      consumeHead(pending);
    } else if (state_ == State::kBody || state_ == State::kChunkData) {
      consumeBody(pending);
    } else {
      consumeChunkFraming(pending);
    }
  }
  const size_t consumed = lineStart_;
  at_ -= consumed;
  tokenStart_ -= std::min(tokenStart_, consumed);
  tokenEnd_ -= std::min(tokenEnd_, consumed);
  valueStart_ -= std::min(valueStart_, consumed);
  valueEnd_ -= std::min(valueEnd_, consumed);
  lineStart_ = 0;
  return consumed;
}

void RequestParser::consumeHead(std::string_view pending) {
  const size_t begin = at_;
  const size_t stop = at_ + std::min(pending.size() - at_, limits_.headBytesMax - headBytes_);
  while (at_ < stop && inHead()) {
    const char c = pending[at_];
    if (state_ >= State::kHeaderStart) {
      stepHeader(c, pending);
    } else {
      stepRequestLine(c, pending);
    }
    ++at_;
  }
  headBytes_ += at_ - begin;
  if (inHead() && headBytes_ >= limits_.headBytesMax) fail(ParseError::kHeadTooLarge);
}

void RequestParser::stepRequestLine(char c, std::string_view pending) {
  switch (state_) {
    case State::kMethodStart:
      if (c == '\r' || c == '\n') {  // some clients end a body with an extra line
        lineStart_ = at_ + 1;
        return;
      }
      if (!isToken(c)) return fail(ParseError::kBadMethod);
      tokenStart_ = at_;
      state_ = State::kMethod;
      return;
    case State::kMethod:
      if (c == ' ') {
        tokenEnd_ = at_;
        valueStart_ = at_ + 1;
        state_ = State::kTarget;
      } else if (!isToken(c) || at_ - tokenStart_ >= kMethodBytesMax) {
        fail(ParseError::kBadMethod);
      }
      return;
    case State::kTarget:
      if (isTarget(c)) return;
      if (c != ' ' || at_ == valueStart_) return fail(ParseError::kBadTarget);
      valueEnd_ = at_;
      state_ = State::kVersion;
      return;
    case State::kVersion:
      return stepVersion(c);
    default:
      if (c != '\n') return fail(ParseError::kBadVersion);
      events_.onRequestLine(pending.substr(tokenStart_, tokenEnd_ - tokenStart_),
                            pending.substr(valueStart_, valueEnd_ - valueStart_), minorVersion_);
      lineStart_ = at_ + 1;
      state_ = State::kHeaderStart;
      return;
  }
}

void RequestParser::stepVersion(char c) {
  const size_t place = at_ - valueEnd_ - 1;
  if (place < kVersionText.size()) {
    if (c != kVersionText[place]) fail(ParseError::kBadVersion);
  } else if (place == kVersionText.size()) {
    if (c != '0' && c != '1') return fail(ParseError::kBadVersion);
    minorVersion_ = static_cast<unsigned>(c - '0');
  } else {
    if (c != '\r') return fail(ParseError::kBadVersion);
    state_ = State::kRequestLineEnd;
  }
}

void RequestParser::stepHeader(char c, std::string_view pending) {
  switch (state_) {
    case State::kHeaderStart:
      if (c == '\r') {
        state_ = State::kHeadEnd;
        return;
      }
      if (!isToken(c)) return fail(ParseError::kBadHeaderName);
      tokenStart_ = at_;
      state_ = State::kHeaderName;
      return;
    case State::kHeaderName:
      if (isToken(c)) return;
      if (c != ':') return fail(ParseError::kBadHeaderName);
      tokenEnd_ = at_;
      state_ = State::kBlanksBeforeValue;
      return;
    case State::kBlanksBeforeValue:
      if (c == ' ' || c == '\t') return;
      valueStart_ = valueEnd_ = at_;
      state_ = State::kHeaderValue;
      [[fallthrough]];
    case State::kHeaderValue:
      if (c == '\r') {
        state_ = State::kHeaderLineEnd;
      } else if (!isValue(c)) {
        fail(ParseError::kBadHeaderValue);
      } else if (c != ' ' && c != '\t') {
        valueEnd_ = at_ + 1;
      }
      return;
    case State::kHeaderLineEnd:
      if (c != '\n') return fail(ParseError::kBadHeaderValue);
      lineStart_ = at_ + 1;
      state_ = State::kHeaderStart;
      return finishHeader(pending);
    default:
      if (c != '\n') return fail(ParseError::kBadHeaderName);
      lineStart_ = at_ + 1;
      return finishHead();
  }
}

void RequestParser::finishHeader(std::string_view pending) {
  if (++headers_ > limits_.headersMax) return fail(ParseError::kTooManyHeaders);
  const std::string_view name = pending.substr(tokenStart_, tokenEnd_ - tokenStart_);
  const std::string_view value = pending.substr(valueStart_, valueEnd_ - valueStart_);
  if (name.size() == 14 && equalsIgnoreCase(name, "content-length")) {
    const std::optional<uint64_t> length = parseDecimal(value);
    if (!length || hasLength_ || chunked_) return fail(ParseError::kBadContentLength);
    if (*length > limits_.bodyBytesMax) return fail(ParseError::kBodyTooLarge);
    hasLength_ = true;
    bodyLeft_ = *length;
  } else if (name.size() == 17 && equalsIgnoreCase(name, "transfer-encoding")) {
    if (hasLength_ || chunked_ || !equalsIgnoreCase(value, "chunked")) {
      return fail(ParseError::kBadContentLength);
    }
    chunked_ = true;
  }
  events_.onHeader(name, value);
}

void RequestParser::finishHead() {
  const bool hasBody = chunked_ || bodyLeft_ > 0;
  state_ = !hasBody ? State::kDone : chunked_ ? State::kChunkSize : State::kBody;
  chunkDigits_ = 0;
  events_.onHeadComplete(hasBody);
  if (!hasBody) events_.onMessageComplete();
}

void RequestParser::consumeBody(std::string_view pending) {
  const size_t size = static_cast<size_t>(std::min<uint64_t>(pending.size() - at_, bodyLeft_));
  bodyLeft_ -= size;
  const std::string_view bytes = pending.substr(at_, size);
  at_ += size;
  lineStart_ = at_;
  if (size > 0) events_.onBody(bytes);
  if (bodyLeft_ > 0) return;
  if (state_ == State::kChunkData) {
    state_ = State::kChunkDataEnd;
    return;
  }
  state_ = State::kDone;
  events_.onMessageComplete();
}

void RequestParser::consumeChunkFraming(std::string_view pending) {
  const char c = pending[at_++];
  switch (state_) {
    case State::kChunkSize:
      if (hexDigit(c) >= 0) return addChunkDigit(c);
      if (chunkDigits_ == 0) return fail(ParseError::kBadChunk);
      if (c == ';') {
        state_ = State::kChunkExtension;
      } else if (c == '\r') {
        state_ = State::kChunkSizeEnd;
      } else {
        return fail(ParseError::kBadChunk);
      }
      break;
    case State::kChunkExtension:
      if (c == '\r') {
        state_ = State::kChunkSizeEnd;
      } else if (!isValue(c) || ++headBytes_ > limits_.headBytesMax) {
        return fail(ParseError::kBadChunk);
      }
      break;
    case State::kChunkSizeEnd:
      if (c != '\n') return fail(ParseError::kBadChunk);
      bodyBytes_ += bodyLeft_;
      if (bodyBytes_ > limits_.bodyBytesMax) return fail(ParseError::kBodyTooLarge);
      state_ = bodyLeft_ > 0 ? State::kChunkData : State::kTrailerStart;
      break;
    case State::kChunkDataEnd:
      if (c != '\r') return fail(ParseError::kBadChunk);
      state_ = State::kChunkDataLineEnd;
      break;
    case State::kChunkDataLineEnd:
      if (c != '\n') return fail(ParseError::kBadChunk);
      chunkDigits_ = 0;
      state_ = State::kChunkSize;
      break;
    case State::kTrailerStart:
    case State::kTrailer:
      if (c == '\r') {
        state_ = state_ == State::kTrailerStart ? State::kTrailersEnd : State::kTrailerLineEnd;
      } else if (!isValue(c) || ++headBytes_ > limits_.headBytesMax) {
        return fail(ParseError::kBadChunk);
      } else {
        state_ = State::kTrailer;
      }
      break;
    case State::kTrailerLineEnd:
      if (c != '\n') return fail(ParseError::kBadChunk);
      state_ = State::kTrailerStart;
      break;
    case State::kTrailersEnd:
      if (c != '\n') return fail(ParseError::kBadChunk);
      lineStart_ = at_;
      state_ = State::kDone;
      events_.onMessageComplete();
      return;
    default:
      return;
  }
  lineStart_ = at_;
}

void RequestParser::addChunkDigit(char c) {
  if (chunkDigits_ == 0) bodyLeft_ = 0;
  if (++chunkDigits_ > kChunkDigitsMax) return fail(ParseError::kBadChunk);
  bodyLeft_ = bodyLeft_ * 16 + static_cast<uint64_t>(hexDigit(c));
  lineStart_ = at_;
}

void RequestParser::fail(ParseError error) {
  state_ = State::kFailed;
  error_ = error;
}

void RequestParser::reset() {
  state_ = State::kMethodStart;
  minorVersion_ = 1;
  chunked_ = false;
  hasLength_ = false;
  headBytes_ = 0;
  headers_ = 0;
  chunkDigits_ = 0;
  bodyLeft_ = 0;
  bodyBytes_ = 0;
}

}  // namespace mesh
