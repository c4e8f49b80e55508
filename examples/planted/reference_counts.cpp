// A shared pointer passed by value, and by reference, in a program with threads.
// flags: -O2 -pthread
#define OWN_MAIN
#include "planted.h"
#include <memory>
#include <thread>

struct Config { unsigned long factor = 3; };

#ifdef ODD
static __attribute__((noinline)) unsigned long scale(std::shared_ptr<const Config> config, unsigned long x) {
#else
static __attribute__((noinline)) unsigned long scale(const std::shared_ptr<const Config>& config, unsigned long x) {
#endif
    return calm(x * config->factor, 2);
}

static void run() {
    auto config = std::make_shared<const Config>();
    unsigned long x = 1;
    while (static_cast<double>(clock()) / CLOCKS_PER_SEC < SECONDS) {
        for (int i = 0; i < 20000; i++) x = scale(config, x);
    }
    printf("%lu\n", x);
}

int main() { std::thread(run).join(); }
