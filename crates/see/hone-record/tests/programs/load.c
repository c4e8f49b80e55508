// Asks the server without pause and checks every answer. Whenever it is given a line, it prints what it and
// the server have counted so far; at the end of its input it ends.
//
// usage: load SOCKET PORT CONNECTIONS
#define _GNU_SOURCE
#include "work.h"

#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { REQUESTS = 64, GIVE_UP_S = 240 };

struct request {
    char text[PAYLOAD_MAX + 128];
    size_t length;
    char answer[ANSWER_MAX];
};

static atomic_long asked, failed, longest_us;
static const char *socket_path;
static int port;

static int connect_to(int by_tcp) {
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    snprintf(local.sun_path, sizeof local.sun_path, "%s", socket_path);
    struct sockaddr_in loopback = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(by_tcp ? AF_INET : AF_UNIX, SOCK_STREAM, 0);
    struct timeval patience = {GIVE_UP_S, 0};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    int result = by_tcp ? connect(fd, (struct sockaddr *)&loopback, sizeof loopback)
                        : connect(fd, (struct sockaddr *)&local, sizeof local);
    if (result) {
        close(fd);
        return -1;
    }
    return fd;
}

// Sends, and reads a reply up to its newline; its length, or -1.
static long ask(int fd, const char *text, size_t length, char *reply, size_t room) {
    if (send(fd, text, length, MSG_NOSIGNAL) != (ssize_t)length) return -1;
    size_t filled = 0;
    while (filled == 0 || reply[filled - 1] != '\n') {
        ssize_t got = recv(fd, reply + filled, room - filled - 1, 0);
        if (got <= 0) return -1;
        filled += (size_t)got;
    }
    reply[filled - 1] = 0;
    return (long)filled;
}

static struct request *invent_requests(uint64_t seed) {
    struct request *requests = calloc(REQUESTS, sizeof *requests);
    for (int i = 0; i < REQUESTS; i++) {
        struct request *r = &requests[i];
        char payload[PAYLOAD_MAX];
        size_t kind = chance(&seed) % KINDS, length = invent(payload, 100 + chance(&seed) % 4000, &seed);
        // The id is put in when it is asked.
        int head = snprintf(r->text, sizeof r->text, "%08d %s %zu\n", 0, kinds[kind].name, length);
        memcpy(r->text + head, payload, length);
        r->length = (size_t)head + length;
        answer(kind, payload, length, r->answer);
    }
    return requests;
}

static void *client(void *argument) {
    long number = (long)argument;
    uint64_t seed = 1000 + (uint64_t)number;
    struct request *requests = invent_requests(seed);
    int fd = -1;
    for (unsigned id = 1;; id++) {
        // A connection does not last for ever, so that the server also accepts.
        if (fd >= 0 && id % 500 == 0) {
            close(fd);
            fd = -1;
        }
        if (fd < 0) fd = connect_to(number % 2 == 0);
        struct request *r = &requests[chance(&seed) % REQUESTS];
        char id_text[16], reply[256], expected[128];
        snprintf(id_text, sizeof id_text, "%08u", id % 100000000);
        memcpy(r->text, id_text, 8);
        snprintf(expected, sizeof expected, "%u %s", id % 100000000, r->answer);
        double began = now();
        long got = fd < 0 ? -1 : ask(fd, r->text, r->length, reply, sizeof reply);
        long took_us = (long)((now() - began) * 1e6);
        if (took_us > longest_us) longest_us = took_us;
        asked++;
        if (got < 0 || strcmp(reply, expected)) {
            failed++;
            close(fd);
            fd = -1;
            usleep(10000);
        }
    }
    return argument;
}

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    socket_path = argv[1];
    port = atoi(argv[2]);
    for (long i = 0; i < atol(argv[3]); i++) {
        pthread_t id;
        pthread_create(&id, NULL, client, (void *)i);
    }
    puts("ready");
    fflush(stdout);
    char line[16];
    while (fgets(line, sizeof line, stdin)) {
        char server[512] = "silent=1";
        int fd = connect_to(0);
        if (fd >= 0) ask(fd, "statistics\n", 11, server, sizeof server);
        close(fd);
        printf("asked=%ld failed=%ld longest_us=%ld %s\n", asked, failed, atomic_exchange(&longest_us, 0), server);
        fflush(stdout);
    }
    return 0;
}
