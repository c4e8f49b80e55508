// What C++'s library makes of the same functions, also at compile time.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

static_assert(std::string_view("abc") < std::string_view("abd"));
static_assert(std::string_view("abcdefgh") == std::string_view("abcdefgh"));
#if __cplusplus >= 202002L
constexpr int copied() {
  char to[4] = {};
  std::char_traits<char>::copy(to, "xyz", 3);
  return to[2];
}
static_assert(copied() == 'z');
#endif

__attribute__((noinline)) int compare(std::string_view a, std::string_view b) { return a.compare(b); }
__attribute__((noinline)) void move(const std::vector<long> &from, long *to) { std::copy(from.begin(), from.end(), to); }
__attribute__((noinline)) void copy(char *to, const char *from, std::size_t size) { std::memcpy(to, from, size); }
__attribute__((noinline)) void view(std::string_view from, char *to) { from.copy(to, from.size()); }

int main() {
  const std::string text = "the quick brown fox jumps over it";
  for (std::size_t size = 0; size <= text.size(); size++) {
    char to[64] = {}, other[64] = {};
    copy(to, text.data(), size);
    view(std::string_view(text).substr(0, size), other);
    std::string_view short_one(to, size);
    if (short_one != text.substr(0, size) || short_one != std::string_view(other, size)) return 1;
    std::string higher(short_one);
    if (size > 0) {
      higher.back()++;
      if (compare(short_one, higher) >= 0 || compare(higher, short_one) <= 0) return 2;
    }
    if (compare(short_one, short_one) != 0) return 3;
    std::vector<long> numbers(size, 7);
    long moved[64] = {};
    move(numbers, moved);
    if (std::count(moved, moved + 64, 7L) != static_cast<long>(size)) return 4;
  }
  std::puts("all sizes");
}
