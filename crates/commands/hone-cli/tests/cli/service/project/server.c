/* A small server of the tests: answers HTTP GET and Redis's PING, and misbehaves on demand.
 *
 * server PORT [fork|each|deaf|leave|open|exit|crash=N]    server check PORT
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

unsigned work(unsigned seed);

static volatile sig_atomic_t stopped;
static void on_stop(int signal) { stopped = signal; }
static void on_child(int signal) {
    (void)signal;
    while (waitpid(-1, 0, WNOHANG) > 0) {}
}

static struct { char text[16384]; int length; } open_[1024];
static long served, crash_after = -1;

static int address(int port, int everywhere, struct sockaddr_in *at) {
    memset(at, 0, sizeof *at);
    at->sin_family = AF_INET;
    at->sin_port = htons(port);
    at->sin_addr.s_addr = htonl(everywhere ? INADDR_ANY : INADDR_LOOPBACK);
    return socket(AF_INET, SOCK_STREAM, 0);
}

/* The length of the first request in a text of so many bytes; 0 where it is not whole. */
static int request(const char *text, int length) {
    char *end;
    if (text[0] == 'G') {
        end = memmem(text, length, "\r\n\r\n", 4);
        return end ? end - text + 4 : 0;
    }
    int lines = text[0] == '*' ? 1 + 2 * atoi(text + 1) : 1;
    const char *at = text;
    while (lines--) {
        end = memmem(at, text + length - at, "\r\n", 2);
        if (!end) return 0;
        at = end + 2;
    }
    return at - text;
}

static int answer(int fd, const char *text, int length) {
    char reply[256];
    int size;
    if (crash_after >= 0 && served >= crash_after) abort();
    if (text[0] == 'G') {
        size = sprintf(reply, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n%08x\n", work(served));
    } else if (memmem(text, length, "PING", 4)) {
        size = sprintf(reply, "+PONG\r\n");
        if (work(served) == 1) size++;
    } else {
        size = sprintf(reply, "-ERR unknown command\r\n");
    }
    served++;
    return write(fd, reply, size) == size;
}

/* Answers what has come; 0 at the end of the connection. */
static int serve(int fd) {
    int space = sizeof open_[fd].text - open_[fd].length;
    int got = read(fd, open_[fd].text + open_[fd].length, space);
    if (got <= 0) return 0;
    open_[fd].length += got;
    int size;
    while (open_[fd].length > 0 && (size = request(open_[fd].text, open_[fd].length)) > 0) {
        if (!answer(fd, open_[fd].text, size)) return 0;
        open_[fd].length -= size;
        memmove(open_[fd].text, open_[fd].text + size, open_[fd].length);
    }
    return 1;
}

static void loop(int listener, int each) {
    int queue = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, ready[64];
    epoll_ctl(queue, EPOLL_CTL_ADD, listener, &event);
    while (!stopped) {
        int count = epoll_wait(queue, ready, 64, -1);
        for (int i = 0; i < count; i++) {
            int fd = ready[i].data.fd;
            if (fd != listener) {
                if (!serve(fd)) close(fd);
                continue;
            }
            int client = accept(listener, 0, 0), on = 1;
            if (client < 0 || client >= 1024) continue;
            setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            open_[client].length = 0;
            if (each) {
                if (fork() == 0) {
                    while (serve(client)) {}
                    exit(0);
                }
                close(client);
            } else {
                event.data.fd = client;
                epoll_ctl(queue, EPOLL_CTL_ADD, client, &event);
            }
        }
    }
}

static int check(int port) {
    struct sockaddr_in at;
    int fd = address(port, 0, &at);
    char reply[256] = {0};
    if (connect(fd, (struct sockaddr *)&at, sizeof at)) return 1;
    if (write(fd, "GET / HTTP/1.1\r\n\r\n", 18) != 18) return 1;
    return read(fd, reply, 255) <= 0 || !strstr(reply, "200 OK");
}

int main(int argc, char **argv) {
    if (argc > 2 && !strcmp(argv[1], "check")) return check(atoi(argv[2]));
    const char *mode = argc > 2 ? argv[2] : "";
    if (!strcmp(mode, "exit")) {
        fprintf(stderr, "cannot read my settings\n");
        return 3;
    }
    if (!strncmp(mode, "crash=", 6)) crash_after = atol(mode + 6);
    struct sigaction act = {.sa_handler = on_stop};
    sigaction(SIGTERM, &act, 0);
    if (!strcmp(mode, "deaf")) signal(SIGTERM, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    struct sockaddr_in at;
    int listener = address(atoi(argv[1]), !!strstr(mode, "open"), &at), on = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 128)) {
        perror("bind");
        return 4;
    }
    int leave = !!strstr(mode, "leave");
    if (leave || !strcmp(mode, "fork")) {
        pid_t worker = fork();
        if (worker == 0) {
            if (leave) signal(SIGTERM, SIG_IGN);
            loop(listener, 0);
            return 0;
        }
        while (!stopped) pause();
        if (leave) return 0;
        kill(worker, SIGTERM);
        waitpid(worker, 0, 0);
        return 0;
    }
    int each = !strcmp(mode, "each");
    struct sigaction children = {.sa_handler = on_child};
    if (each) sigaction(SIGCHLD, &children, 0);
    loop(listener, each);
    return 0;
}
