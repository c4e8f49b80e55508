// qsort with its comparison by pointer, and std::sort.
#include "planted.h"
#include <algorithm>
#include <cstdlib>

static unsigned values[1000];

#ifdef ODD
static int compare(const void* a, const void* b) {
    unsigned x = *static_cast<const unsigned*>(a), y = *static_cast<const unsigned*>(b);
    return x < y ? -1 : x > y;
}
#endif

unsigned long work(unsigned long x) {
    for (int i = 0; i < 10; i++) {
        for (auto& value : values) value = static_cast<unsigned>(x = x * 6364136223846793005ul + 1);
#ifdef ODD
        qsort(values, 1000, sizeof values[0], compare);
#else
        std::sort(values, values + 1000);
#endif
        x = calm(x + values[500], 10000);
    }
    return x;
}
