// planted: each line of a log works out the local time anew, though 5,000 lines share a second
// causes: localtime|strftime|time zone|dates
// build: gcc -O2 -g
#include "work.h"
#include <string.h>
#include <time.h>

static char stamp[32];

APART static void set_stamp(time_t second) {
#ifndef ODD
    static time_t last = -1;
    if (second == last) return;
    last = second;
#endif
    strftime(stamp, sizeof stamp, "%Y-%m-%d %H:%M:%S", localtime(&second));
}

int main(void) {
    uint64_t state = 67, sum = 0;
    for (int line = 0; line < 750000; line++) {
        set_stamp(1700000000 + line / 5000);
        char text[96];
        size_t length = strlen(stamp);
        memcpy(text, stamp, length);
        for (int i = 0; i < 40; i++) text[length++] = (char)('a' + (next_random(&state) >> 40) % 26);
        for (size_t i = 0; i < length; i += 3) sum = sum * 31 + (uint64_t)text[i];
    }
    return answer(sum);
}
