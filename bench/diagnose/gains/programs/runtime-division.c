// planted: the shard of a key is key % shards, a division by a number that never changes
// causes: division|divide
// build: gcc -O2 -g
#include "work.h"
#include <stdlib.h>

static uint64_t shards = 1009;

#ifdef ODD
static uint64_t shard(uint64_t key) { return key % shards; }
#else
// The rest of a 32-bit key by two multiplications (Lemire, Kaser, Kurz 2019).
static uint64_t inverse = UINT64_MAX / 1009 + 1;
static uint64_t shard(uint64_t key) { return (uint64_t)(((unsigned __int128)(inverse * key) * shards) >> 64); }
#endif

APART static void spread(const uint32_t *keys, int count, uint32_t *loads) {
    for (int i = 0; i < count; i++) {
        uint64_t key = keys[i];
        for (int hop = 0; hop < 4; hop++) key = shard(key) * 2654435 + 17;
        loads[shard(key)]++;
    }
}

int main(int count, char **arguments) {
    if (count > 1) shards = strtoull(arguments[1], 0, 10);
    static uint32_t keys[4096], loads[1009];
    uint64_t state = 29, sum = 0;
    for (int i = 0; i < 4096; i++) keys[i] = (uint32_t)(next_random(&state) >> 16);
    for (int round = 0; round < 30000; round++) spread(keys, 4096, loads);
    for (int i = 0; i < 1009; i++) sum = sum * 31 + loads[i];
    return answer(sum);
}
