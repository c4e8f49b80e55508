// What is done with a request of each kind, from a table.

#include "relay.h"

uint32_t handle_get(struct conn *conn, struct buffer *buffer) {
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < 8; i++)
        hash = (hash ^ buffer->data[i]) * 16777619u;
    conn->keys[hash & 15] = hash;
    return hash >> 24;
}

static uint32_t handle_put(struct conn *conn, struct buffer *buffer) {
    uint32_t sum = 0;
    for (int i = 0; i < 16; i++)
        sum += conn->keys[i] ^ buffer->data[4];
    return sum & 255;
}

static uint32_t handle_list(struct conn *conn, struct buffer *buffer) { return conn->keys[buffer->data[5] & 15] & 15; }

static uint32_t handle_drop(struct conn *conn, struct buffer *buffer) {
    conn->keys[buffer->data[6] & 15] = 0;
    return 0;
}

const struct handler handlers[4] = {{handle_get}, {handle_put}, {handle_list}, {handle_drop}};
