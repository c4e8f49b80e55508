// A system call for each byte, and for each block.
#include "planted.h"
#include <fcntl.h>
#include <unistd.h>

unsigned long work(unsigned long x) {
    static int zero = open("/dev/zero", O_RDONLY);
    unsigned char bytes[256];
#ifdef ODD
    for (auto& byte : bytes) {
        if (read(zero, &byte, 1) != 1) return 0;
        x = calm(x + byte, 10);
    }
#else
    if (read(zero, bytes, sizeof bytes) != sizeof bytes) return 0;
    for (auto byte : bytes) x = calm(x + byte, 400);
#endif
    return x;
}
