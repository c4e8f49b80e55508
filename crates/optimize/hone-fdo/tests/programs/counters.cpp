// A program of few blocks of each kind that counters stand at: jumps, switches, selects, loops, calls through pointers. It
// prints its mappings when it is called with an argument, for its addresses to be known.

#include <cstdio>

#define NOINLINE __attribute__((noinline))

namespace {

int table[64];

NOINLINE int kind(int value) {
  switch (value % 7) {
    case 0: return table[value & 63];
    case 1: return value * 3;
    case 4: return value ^ 21;
    case 5: return value - table[1];
    default: return value + 1;
  }
}

NOINLINE int smaller(int a, int b) { return a < b ? a : b; }

NOINLINE int sum(const int* values, int count) {
  int result = 0;
  for (int i = 0; i < count; ++i) {
    if (values[i] & 1) result += values[i] * 5;
    else if (values[i] > 40) result -= 3;
  }
  return result;
}

NOINLINE int twice(int value) { return value * 2 + table[value & 7]; }
NOINLINE int half(int value) { return value / 2 + table[value & 3]; }

}  // namespace

NOINLINE int apply(int (*step)(int), int value) {
  int first = step(value);
  if (first > 1000) std::puts("large");
  return first + 1;
}

struct Guard {
  ~Guard() { table[5] ^= 1; }
};

// A call that may throw past something to be destroyed is an `invoke`.
NOINLINE int guarded(int (*step)(int), int value) {
  Guard guard;
  return step(value) - 1;
}

NOINLINE int never(int value) {
  if (value > 9) std::puts("never");
  return value;
}

int main(int argc, char**) {
  if (argc > 1) {
    std::FILE* maps = std::fopen("/proc/self/maps", "r");
    char line[512];
    while (std::fgets(line, sizeof line, maps) != nullptr) std::fputs(line, stdout);
    std::fclose(maps);
  }
  unsigned total = 0;
  for (int round = 0; round < 300; ++round) {
    table[round & 63] = round;
    total += kind(round) + smaller(round, 100) + sum(table, 32);
    total += apply(round % 3 == 0 ? half : twice, round);
    total += guarded(round % 5 == 0 ? twice : half, round);
  }
  if (argc > 5) total += never(argc);
  std::printf("%u\n", total);
}
