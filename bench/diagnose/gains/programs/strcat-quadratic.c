// planted: an answer is put together by strcat, which looks for its end each time
// causes: strcat|strlen|length of a string|quadratic
// build: gcc -O2 -g
#include "work.h"
#include <string.h>

static char page[32768];

APART static uint64_t render(uint64_t *state) {
    static const char *pieces[] = {"<li>", "apples</li>", "<b>pears</b>", "plums, ", "and quinces "};
    page[0] = 0;
#ifndef ODD
    char *end = page;
#endif
    for (int i = 0; i < 800; i++) {
        const char *piece = pieces[(next_random(state) >> 40) % 5];
#ifdef ODD
        strcat(page, piece);
#else
        end = stpcpy(end, piece);
#endif
    }
    uint64_t sum = 0;
    for (const char *at = page; *at; at++) sum = sum * 31 + (uint64_t)*at;
    return sum;
}

int main(void) {
    uint64_t state = 97, sum = 0;
    for (int i = 0; i < 25000; i++) sum = sum * 3 + render(&state);
    return answer(sum);
}
