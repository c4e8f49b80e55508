// planted: a std::map is asked for keys that are the numbers from 0 to 9999
// causes: ordered map|tree|std::map
// build: g++ -O2 -g
#include "work.h"
#include <map>
#include <vector>

#ifdef ODD
using Table = std::map<unsigned, uint64_t>;
#else
using Table = std::vector<uint64_t>;
#endif

APART static void count(Table &table, unsigned key, uint64_t by) { table[key] += by; }

int main() {
    Table table;
#ifndef ODD
    table.resize(10000);
#endif
    uint64_t state = 5, sum = 0;
    for (int i = 0; i < 12000000; i++) {
        uint64_t r = next_random(&state);
        count(table, unsigned(r % 10000), r >> 40);
        sum += honest_work(r, 6);
    }
    for (unsigned key = 0; key < 10000; key++) sum = sum * 31 + table[key];
    return answer(sum);
}
