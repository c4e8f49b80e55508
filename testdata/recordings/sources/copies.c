#include <string.h>
struct part { unsigned char bytes[64]; size_t size; };
__attribute__((noinline)) void put(unsigned char *to, const struct part *part) {
    memcpy(to, part->bytes, part->size);
    to[part->size] = 1;
}
__attribute__((noinline)) int same(const struct part *a, const unsigned char *b) {
    return memcmp(a->bytes, b, a->size) == 0;
}
