// Four threads work and sleep under a seccomp filter that kills them for every system call but the few they make:
// not even `restart_syscall` is allowed, which the kernel makes a thread call whose sleep was interrupted.
#include "work.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ALLOW(name) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

enum { THREADS = 4 };

static atomic_long rounds, started, wrong, ended;

static int sleep_for(long nanoseconds) {
    struct timespec pause = {0, nanoseconds};
    return (int)syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &pause, NULL);
}

static void *work(void *unused) {
    started++;
    while (!rounds) sleep_for(1000000);
    for (long i = 0; i < rounds; i++) {
        wrong += wrong_rounds_until(now() + 0.001);
        sleep_for(300000);
    }
    ended++;
    // A thread's end would take other system calls.
    for (;;) sleep_for(100000000);
    return unused;
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    pthread_t id;
    for (int i = 0; i < THREADS; i++) pthread_create(&id, NULL, work, NULL);
    while (started < THREADS) sleep_for(1000000);
    wait_at_the_gate();
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        ALLOW(clock_gettime),
        ALLOW(clock_nanosleep),
        ALLOW(write),
        ALLOW(exit_group),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return 3;
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program)) return 4;
    rounds = atol(argv[1]);
    while (ended < THREADS) sleep_for(1000000);
    const char *text = wrong ? "wrong\n" : "right\n";
    if (write(1, text, 6) != 6) _exit(5);
    _exit(42);
}
