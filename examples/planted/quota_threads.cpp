// Four workers under a quota of a fifth of a CPU, and one that rests in time. To be run with-quota.
// flags: -O2 -pthread
#define OWN_MAIN
#include "planted.h"
#include <thread>
#include <vector>

static void worker() {
    unsigned long x = 1;
    while (static_cast<double>(clock()) / CLOCKS_PER_SEC < SECONDS) {
        const double began = static_cast<double>(clock()) / CLOCKS_PER_SEC;
        while (static_cast<double>(clock()) / CLOCKS_PER_SEC < began + 0.01) x = calm(x, 100000);
#ifndef ODD
        const timespec rest = {0, 120000000};
        nanosleep(&rest, nullptr);
#endif
    }
    printf("%lu\n", x);
}

int main() {
#ifdef ODD
    const int count = 4;
#else
    const int count = 1;
#endif
    std::vector<std::thread> workers;
    for (int i = 0; i < count; i++) workers.emplace_back(worker);
    for (std::thread &thread : workers) thread.join();
}
