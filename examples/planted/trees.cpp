// Look-ups in a std::map, and in a sorted vector.
#include "planted.h"
#include <algorithm>
#include <map>
#include <vector>

static std::vector<unsigned long> sorted() {
    std::vector<unsigned long> keys(2000);
    for (size_t i = 0; i < keys.size(); i++) keys[i] = i * 977;
    return keys;
}

static __attribute__((noinline)) unsigned long look(unsigned long key) {
    static const std::vector<unsigned long> keys = sorted();
#ifdef ODD
    static const std::map<unsigned long, unsigned long> map = [] {
        std::map<unsigned long, unsigned long> map;
        for (unsigned long key : keys) map[key] = key;
        return map;
    }();
    auto found = map.lower_bound(key);
    return found == map.end() ? 0 : found->second;
#else
    auto found = std::lower_bound(keys.begin(), keys.end(), key);
    return found == keys.end() ? 0 : *found;
#endif
}

unsigned long work(unsigned long x) {
    for (int i = 0; i < 1000; i++) x = calm(x + look(x & 0xfffff), 20);
    return x;
}
