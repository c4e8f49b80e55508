// Look-ups in a std::unordered_map of strings, and in a table with open addressing.
#include "planted.h"
#include <string>
#include <unordered_map>
#include <vector>

#ifdef ODD
static unsigned long look(unsigned long key) {
    static const std::unordered_map<unsigned long, unsigned long> map = [] {
        std::unordered_map<unsigned long, unsigned long> map;
        for (unsigned long i = 0; i < 4096; i++) map[i * 977] = i;
        return map;
    }();
    auto found = map.find(key % 4096 * 977);
    return found == map.end() ? 0 : found->second;
}
#else
struct Slot { unsigned long key, value; };
static unsigned long look(unsigned long key) {
    static std::vector<Slot> slots(8192);
    size_t at = (key * 0x9e3779b97f4a7c15ul) >> 51;
    slots[at].value += key;
    return slots[(at + 1) & 8191].value;
}
#endif

unsigned long work(unsigned long x) {
    for (int i = 0; i < 2000; i++) x = calm(x + look(x), 10);
    return x;
}
