// A small program with what matters for source attribution: virtual calls behind a loop, a function that
// is inlined twice, blocks that share a line, a static and an anonymous function, a constructor with aliases.
// With an argument it prints where `hot` stands in memory, and the mappings of the process.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

namespace {

struct Shape {
    virtual ~Shape() = default;
    virtual std::uint64_t area(std::uint64_t n) const = 0;
};

struct Square final : Shape {
    std::uint64_t area(std::uint64_t n) const override { return n * n; }
};

struct Triangle final : Shape {
    std::uint64_t area(std::uint64_t n) const override {
        if (n % 3 == 0) return n; else return n / 2;
    }
};

inline std::uint64_t mix(std::uint64_t x) {
    x ^= x >> 31;
    return x % 7 == 0 ? x * 3 : x + 11;
}

}  // namespace

struct Counter {
    Counter();
    std::uint64_t value;
};

__attribute__((noinline)) Counter::Counter() : value(1) {
    std::setvbuf(stdout, nullptr, _IOFBF, 4096);
}

__attribute__((noinline)) std::uint64_t hot(const std::vector<std::unique_ptr<Shape>>& shapes,
                                            std::uint64_t seed) {
    std::uint64_t sum = 0;
    for (const auto& shape : shapes) {
        seed = mix(seed);
        sum += shape->area(seed & 1023);
        if (seed % 1001 == 5) sum ^= mix(sum);
    }
    return sum;
}

static void print_mappings() {
    std::printf("hot %p\n", reinterpret_cast<void*>(&hot));
    std::FILE* maps = std::fopen("/proc/self/maps", "r");
    char line[512];
    while (maps != nullptr && std::fgets(line, sizeof line, maps) != nullptr) std::fputs(line, stdout);
}

int main(int argc, char**) {
    Counter counter;
    if (argc > 1) {
        print_mappings();
        return 0;
    }
    std::vector<std::unique_ptr<Shape>> shapes;
    for (int i = 0; i < 40; ++i) {
        if (i % 4 == 0) shapes.push_back(std::make_unique<Triangle>());
        else shapes.push_back(std::make_unique<Square>());
    }
    std::uint64_t sum = counter.value;
    for (int i = 0; i < 24 * argc; ++i) sum += hot(shapes, sum);
    std::printf("%llu\n", static_cast<unsigned long long>(sum));
}
