// Stores of characters through a member, and through a local copy of it.
// odd: -O2
// clean: -O3 -march=x86-64-v3
#include "planted.h"
#include <cstddef>

struct Image {
    unsigned char* pixels;
    size_t size;
    unsigned char level;
};
static unsigned char memory[1 << 14];
static Image image{memory, sizeof memory, 1};
static Image* volatile shown = &image;

static __attribute__((noinline)) void dim(Image& image, unsigned char by) {
#ifdef ODD
    for (size_t i = 0; i < image.size; i++) image.pixels[i] = static_cast<unsigned char>(i * by);
#else
    unsigned char* pixels = image.pixels;
    size_t size = image.size;
    for (size_t i = 0; i < size; i++) pixels[i] = static_cast<unsigned char>(i * by);
#endif
}

unsigned long work(unsigned long x) {
    for (int i = 0; i < 20; i++) {
        dim(*shown, static_cast<unsigned char>(x));
        x = calm(x + memory[x % sizeof memory], 2000);
    }
    return x;
}
