// A relay of requests in the shape of a proxy in C: every layer calls the next through a struct of functions.

#ifndef RELAY_H
#define RELAY_H

#include <stddef.h>
#include <stdint.h>

struct conn;
struct task;

struct buffer {
    uint8_t data[512];
    uint32_t len;
};

// How bytes move. Two of them, in files of their own: the plain one has nine tenths of the connections.
struct proto {
    const char *name;
    int (*recv)(struct conn *conn, struct buffer *into);
    int (*send)(struct conn *conn, const struct buffer *from);
};

struct filter {
    const struct filter_ops *ops;
    struct filter *next;
    uint64_t seen;
};

// What a filter does with a request. Static functions in filters.c.
struct filter_ops {
    int (*header)(struct filter *filter, struct conn *conn);
    int (*data)(struct filter *filter, const struct buffer *buffer);
};

// One entry of the table that turns the first byte of a request into its handler.
struct handler {
    uint32_t (*run)(struct conn *conn, struct buffer *buffer);
};

// Looks into a request. One function, and a long one.
struct analyser {
    uint32_t (*run)(struct conn *conn, const struct buffer *buffer);
};

struct conn {
    const struct proto *proto;
    const struct analyser *analyser;
    struct filter *filters;
    uint64_t state;
    uint64_t sum;
    uint32_t keys[16];
};

struct task {
    struct task *next;
    int (*process)(struct task *task);
    struct conn conn;
    struct buffer buffer;
    uint32_t runs;
};

extern const struct proto plain_proto;
extern const struct proto cipher_proto;
extern const struct handler handlers[4];
extern const struct analyser analyser;

struct filter *filters_new(void);

int stream_process(struct task *task);
int session_process(struct task *task);

static inline uint64_t step(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

#endif
