// Most of the work in one library, and little of it.
// library: dependency_other.cc
#include "planted.h"

unsigned long distance(unsigned long x, int steps);

unsigned long work(unsigned long x) {
#ifdef ODD
    return distance(calm(x, 100000), 100000);
#else
    return distance(calm(x, 200000), 10000);
#endif
}
