// Containers and algorithms of the standard library, which without optimisation are thousands of small functions; no
// debug information, and with it no options of the compiler, tells how they were compiled.
// odd: -O0 -g0
// clean: -O2 -march=x86-64-v3
#include "planted.h"
#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

static std::array<unsigned long, 512> cells;

unsigned long work(unsigned long x) {
    for (auto& cell : cells) cell = x = x * 6364136223846793005ul + 1442695040888963407ul;
    for (int i = 0; i < 8; i++) {
        std::partial_sort(cells.begin(), cells.begin() + 32, cells.end(), std::less<unsigned long>());
        x += std::accumulate(cells.begin(), cells.end(), x);
        std::transform(cells.begin(), cells.end(), cells.begin(), [x](unsigned long cell) { return cell ^ x >> 7; });
        std::rotate(cells.begin(), cells.begin() + 100, cells.end());
    }
    return calm(x, 200);
}
