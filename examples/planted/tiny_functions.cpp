// A small function in another file, and in the header.
// with: tiny_functions_other.cc
#include "planted.h"

struct Point { unsigned long x, y; };
#ifdef ODD
unsigned long turn(const Point& point);
#else
static inline unsigned long turn(const Point& point) { return (point.x << 7 | point.x >> 57) + point.y; }
#endif
static Point points[1024];

static __attribute__((noinline)) unsigned long all(unsigned long x) {
    for (auto& point : points) {
        point.x += x;
        x += turn(point);
    }
    return x;
}

unsigned long work(unsigned long x) {
    for (int i = 0; i < 200; i++) x = all(calm(x, 100));
    return x;
}
