// Three filters in a list. All have the same header function; two have the same data function.

#include "relay.h"

#include <stdlib.h>

static int any_header(struct filter *filter, struct conn *conn) {
    filter->seen++;
    return (conn->state & 15) != 0;
}

static int count_data(struct filter *filter, const struct buffer *buffer) {
    filter->seen += buffer->len;
    return buffer->data[2] > 100;
}

static int search_data(struct filter *filter, const struct buffer *buffer) {
    for (uint32_t i = 0; i < 8; i++)
        if (buffer->data[i] == 'x') {
            filter->seen++;
            return 1;
        }
    return 0;
}

static const struct filter_ops count_ops = {any_header, count_data};
static const struct filter_ops search_ops = {any_header, search_data};

struct filter *filters_new(void) {
    struct filter *first = calloc(3, sizeof *first);
    if (!first)
        abort();
    first[0] = (struct filter){&count_ops, &first[1], 0};
    first[1] = (struct filter){&search_ops, &first[2], 0};
    first[2] = (struct filter){&count_ops, NULL, 0};
    return first;
}
