// Bytes enciphered: the same, and a few rounds more.

#include "relay.h"

static int cipher_recv(struct conn *conn, struct buffer *into) {
    uint64_t word = step(&conn->state);
    for (int round = 0; round < 4; round++)
        word = (word ^ (word >> 29)) * 0xbf58476d1ce4e5b9u;
    into->len = 8;
    for (uint32_t i = 0; i < 8; i++)
        into->data[i] = (uint8_t)(word >> (8 * i));
    into->data[0] &= 3;
    return 8;
}

static int cipher_send(struct conn *conn, const struct buffer *from) {
    conn->sum ^= (uint64_t)from->data[2] * from->data[5];
    return 0;
}

const struct proto cipher_proto = {"cipher", cipher_recv, cipher_send};
