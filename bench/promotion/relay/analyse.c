// A target so long that ThinLTO brings no copy of it into other files, as the analysers of proxies are. A request takes a short way
// through it.

#include "relay.h"

#define RULE(n)                                                                                                                          \
    if (word % (1000u + (n)) == 1) {                                                                                                     \
        conn->keys[(n) & 15] ^= word >> ((n) & 15);                                                                                      \
        word = word * 2654435761u + conn->keys[((n) + 3) & 15];                                                                          \
        conn->keys[((n) + 5) & 15] += buffer->data[(n) & 7] * (word | 1);                                                                \
        word ^= conn->keys[((n) + 7) & 15] >> 3;                                                                                         \
    }
#define RULES4(n) RULE(n) RULE((n) + 1) RULE((n) + 2) RULE((n) + 3)
#define RULES16(n) RULES4(n) RULES4((n) + 4) RULES4((n) + 8) RULES4((n) + 12)

static uint32_t analyse(struct conn *conn, const struct buffer *buffer) {
    uint32_t word = buffer->data[1] | (uint32_t)buffer->data[2] << 8;
    if (word < 60000)
        return word & 3;
    RULES16(0)
    RULES16(16)
    RULES16(32)
    RULES16(48)
    return word >> 28;
}

const struct analyser analyser = {analyse};
