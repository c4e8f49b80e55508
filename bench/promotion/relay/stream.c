// The two kinds of tasks: each receives, filters, handles and sends, through the structs of its connection.

#include "relay.h"

static int run_filters(struct conn *conn, const struct buffer *buffer) {
    int kept = 0;
    for (struct filter *filter = conn->filters; filter; filter = filter->next) {
        if (filter->ops->header(filter, conn) == 0)
            continue;
        kept += filter->ops->data(filter, buffer);
    }
    return kept;
}

int stream_process(struct task *task) {
    struct conn *conn = &task->conn;
    task->runs++;
    if (conn->proto->recv(conn, &task->buffer) < 0)
        return -1;
    conn->sum += run_filters(conn, &task->buffer);
    conn->sum += conn->analyser->run(conn, &task->buffer);
    conn->sum += handlers[task->buffer.data[0] & 3].run(conn, &task->buffer);
    return conn->proto->send(conn, &task->buffer);
}

int session_process(struct task *task) {
    struct conn *conn = &task->conn;
    if (++task->runs % 4 == 0)
        conn->sum ^= run_filters(conn, &task->buffer);
    if (conn->proto->recv(conn, &task->buffer) < 0)
        return -1;
    conn->sum += task->buffer.data[1];
    return conn->proto->send(conn, &task->buffer);
}
