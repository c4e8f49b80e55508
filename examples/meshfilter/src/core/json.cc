#include "core/json.h"

#include <algorithm>

#include "core/text.h"

namespace mesh {

namespace {

bool isBlank(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}
bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

class FlatReader {
 public:
  FlatReader(std::string_view text, JsonMembers& members) : rest_(text), members_(members) {}

  bool run() {
    if (!take('{')) return false;
    if (take('}')) return atEnd();
    do {
      if (!readString(name_) || !take(':') || !readValue()) return false;
    } while (take(','));
    return take('}') && atEnd();
  }

 private:
  bool readValue() {
    skipBlanks();
    if (rest_.empty()) return false;
    if (rest_[0] == '"') {
      if (!readString(value_)) return false;
      members_.onText(name_, value_);
      return true;
    }
    if (isDigit(rest_[0])) {
      size_t end = 0;
      while (end < rest_.size() && isDigit(rest_[end])) ++end;
      const auto number = parseDecimal(rest_.substr(0, end));
      if (!number) return false;
      rest_.remove_prefix(end);
      members_.onNumber(name_, *number);
      return true;
    }
    for (const std::string_view literal : {"true", "false", "null"}) {
      if (!rest_.starts_with(literal)) continue;
      rest_.remove_prefix(literal.size());
      return true;
    }
    return false;
  }

  bool readString(std::string& out) {
    out.clear();
    if (!take('"')) return false;
    while (!rest_.empty()) {
      char c = rest_[0];
      rest_.remove_prefix(1);
      if (c == '"') return true;
      if (static_cast<uint8_t>(c) < 0x20) return false;
      if (c == '\\') {
        if (rest_.empty() || !unescape(rest_[0], c)) return false;
        rest_.remove_prefix(1);
      }
      out.push_back(c);
    }
    return false;
  }

  static bool unescape(char letter, char& out) {
    switch (letter) {
      case '"':
      case '\\':
      case '/':
        out = letter;
        return true;
      case 'n':
        out = '\n';
        return true;
      case 't':
        out = '\t';
        return true;
      default:
        return false;
    }
  }

  bool take(char c) {
    skipBlanks();
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool atEnd() {
    skipBlanks();
    return rest_.empty();
  }

  void skipBlanks() {
    while (!rest_.empty() && isBlank(rest_[0])) rest_.remove_prefix(1);
  }

  std::string_view rest_;
  JsonMembers& members_;
  std::string name_;
  std::string value_;
};

}  // namespace

bool readFlatObject(std::string_view text, JsonMembers& members) {
  return FlatReader(text, members).run();
}

bool JsonChecker::feed(std::string_view bytes) {
  for (const char c : bytes) {
    if (!step(c)) {
      state_ = State::kFailed;
      return false;
    }
  }
  return state_ != State::kFailed;
}

bool JsonChecker::finish() {
  const bool numberOpen = state_ == State::kNumberZero || state_ == State::kNumberInt ||
                          state_ == State::kNumberFraction ||
                          state_ == State::kNumberExponentDigits;
  if (numberOpen && !endValue()) return false;
  return state_ == State::kAfterValue && depth_ == 0;
}

bool JsonChecker::step(char c) {
  switch (state_) {
    case State::kString:
      if (c == '\\') {
        state_ = State::kEscape;
      } else if (c == '"') {
        if (!stringIsKey_) return endValue();
        state_ = State::kColon;
      }
      return static_cast<uint8_t>(c) >= 0x20;
    case State::kEscape:
      if (c == 'u') {
        unicodeLeft_ = 4;
        state_ = State::kUnicode;
        return true;
      }
      state_ = State::kString;
      return std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos;
    case State::kUnicode:
      if (--unicodeLeft_ == 0) state_ = State::kString;
      return hexDigit(c) >= 0;
    case State::kFirstElement:
      if (c == ']') return close(false);
      [[fallthrough]];
    case State::kValue:
      return isBlank(c) || beginValue(c);
    case State::kFirstKey:
      if (c == '}') return close(true);
      [[fallthrough]];
    case State::kKey:
      if (c == '"') {
        stringIsKey_ = true;
        state_ = State::kString;
        return true;
      }
      return isBlank(c);
    case State::kColon:
      if (c == ':') {
        state_ = State::kValue;
        return true;
      }
      return isBlank(c);
    case State::kAfterValue:
      if (c == ',' && depth_ > 0) {
        state_ = inObject() ? State::kKey : State::kValue;
        return true;
      }
      if (c == '}' || c == ']') return close(c == '}');
      return isBlank(c);
    case State::kLiteral:
      if (c != literalRest_[0]) return false;
      literalRest_.remove_prefix(1);
      return !literalRest_.empty() || endValue();
    case State::kFailed:
      return false;
    default:
      return numberStep(c);
  }
}

bool JsonChecker::beginValue(char c) {
  ++values_;
  switch (c) {
    case '{':
      return open(true);
    case '[':
      return open(false);
    case '"':
      stringIsKey_ = false;
      state_ = State::kString;
      return true;
    case 't':
      literalRest_ = "rue";
      state_ = State::kLiteral;
      return true;
    case 'f':
      literalRest_ = "alse";
      state_ = State::kLiteral;
      return true;
    case 'n':
      literalRest_ = "ull";
      state_ = State::kLiteral;
      return true;
    case '-':
      state_ = State::kNumberSign;
      return true;
    case '0':
      state_ = State::kNumberZero;
      return true;
    default:
      state_ = State::kNumberInt;
      return isDigit(c);
  }
}

bool JsonChecker::endValue() {
  state_ = State::kAfterValue;
  return true;
}

bool JsonChecker::open(bool object) {
  if (depth_ >= std::min(depthMax_, kDepthMax)) return false;
  const uint64_t bit = uint64_t{1} << depth_;
  objects_ = object ? objects_ | bit : objects_ & ~bit;
  ++depth_;
  state_ = object ? State::kFirstKey : State::kFirstElement;
  return true;
}

bool JsonChecker::close(bool object) {
  if (depth_ == 0 || inObject() != object) return false;
  --depth_;
  return endValue();
}

bool JsonChecker::numberStep(char c) {
  const bool digit = isDigit(c);
  const bool exponent = c == 'e' || c == 'E';
  switch (state_) {
    case State::kNumberSign:
      state_ = c == '0' ? State::kNumberZero : State::kNumberInt;
      return digit;
    case State::kNumberPoint:
      state_ = State::kNumberFraction;
      return digit;
    case State::kNumberExponent:
      state_ = digit ? State::kNumberExponentDigits : State::kNumberExponentSign;
      return digit || c == '+' || c == '-';
    case State::kNumberExponentSign:
      state_ = State::kNumberExponentDigits;
      return digit;
    case State::kNumberExponentDigits:
      if (digit) return true;
      break;
    case State::kNumberFraction:
      if (digit) return true;
      if (exponent) {
        state_ = State::kNumberExponent;
        return true;
      }
      break;
    case State::kNumberInt:
      if (digit) return true;
      [[fallthrough]];
    default:
      if (c == '.' || exponent) {
        state_ = c == '.' ? State::kNumberPoint : State::kNumberExponent;
        return true;
      }
      break;
  }
  return endValue() && step(c);
}

}  // namespace mesh
