// A mutex for each addition, and for each batch of them.
// flags: -O2 -pthread
#include "planted.h"
#include <mutex>

static std::mutex mutex;
static unsigned long total;

unsigned long work(unsigned long x) {
#ifdef ODD
    for (int i = 0; i < 4000; i++) {
        std::lock_guard lock(mutex);
        total += x;
        x = calm(x, 8);
    }
#else
    unsigned long sum = 0;
    for (int i = 0; i < 100; i++) {
        sum += x;
        x = calm(x, 1000);
    }
    std::lock_guard lock(mutex);
    total += sum;
#endif
    return x + (total & 1);
}
