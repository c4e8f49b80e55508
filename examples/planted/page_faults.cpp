// Memory taken from the kernel and given back for each batch, and kept.
#include "planted.h"
#include <sys/mman.h>

static constexpr size_t SIZE = 1 << 20;

static __attribute__((noinline)) unsigned long batch(unsigned char* memory, unsigned long x) {
    for (size_t i = 0; i < SIZE; i += 4096) memory[i] = static_cast<unsigned char>(x += i);
    return x;
}

static unsigned char* take() {
    void* memory = mmap(nullptr, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return static_cast<unsigned char*>(memory);
}

unsigned long work(unsigned long x) {
#ifdef ODD
    unsigned char* memory = take();
    x = batch(memory, x);
    munmap(memory, SIZE);
#else
    static unsigned char* memory = take();
    x = batch(memory, x);
#endif
    return calm(x, 20000);
}
