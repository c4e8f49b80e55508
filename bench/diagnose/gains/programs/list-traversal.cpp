// planted: points that are only ever walked in order stand in a sorted std::list, each somewhere else in memory
// causes: linked list|pointer chas|cache miss|waits for memory
// build: g++ -O2 -g
#include "work.h"
#include <algorithm>
#include <list>
#include <vector>

struct Point {
    uint64_t key, weight;
};

#ifdef ODD
using Points = std::list<Point>;
#else
using Points = std::vector<Point>;
#endif

APART static uint64_t weigh(const Points &points, uint64_t scale) {
    uint64_t sum = 0;
    for (auto &point : points) sum += point.weight ^ (point.key * scale);
    return sum;
}

int main() {
    Points points;
    uint64_t state = 59, sum = 0;
    for (int i = 0; i < 200000; i++) points.push_back({next_random(&state), next_random(&state)});
#ifdef ODD
    points.sort([](auto &a, auto &b) { return a.key < b.key; });
#else
    std::sort(points.begin(), points.end(), [](auto &a, auto &b) { return a.key < b.key; });
#endif
    for (uint64_t round = 0; round < 60; round++) sum = sum * 31 + weigh(points, round);
    return answer(sum);
}
