// A series as bytes: the parts of its points before the value and after it.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace hone::agent {

// A key and a value.
struct Tag {
  std::string_view key;
  std::string_view value;
};

// Tags of a series, as a list in braces or in any array. They are only read during a call.
class Tags {
 public:
  Tags() = default;
  Tags(std::initializer_list<Tag> tags) : tags_(tags.begin(), tags.size()) {}
  template <class Array>
    requires std::convertible_to<const Array&, std::span<const Tag>>
  Tags(const Array& tags) : tags_(tags) {}

  auto begin() const { return tags_.begin(); }
  auto end() const { return tags_.end(); }
  std::size_t size() const { return tags_.size(); }

 private:
  std::span<const Tag> tags_;
};

// The kind of a metric with numbers. Members of sets are texts and have calls of their own.
enum class Kind : char {
  counter = 'c',       // adds up; the sum since the start counts
  rate = 'r',          // adds up; the sum per second counts
  gauge = 'g',         // the last value holds
  timer = 't',         // durations in milliseconds
  histogram = 'h',     // values in exponential buckets
  distribution = 'd',  // values whose quantiles are known within 1 %
};

// The reason why the protocol cannot carry a series.
enum class Refused {
  no,
  no_metric,
  long_metric,
  many_tags,
  long_tags,
  no_key,
  separator,
  control_character,
  not_utf8,
};

// Returns a reason in words, for people.
constexpr std::string_view describe(Refused refused) {
  constexpr std::array<std::string_view, 9> kTexts = {
      "nothing is wrong with it",
      "the metric has no name",
      "the metric's name is longer than 512 bytes",
      "there are more than 64 tags",
      "the tags are longer than 4096 bytes",
      "a tag has no key",
      "a tag has a space or '|' in it, or its key has '='",
      "the name or a tag has a control character",
      "the name or a tag is not UTF-8",
  };
  return kTexts[static_cast<std::size_t>(refused)];
}

namespace detail {

// The agent's limits (docs/agent/protocol.md).
inline constexpr std::size_t kMetricBytesMax = 512;
inline constexpr std::size_t kTagsBytesMax = 4096;
inline constexpr std::size_t kTagsMax = 64;
inline constexpr char kSet = 's';

// The head of a msgpack string.
class TextHead {
 public:
  explicit TextHead(std::size_t length) {
    if (length < 32) {
      add(0xa0 | length);
    } else if (length < 0x100) {
      add(0xd9), add(length);
    } else if (length < 0x10000) {
      add(0xda), add(length >> 8), add(length);
    } else {
      // Longer than every packet; such a text is refused for its length.
      add(0xdb), add(length >> 24), add(length >> 16), add(length >> 8), add(length);
    }
  }

  std::string_view bytes() const { return {bytes_.data(), length_}; }

 private:
  void add(std::size_t byte) { bytes_[length_++] = static_cast<char>(byte & 0xff); }

  std::array<char, 5> bytes_;
  std::size_t length_ = 0;
};

// Returns whether a text is UTF-8 as Unicode defines it: no surrogates, no longer forms than needed.
inline bool is_utf8(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  for (std::size_t at = 0; at < text.size();) {
    const unsigned lead = byte(at);
    if (lead < 0x80) {
      ++at;
      continue;
    }
    if (lead < 0xc2 || lead > 0xf4) return false;
    const std::size_t more = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    if (text.size() - at <= more) return false;
    const unsigned lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    const unsigned highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (byte(at + 1) < lowest || byte(at + 1) > highest) return false;
    for (std::size_t next = 2; next <= more; ++next) {
      if ((byte(at + next) & 0xc0) != 0x80) return false;
    }
    at += more + 1;
  }
  return true;
}

// Classes of bytes that cannot stand in some places, or that need a closer look.
inline constexpr unsigned char kControl = 1;
inline constexpr unsigned char kEndsTag = 2;
inline constexpr unsigned char kEndsKey = 4;
inline constexpr unsigned char kNotAscii = 8;

inline constexpr std::array<unsigned char, 256> kClasses = [] {
  std::array<unsigned char, 256> classes{};
  for (std::size_t control = 0; control < ' '; ++control) classes[control] = kControl;
  for (std::size_t letter = 0x80; letter < 0x100; ++letter) classes[letter] = kNotAscii;
  classes[0x7f] = kControl;
  classes[' '] = classes['|'] = kEndsTag;
  classes['='] = kEndsKey;
  return classes;
}();

// Returns the reason why a text cannot stand where these separators end it, or Refused::no.
inline Refused plain(std::string_view text, unsigned separators) {
  unsigned found = 0;
  for (const char letter : text) found |= kClasses[static_cast<unsigned char>(letter)];
  if ((found & separators) != 0) return Refused::separator;
  if ((found & kControl) != 0) return Refused::control_character;
  return (found & kNotAscii) == 0 || is_utf8(text) ? Refused::no : Refused::not_utf8;
}

inline std::size_t tags_length(Tags tags) {
  std::size_t length = tags.size() > 0 ? tags.size() - 1 : 0;
  for (const Tag& tag : tags) length += tag.key.size() + 1 + tag.value.size();
  return length;
}

inline Refused check(std::string_view metric, Tags tags) {
  if (metric.empty()) return Refused::no_metric;
  if (metric.size() > kMetricBytesMax) return Refused::long_metric;
  if (tags.size() > kTagsMax) return Refused::many_tags;
  for (const Tag& tag : tags) {
    if (tag.key.empty()) return Refused::no_key;
  }
  if (tags_length(tags) > kTagsBytesMax) return Refused::long_tags;
  Refused refused = plain(metric, 0);
  for (const Tag& tag : tags) {
    if (refused == Refused::no) refused = plain(tag.key, kEndsTag | kEndsKey);
    if (refused == Refused::no) refused = plain(tag.value, kEndsTag);
  }
  return refused;
}

// FNV-1a of 64 bits.
inline std::uint64_t fnv(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char letter : text) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  }
  return hash;
}

// The bytes of every point of a series, without the value.
class Series {
 public:
  // Replaces the series by another one, so that ad hoc samples need no memory of their own.
  Refused set(char kind, std::string_view metric, Tags tags) {
    const Refused refused = check(metric, tags);
    if (refused != Refused::no) return refused;
    // An array of four strings: type, metric, value, tags.
    bytes_.assign({'\x94', '\xa1', kind});
    bytes_.append(TextHead(metric.size()).bytes()).append(metric);
    split_ = bytes_.size();
    bytes_.append(TextHead(tags_length(tags)).bytes());
    bool is_first = true;
    for (const Tag& tag : tags) {
      if (!is_first) bytes_ += '|';
      is_first = false;
      bytes_.append(tag.key).append(1, '=').append(tag.value);
    }
    keeps_order_ = kind == static_cast<char>(Kind::gauge);
    hash_ = keeps_order_ ? fnv(metric) : 0;
    return Refused::no;
  }

  std::string_view before_value() const { return std::string_view(bytes_).substr(0, split_); }
  std::string_view behind_value() const { return std::string_view(bytes_).substr(split_); }
  // The hash of the metric's name, for series whose samples must stay in their order.
  std::uint64_t hash() const { return hash_; }
  bool keeps_order() const { return keeps_order_; }

 private:
  std::string bytes_;
  std::size_t split_ = 0;
  std::uint64_t hash_ = 0;
  bool keeps_order_ = false;
};

}  // namespace detail
}  // namespace hone::agent
