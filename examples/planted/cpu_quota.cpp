// Work without a pause, and in turns with as much rest as a quota of a fifth of a CPU asks for. To be run with-quota.
// flags: -O2
#define OWN_MAIN
#include "planted.h"

int main() {
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
