// planted: a loop over the characters of a line asks strlen at each of them
// causes: strlen|length of a string
// build: gcc -O2 -g -fno-omit-frame-pointer
#include "work.h"
#include <string.h>

#ifdef ODD
#define END(line) strlen(line)
#else
#define END(line) length
#endif

APART static void blank_out(char *line) {
    size_t length = strlen(line);
    for (size_t i = 0; i < END(line); i++) {
        if (line[i] == ',' || line[i] == ';') line[i] = ' ';
    }
    (void)length;
}

int main(void) {
    static char line[1201];
    uint64_t state = 33, sum = 0;
    for (int round = 0; round < 80000; round++) {
        for (int i = 0; i < 1200; i++) line[i] = "abc,;xyz"[(next_random(&state) >> 30) & 7];
        blank_out(line);
        for (int i = 0; i < 1200; i += 7) sum = sum * 31 + (uint64_t)line[i];
    }
    return answer(sum);
}
