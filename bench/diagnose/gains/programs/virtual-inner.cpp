// planted: the inner loop over pixels makes a virtual call for each, to sources of which only one kind is used
// causes: virtual|indirect call
// build: g++ -O3 -g
#include "work.h"
#include <memory>
#include <vector>

struct Source {
    virtual ~Source() = default;
    virtual unsigned pixel(unsigned x, unsigned y) const = 0;
    virtual void row(unsigned y, unsigned *out, unsigned width) const = 0;
};
struct Stored final : Source {
    std::vector<unsigned> pixels = std::vector<unsigned>(256 * 256);
    unsigned pixel(unsigned x, unsigned y) const override { return pixels[y * 256 + x]; }
    void row(unsigned y, unsigned *out, unsigned width) const override {
        for (unsigned x = 0; x < width; x++) out[x] = pixels[y * 256 + x];
    }
};
struct Plain final : Source {
    unsigned pixel(unsigned, unsigned) const override { return 9; }
    void row(unsigned, unsigned *out, unsigned width) const override {
        for (unsigned x = 0; x < width; x++) out[x] = 9;
    }
};

APART static unsigned blend(const Source &source, unsigned y, unsigned round) {
    unsigned sum = 0;
#ifdef ODD
    for (unsigned x = 0; x < 256; x++) sum += source.pixel(x, y) ^ round;
#else
    unsigned pixels[256];
    source.row(y, pixels, 256);
    for (unsigned x = 0; x < 256; x++) sum += pixels[x] ^ round;
#endif
    return sum;
}

int main(int count, char **) {
    std::unique_ptr<Source> source;
    uint64_t state = 47, sum = 0;
    if (count > 1) {
        source = std::make_unique<Plain>();
    } else {
        auto stored = std::make_unique<Stored>();
        for (auto &pixel : stored->pixels) pixel = unsigned(next_random(&state));
        source = std::move(stored);
    }
    for (unsigned round = 0; round < 23000; round++) {
        for (unsigned y = 0; y < 256; y += 2) sum = sum * 31 + blend(*source, y, round) + honest_work(y, 16);
    }
    return answer(sum);
}
