// planted: the numbers of a CSV are written by snprintf
// causes: printf|format
// build: clang-19 -O2 -g -fno-omit-frame-pointer
#include "work.h"

APART static size_t put_number(char *to, uint32_t value) {
#ifdef ODD
    return (size_t)snprintf(to, 16, "%u,", value);
#else
    char digits[10];
    size_t count = 0, length = 0;
    do digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    while (count) to[length++] = digits[--count];
    to[length++] = ',';
    return length;
#endif
}

int main(void) {
    static char row[32 * 16];
    uint64_t state = 71, sum = 0;
    for (int line = 0; line < 900000; line++) {
        size_t length = 0;
        for (int i = 0; i < 30; i++) length += put_number(row + length, (uint32_t)(next_random(&state) >> 44));
        for (size_t i = 0; i < length; i += 5) sum = sum * 31 + (uint64_t)row[i];
    }
    return answer(sum);
}
