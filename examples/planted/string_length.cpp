// strlen in the condition of a loop, and before it.
#include "planted.h"
#include <cstring>

static char text[4000];
static __attribute__((noinline)) unsigned long upper(unsigned long x) {
#ifdef ODD
    for (size_t i = 0; i < strlen(text); i += 16) text[i] = static_cast<char>('A' + ((x + i) & 15));
#else
    for (size_t i = 0, size = strlen(text); i < size; i += 16) text[i] = static_cast<char>('A' + ((x + i) & 15));
#endif
    return x + static_cast<unsigned char>(text[x % 3000]);
}

unsigned long work(unsigned long x) {
    if (text[0] == 0) memset(text, 'a', sizeof text - 1);
    for (int i = 0; i < 20; i++) x = calm(upper(x), 5000);
    return x;
}
