// zlib's table-driven CRC, and the CPU's own instruction for one.
// flags: -O2 -msse4.2
// link: -l:libz.a
#include "planted.h"
#include <nmmintrin.h>
#include <zlib.h>

static unsigned char block[16384];

unsigned long work(unsigned long x) {
    for (int i = 0; i < 20; i++) {
        block[x % sizeof block] = (unsigned char)x;
#ifdef ODD
        x += crc32(0, block, sizeof block);
#else
        unsigned long crc = 0;
        const unsigned long *words = (const unsigned long *)block;
        for (unsigned long j = 0; j < sizeof block / 8; j++) crc = _mm_crc32_u64(crc, words[j]);
        x += crc;
#endif
        x = calm(x, 5000);
    }
    return x;
}
