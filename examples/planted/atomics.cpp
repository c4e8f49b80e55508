// A shared counter for each step, and one for each batch.
#include "planted.h"
#include <atomic>

static std::atomic<unsigned long> counter;

static __attribute__((noinline)) unsigned long count(unsigned long x) {
#ifdef ODD
    for (int i = 0; i < 100; i++) counter.fetch_add(x + i, std::memory_order_relaxed);
#else
    unsigned long sum = 0;
    for (int i = 0; i < 100; i++) sum = sum * 3 + x + i;
    counter.fetch_add(sum, std::memory_order_relaxed);
#endif
    return x + 1;
}

unsigned long work(unsigned long x) {
    for (int i = 0; i < 200; i++) x = calm(count(x), 300);
    return x;
}
