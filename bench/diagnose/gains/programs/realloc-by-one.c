// planted: sixteen arrays grow side by side, each by one element with each realloc
// causes: realloc|grow|allocat
// build: gcc -O2 -g
#include "work.h"
#include <stdlib.h>

enum { ARRAYS = 16, LENGTH = 9000 };

struct Array {
    uint64_t *items;
    size_t count, room;
};

APART static void push(struct Array *array, uint64_t item) {
#ifdef ODD
    array->items = realloc(array->items, (array->count + 1) * sizeof item);
#else
    if (array->count == array->room) {
        array->room = array->room ? 2 * array->room : 16;
        array->items = realloc(array->items, array->room * sizeof item);
    }
#endif
    array->items[array->count++] = item;
}

int main(void) {
    uint64_t state = 79, sum = 0;
    for (int round = 0; round < 230; round++) {
        struct Array arrays[ARRAYS] = {0};
        for (int i = 0; i < ARRAYS * LENGTH; i++) push(&arrays[i % ARRAYS], honest_work(next_random(&state), 8));
        for (int i = 0; i < ARRAYS; i++) {
            for (size_t j = 0; j < arrays[i].count; j++) sum = sum * 31 + arrays[i].items[j];
            free(arrays[i].items);
        }
    }
    return answer(sum);
}
