// Numbers and texts of binary formats, big end first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace hone::mesh {

// ByteReader reads from the front. Beyond the end it reads zeros and empty texts, and remembers that.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  // True if a read went beyond the end.
  bool is_short() const { return is_short_; }
  std::string_view rest() const { return rest_; }
  bool is_empty() const { return rest_.empty(); }

  std::uint8_t byte() { return static_cast<std::uint8_t>(big<1>()); }
  std::uint16_t big16() { return static_cast<std::uint16_t>(big<2>()); }
  std::uint32_t big32() { return big<4>(); }
  // Reads a number of seven bits a byte, the lowest first. A number of more than 32 bits counts as a read beyond the
  // end.
  std::uint32_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      const std::uint8_t part = byte();
      value |= static_cast<std::uint64_t>(part & 0x7f) << shift;
      if (part < 0x80 && value <= 0xffffffff) return static_cast<std::uint32_t>(value);
    }
    is_short_ = true;
    return 0;
  }
  std::string_view text(std::size_t size) {
    if (size > rest_.size()) {
      is_short_ = true;
      return {};
    }
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

 private:
  template <std::size_t kBytes>
  std::uint32_t big() {
    std::uint32_t value = 0;
    for (const char c : text(kBytes)) value = value << 8 | static_cast<std::uint8_t>(c);
    return value;
  }

  std::string_view rest_;
  bool is_short_ = false;
};

// ByteWriter writes to memory that has room for all that is written.
class ByteWriter {
 public:
  explicit ByteWriter(char* at) : at_(at) {}

  void byte(int value) { *at_++ = static_cast<char>(value); }
  void big16(std::uint32_t value) {
    byte(static_cast<int>(value >> 8 & 0xff));
    byte(static_cast<int>(value & 0xff));
  }
  void big32(std::uint32_t value) {
    big16(value >> 16);
    big16(value & 0xffff);
  }
  void varint(std::uint32_t value) {
    for (; value >= 0x80; value >>= 7) byte(static_cast<int>(value & 0x7f) | 0x80);
    byte(static_cast<int>(value));
  }
  void text(std::string_view text) {
    if (!text.empty()) std::memcpy(at_, text.data(), text.size());
    at_ += text.size();
  }
  std::size_t size_since(const char* begin) const { return static_cast<std::size_t>(at_ - begin); }

 private:
  char* at_;
};

}  // namespace hone::mesh
