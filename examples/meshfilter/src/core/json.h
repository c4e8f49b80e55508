#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mesh {

/// Receives the members of a flat JSON object. String values come unescaped.
class JsonMembers {
 public:
  virtual ~JsonMembers() = default;
  virtual void onText(std::string_view name, std::string_view value) = 0;
  virtual void onNumber(std::string_view name, uint64_t value) = 0;
};

/// Reads an object whose values are strings, unsigned integers, true, false or null, as token
/// payloads are. False if the text is anything else. Unicode escapes are refused.
bool readFlatObject(std::string_view text, JsonMembers& members);

/// Checks that a body which comes in pieces is one well-formed JSON value. Keeps one bit per level
/// of nesting, no text.
class JsonChecker {
 public:
  static constexpr unsigned kDepthMax = 64;

  explicit JsonChecker(unsigned depthMax) : depthMax_(depthMax) {}

  /// False as soon as the text cannot become well-formed any more.
  bool feed(std::string_view bytes);
  /// True if what came is a whole value.
  bool finish();

  uint64_t values() const { return values_; }

 private:
  enum class State : uint8_t {
    kValue,
    kFirstElement,
    kFirstKey,
    kKey,
    kColon,
    kAfterValue,
    kString,
    kEscape,
    kUnicode,
    kNumberSign,
    kNumberZero,
    kNumberInt,
    kNumberPoint,
    kNumberFraction,
    kNumberExponent,
    kNumberExponentSign,
    kNumberExponentDigits,
    kLiteral,
    kFailed,
  };

  bool step(char c);
  bool beginValue(char c);
  bool endValue();
  bool open(bool object);
  bool close(bool object);
  bool numberStep(char c);
  bool inObject() const { return depth_ > 0 && (objects_ >> (depth_ - 1) & 1) != 0; }

  const unsigned depthMax_;
  State state_ = State::kValue;
  bool stringIsKey_ = false;
  unsigned depth_ = 0;
  unsigned unicodeLeft_ = 0;
  uint64_t objects_ = 0;  // bit d: level d is an object
  uint64_t values_ = 0;
  std::string_view literalRest_;
};

}  // namespace mesh
