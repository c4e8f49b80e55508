#include "wire/http2/frame.hpp"

#include <algorithm>

namespace hone::mesh::http2 {
namespace {

// Longest payload that has to be read whole: room for 680 settings, while only six settings exist.
constexpr std::uint32_t kMostWhole = 4096;
constexpr std::uint32_t kPriorityBytes = 5;

std::string_view taken(std::string_view& input, std::size_t bytes) {
  const std::string_view front = input.substr(0, bytes);
  input.remove_prefix(bytes);
  return front;
}

bool comes_in_pieces(Type type) {
  return type == Type::kData || type == Type::kHeaders || type == Type::kContinuation;
}

}  // namespace

Piece FrameReader::next(std::string_view& input) {
  switch (phase_) {
    case Phase::kHead:
      return read_head(input);
    case Phase::kPadding:
      if (input.empty()) return {};
      padding_ = number_of(taken(input, 1));
      --left_;
      phase_ = head_.type == Type::kHeaders && head_.has(kHasPriority) ? Phase::kPriority : Phase::kPayload;
      if (padding_ > left_) return fault(Code::kProtocol);
      left_ -= padding_;
      return next(input);
    case Phase::kPriority: {
      if (left_ < kPriorityBytes) return fault(Code::kFrameSize);
      if (input.size() < kPriorityBytes) return {};
      const std::uint32_t depends_on = number_of(taken(input, kPriorityBytes).substr(0, 4)) & 0x7fffffff;
      left_ -= kPriorityBytes;
      phase_ = Phase::kPayload;
      if (depends_on == head_.stream) return fault(Code::kProtocol);
      return next(input);
    }
    case Phase::kPayload: {
      if (left_ == 0) {
        phase_ = Phase::kTrailing;
        left_ = padding_;
        return next(input);
      }
      if (input.empty()) return {};
      const std::string_view payload = taken(input, std::min<std::size_t>(left_, input.size()));
      left_ -= static_cast<std::uint32_t>(payload.size());
      return {.kind = Piece::Kind::kPayload, .payload = payload};
    }
    case Phase::kWhole:
      if (input.size() < left_) return {};
      phase_ = Phase::kEnd;
      return {.kind = Piece::Kind::kPayload, .payload = taken(input, left_)};
    case Phase::kTrailing:
    case Phase::kSkipped:
      left_ -= static_cast<std::uint32_t>(taken(input, std::min<std::size_t>(left_, input.size())).size());
      if (left_ > 0) return {};
      phase_ = Phase::kEnd;
      return next(input);
    case Phase::kEnd:
      phase_ = Phase::kHead;
      return {.kind = Piece::Kind::kEnd, .payload = {}};
  }
  return {};
}

Piece FrameReader::read_head(std::string_view& input) {
  if (input.size() < kHeadBytes) return {};
  const std::string_view bytes = taken(input, kHeadBytes);
  head_.length = number_of(bytes.substr(0, 3));
  head_.type = static_cast<Type>(bytes[3]);
  head_.flags = static_cast<std::uint8_t>(bytes[4]);
  head_.stream = number_of(bytes.substr(5)) & 0x7fffffff;
  if (head_.length > kMaxFrame) return fault(Code::kFrameSize);
  if (const Code code = check(); code != Code::kNoError) return fault(code);
  left_ = head_.length;
  padding_ = 0;
  if (comes_in_pieces(head_.type)) {
    const bool is_padded = head_.type != Type::kContinuation && head_.has(kPadded);
    const bool has_priority = head_.type == Type::kHeaders && head_.has(kHasPriority);
    phase_ = is_padded ? Phase::kPadding : has_priority ? Phase::kPriority : Phase::kPayload;
  } else {
    phase_ = head_.type <= Type::kContinuation ? Phase::kWhole : Phase::kSkipped;
  }
  return {.kind = Piece::Kind::kHead, .payload = {}};
}

// Checks a frame by its head alone: its length, and whether it belongs to a stream.
Code FrameReader::check() const {
  const bool is_of_connection = head_.stream == 0;
  switch (head_.type) {
    case Type::kData:
    case Type::kHeaders:
      if (is_of_connection) return Code::kProtocol;
      return head_.has(kPadded) && head_.length == 0 ? Code::kFrameSize : Code::kNoError;
    case Type::kContinuation:
      return is_of_connection ? Code::kProtocol : Code::kNoError;
    case Type::kPriority:
      return is_of_connection ? Code::kProtocol : Code::kNoError;
    case Type::kReset:
      if (is_of_connection) return Code::kProtocol;
      return head_.length == 4 ? Code::kNoError : Code::kFrameSize;
    case Type::kSettings:
      if (!is_of_connection) return Code::kProtocol;
      if (head_.has(kAck) ? head_.length != 0 : head_.length % 6 != 0) return Code::kFrameSize;
      return head_.length > kMostWhole ? Code::kEnhanceYourCalm : Code::kNoError;
    // Nobody may push: clients may not push to servers, and this side as a client has forbidden it.
    case Type::kPushPromise:
      return Code::kProtocol;
    case Type::kPing:
      if (!is_of_connection) return Code::kProtocol;
      return head_.length == 8 ? Code::kNoError : Code::kFrameSize;
    case Type::kGoAway:
      if (!is_of_connection) return Code::kProtocol;
      if (head_.length < 8) return Code::kFrameSize;
      return head_.length > kMostWhole ? Code::kEnhanceYourCalm : Code::kNoError;
    case Type::kWindowUpdate:
      return head_.length == 4 ? Code::kNoError : Code::kFrameSize;
  }
  return Code::kNoError;
}

void write_head(Output& output, std::size_t length, Type type, std::uint8_t flags, std::uint32_t stream) {
  const auto byte = [](std::size_t value, int shift) { return static_cast<char>(value >> shift & 0xff); };
  const char bytes[kHeadBytes] = {byte(length, 16),        byte(length, 8),          byte(length, 0),
                                  static_cast<char>(type), static_cast<char>(flags), byte(stream, 24),
                                  byte(stream, 16),        byte(stream, 8),          byte(stream, 0)};
  output.append(std::string_view(bytes, sizeof bytes));
}

namespace {

void write_bytes(Output& output, std::uint32_t number) {
  const char bytes[4] = {static_cast<char>(number >> 24), static_cast<char>(number >> 16 & 0xff),
                         static_cast<char>(number >> 8 & 0xff), static_cast<char>(number & 0xff)};
  output.append(std::string_view(bytes, sizeof bytes));
}

}  // namespace

void write_number(Output& output, Type type, std::uint32_t stream, std::uint32_t number) {
  write_head(output, 4, type, 0, stream);
  write_bytes(output, number);
}

void write_setting(Output& output, Setting setting, std::uint32_t value) {
  const auto id = static_cast<std::uint16_t>(setting);
  const char bytes[2] = {static_cast<char>(id >> 8), static_cast<char>(id & 0xff)};
  output.append(std::string_view(bytes, sizeof bytes));
  write_bytes(output, value);
}

void write_go_away(Output& output, std::uint32_t last_stream, Code code) {
  write_head(output, 8, Type::kGoAway, 0, 0);
  write_bytes(output, last_stream);
  write_bytes(output, static_cast<std::uint32_t>(code));
}

}  // namespace hone::mesh::http2
