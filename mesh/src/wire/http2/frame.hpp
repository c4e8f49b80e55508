// Frames of HTTP/2 (RFC 9113, sections 4 and 6), read piece by piece and written into an output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "net/output.hpp"

namespace hone::mesh::http2 {

// The first bytes of a client.
inline constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

enum class Type : std::uint8_t {
  kData = 0,
  kHeaders = 1,
  kPriority = 2,
  kReset = 3,
  kSettings = 4,
  kPushPromise = 5,
  kPing = 6,
  kGoAway = 7,
  kWindowUpdate = 8,
  kContinuation = 9,
};

// Flags, some of which mean the same for several types.
inline constexpr std::uint8_t kEndStream = 0x1;
inline constexpr std::uint8_t kAck = 0x1;
inline constexpr std::uint8_t kEndHeaders = 0x4;
inline constexpr std::uint8_t kPadded = 0x8;
inline constexpr std::uint8_t kHasPriority = 0x20;

enum class Code : std::uint32_t {
  kNoError = 0,
  kProtocol = 1,
  kInternal = 2,
  kFlowControl = 3,
  kSettingsTimeout = 4,
  kStreamClosed = 5,
  kFrameSize = 6,
  kRefusedStream = 7,
  kCancel = 8,
  kCompression = 9,
  kEnhanceYourCalm = 11,
};

enum class Setting : std::uint16_t {
  kHeaderTableSize = 1,
  kEnablePush = 2,
  kMaxConcurrentStreams = 3,
  kInitialWindow = 4,
  kMaxFrame = 5,
  kMaxHeaderList = 6,
  // For a server: streams may become WebSocket (RFC 8441).
  kEnableConnect = 8,
};

inline constexpr std::size_t kHeadBytes = 9;
// The smallest limit of payloads, which all implementations have; it is also the limit of this one.
inline constexpr std::uint32_t kMaxFrame = 16'384;
inline constexpr std::uint32_t kDefaultWindow = 65'535;
inline constexpr std::int64_t kMaxWindow = 0x7fffffff;
// The last stream that is possible, and the payload of the ping after the announcement that no more are wanted.
inline constexpr std::uint32_t kLastOfAll = 0x7fffffff;
inline constexpr std::string_view kWarning = "farewell";

// FrameHead is the head of a frame, before its payload.
struct FrameHead {
  std::uint32_t length = 0;
  Type type = Type::kData;
  std::uint8_t flags = 0;
  std::uint32_t stream = 0;

  bool has(std::uint8_t flag) const { return (flags & flag) != 0; }
};

inline std::uint32_t number_of(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

// Piece is one piece of the input.
struct Piece {
  enum class Kind : std::uint8_t {
    // More bytes are needed.
    kMore,
    // A frame has begun. Its payload comes in pieces, or whole where it is small.
    kHead,
    kPayload,
    // The frame has ended.
    kEnd,
    // The frame breaks the rules.
    kFault,
  };
  Kind kind = Kind::kMore;
  std::string_view payload;
  Code fault = Code::kNoError;
};

// FrameReader takes frames apart. Payloads of DATA, HEADERS and CONTINUATION come in pieces, without their padding and
// priorities; those of other known types come whole, and those of unknown ones not at all.
class FrameReader {
 public:
  // Takes the next piece off the front of the input.
  Piece next(std::string_view& input);
  // The frame that is being read. Its length is that of the whole payload, with padding.
  const FrameHead& head() const { return head_; }

 private:
  enum class Phase : std::uint8_t { kHead, kPadding, kPriority, kPayload, kWhole, kTrailing, kSkipped, kEnd };

  Piece read_head(std::string_view& input);
  Piece fault(Code code) const { return {.kind = Piece::Kind::kFault, .payload = {}, .fault = code}; }
  Code check() const;

  FrameHead head_;
  Phase phase_ = Phase::kHead;
  std::uint32_t left_ = 0;
  std::uint32_t padding_ = 0;
};

// Writes the head of a frame, after which its payload has to follow.
void write_head(Output& output, std::size_t length, Type type, std::uint8_t flags, std::uint32_t stream);
// Writes a frame whose payload is one number of four bytes.
void write_number(Output& output, Type type, std::uint32_t stream, std::uint32_t number);
void write_setting(Output& output, Setting setting, std::uint32_t value);
void write_go_away(Output& output, std::uint32_t last_stream, Code code);

}  // namespace hone::mesh::http2
