// Numbers as text, the same in all languages: whole numbers below 2^53 as digits, other numbers from 0.00001 on as the
// shortest decimal that is read back as the same number, the rest with an exponent (1e-7, 1.5e300).
//
// A number with up to three places behind the point is written by integer arithmetic, which is faster. The bytes are
// the same: no two decimals of up to 15 digits are the same double, so one that is read back is the shortest.
#pragma once

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace hone::agent::detail {

// Holds every number as text.
class NumberText {
 public:
  // Returns a number as text; empty if the number is not finite.
  std::string_view number(double value) {
    if (!std::isfinite(value)) return {};
    const double magnitude = std::fabs(value);
    if (magnitude < kWholeMax && static_cast<double>(static_cast<std::int64_t>(value)) == value) {
      return decimal(value < 0, static_cast<std::uint64_t>(magnitude), 0);
    }
    if (magnitude < kFifteenDigits / 1000) {
      const auto thousandths = static_cast<std::uint64_t>(magnitude * 1000 + 0.5);
      if (static_cast<double>(thousandths) / 1000 == magnitude) {
        return decimal(value < 0, thousandths, 3);
      }
    }
    if (magnitude >= 1e-5 && magnitude < kWholeMax) return shortest(value);
    return with_exponent(value);
  }

  // Returns the magnitude divided by ten to the power of `places`, without zeros at the end.
  std::string_view decimal(bool is_negative, std::uint64_t magnitude, int places) {
    while (places > 0 && magnitude % 10 == 0) {
      magnitude /= 10;
      --places;
    }
    std::size_t at = room_.size();
    for (int digits = 0; magnitude > 0 || digits <= places; ++digits) {
      if (digits == places && places > 0) room_[--at] = '.';
      room_[--at] = static_cast<char>('0' + magnitude % 10);
      magnitude /= 10;
    }
    if (is_negative) room_[--at] = '-';
    return {room_.data() + at, room_.size() - at};
  }

  // Returns a duration in milliseconds, to the nanosecond.
  std::string_view milliseconds(std::chrono::nanoseconds duration) {
    const auto count = duration.count();
    return decimal(false, count > 0 ? static_cast<std::uint64_t>(count) : 0, 6);
  }

 private:
  static constexpr double kWholeMax = 9007199254740992.0;
  static constexpr double kFifteenDigits = 1e15;

  std::string_view shortest(double value) {
    const auto end = room_.data() + room_.size();
    const auto written = std::to_chars(room_.data(), end, value, std::chars_format::fixed);
    return {room_.data(), static_cast<std::size_t>(written.ptr - room_.data())};
  }

  // Returns a number with an exponent, without the plus sign and the leading zeros of 1e+300 and 1e-07.
  std::string_view with_exponent(double value) {
    const auto end = room_.data() + room_.size();
    const auto written = std::to_chars(room_.data(), end, value, std::chars_format::scientific);
    const std::string_view text(room_.data(), static_cast<std::size_t>(written.ptr - room_.data()));
    std::size_t kept = text.find('e') + 1;
    for (std::size_t from = kept; from < text.size(); ++from) {
      const char before = room_[kept - 1];
      const bool is_leading = text[from] == '+' || (text[from] == '0' && (before == 'e' || before == '-'));
      if (!is_leading) room_[kept++] = text[from];
    }
    return {room_.data(), kept};
  }

  std::array<char, 32> room_;
};

}  // namespace hone::agent::detail
