#include "core/text.h"

namespace mesh {

namespace {

constexpr char kBase64Url[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

int base64Value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '-') return 62;
  if (c == '_') return 63;
  return -1;
}

}  // namespace

char lowerAscii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

bool equalsIgnoreCase(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (lowerAscii(a[i]) != lowerAscii(b[i])) return false;
  }
  return true;
}

bool containsIgnoreCase(std::string_view text, std::string_view part) {
  if (part.size() > text.size()) return false;
  for (size_t start = 0; start + part.size() <= text.size(); ++start) {
    if (equalsIgnoreCase(text.substr(start, part.size()), part)) return true;
  }
  return false;
}

std::string_view trimBlanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::optional<uint64_t> parseDecimal(std::string_view text) {
  if (text.empty()) return std::nullopt;
  uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    const uint64_t digit = static_cast<uint64_t>(c - '0');
    if (value > (UINT64_MAX - digit) / 10) return std::nullopt;
    value = value * 10 + digit;
  }
  return value;
}

void appendDecimal(std::string& out, uint64_t value) {
  char digits[20];
  size_t used = 0;
  do {
    digits[sizeof(digits) - ++used] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  out.append(digits + sizeof(digits) - used, used);
}

void appendPadded(std::string& out, uint64_t value, unsigned width) {
  uint64_t limit = 10;
  for (unsigned digits = 1; digits < width; ++digits) {
    if (value < limit) out.append(width - digits, '0');
    if (value < limit) break;
    limit *= 10;
  }
  appendDecimal(out, value);
}

void appendHex(std::string& out, uint64_t value, unsigned digits) {
  for (unsigned i = digits; i-- > 0;) out.push_back("0123456789abcdef"[(value >> (4 * i)) & 15]);
}

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string encodeBase64Url(std::string_view bytes) {
  std::string out;
  uint32_t bits = 0;
  unsigned held = 0;
  for (const char c : bytes) {
    bits = bits << 8 | static_cast<uint8_t>(c);
    held += 8;
    while (held >= 6) {
      held -= 6;
      out.push_back(kBase64Url[bits >> held & 63]);
    }
  }
  if (held > 0) out.push_back(kBase64Url[bits << (6 - held) & 63]);
  return out;
}

bool decodeBase64Url(std::string_view text, std::string& out) {
  if (text.size() % 4 == 1) return false;
  uint32_t bits = 0;
  unsigned held = 0;
  for (const char c : text) {
    const int value = base64Value(c);
    if (value < 0) return false;
    bits = bits << 6 | static_cast<uint32_t>(value);
    held += 6;
    if (held >= 8) {
      held -= 8;
      out.push_back(static_cast<char>(bits >> held & 255));
    }
  }
  return true;
}

std::string_view cutToken(std::string_view& rest, char separator) {
  const size_t end = rest.find(separator);
  const std::string_view token = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return token;
}

}  // namespace mesh
