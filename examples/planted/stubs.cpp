// Calls of a shared library's small functions through stubs, and directly.
// odd: -O2
// clean: -O2 -fno-plt
// library: stubs_other.cc
#include "planted.h"
#include "stubs.h"

#define CALL(n) x = step##n(x);

static __attribute__((noinline)) unsigned long run(unsigned long x) {
    for (int i = 0; i < 4; i++) {
        EACH(CALL)
    }
    return x;
}

unsigned long work(unsigned long x) {
#ifdef ODD
    for (int i = 0; i < 50; i++) x = run(x);
#else
    for (int i = 0; i < 5; i++) x = run(calm(x, 60000));
#endif
    return x;
}
