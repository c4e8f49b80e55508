// Bytes as they are. Static functions, reached through the struct alone.

#include "relay.h"

static int plain_recv(struct conn *conn, struct buffer *into) {
    uint64_t word = step(&conn->state);
    into->len = 8 + (word & 7);
    for (uint32_t i = 0; i < 8; i++)
        into->data[i] = (uint8_t)(word >> (8 * i));
    // Seven requests in ten are of the first kind, two of the second.
    uint32_t tenth = word % 10;
    into->data[0] = tenth < 7 ? 0 : tenth < 9 ? 1 : (uint8_t)(2 + (word & 1));
    return (int)into->len;
}

static int plain_send(struct conn *conn, const struct buffer *from) {
    conn->sum += from->len;
    conn->keys[from->len & 15] += from->data[3];
    return 0;
}

const struct proto plain_proto = {"plain", plain_recv, plain_send};
