// A debugger of somebody else: starts a program, or takes a running one, and stops it at every system call.
// At the end it prints how often it was stopped and why, and how the program ended.
//
// usage: tracer PROGRAM [ARGUMENT ...]    until it ends; begins when a line comes
//        tracer --attach PID MILLISECONDS    all threads, then lets go
#define _GNU_SOURCE
#include "work.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static long calls, signals, others;

// Sees to one stop; `PTRACE_LISTEN` is not needed, since nobody here stops the program by signals.
static void handle(pid_t tid, int status) {
    int signal = WSTOPSIG(status), pass = 0;
    if (signal == (SIGTRAP | 0x80)) {
        calls++;
    } else if (status >> 16) {
        others += status >> 16 != PTRACE_EVENT_EXEC;
    } else {
        pass = signal;
        signals++;
    }
    ptrace(PTRACE_SYSCALL, tid, 0, (long)pass);
}

static int start(char **argv) {
    pid_t child = fork();
    if (child == 0) {
        raise(SIGSTOP);
        execv(argv[0], argv);
        _exit(127);
    }
    int status;
    waitpid(child, &status, WUNTRACED);
    if (ptrace(PTRACE_SEIZE, child, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC)) return 3;
    printf("ready %d\n", child);
    fflush(stdout);
    while (getchar() != '\n' && !feof(stdin)) {}
    kill(child, SIGCONT);
    while (waitpid(child, &status, __WALL) == child && WIFSTOPPED(status)) {
        if (status >> 16 == PTRACE_EVENT_STOP) {
            // The stop it was found in, and its end.
            ptrace(PTRACE_SYSCALL, child, 0, 0L);
        } else {
            handle(child, status);
        }
    }
    printf("calls=%ld signals=%ld others=%ld exited=%d\n", calls, signals, others,
        WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    return 0;
}

// Takes every thread. One that somebody else holds at the moment is tried again.
static int take(pid_t pid, pid_t *tids) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *directory = opendir(path);
    int count = 0;
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        pid_t tid = atoi(entry->d_name);
        if (tid == 0 || count == 64) continue;
        int tries = 0;
        while (ptrace(PTRACE_SEIZE, tid, 0, PTRACE_O_TRACESYSGOOD) && ++tries < 100) usleep(1000);
        if (tries == 100) return -1;
        ptrace(PTRACE_INTERRUPT, tid, 0, 0);
        tids[count++] = tid;
    }
    if (directory) closedir(directory);
    return count;
}

static int attach(pid_t pid, double length) {
    pid_t tids[64];
    int count = take(pid, tids), status;
    if (count < 1) return 3;
    double end = now() + length;
    while (now() < end) {
        pid_t tid = waitpid(-1, &status, __WALL | WNOHANG);
        if (tid < 0) return 4;
        if (tid == 0) {
            usleep(200);
        } else if (!WIFSTOPPED(status)) {
            return 5;
        } else if (status >> 16 == PTRACE_EVENT_STOP) {
            ptrace(PTRACE_SYSCALL, tid, 0, 0L);
        } else {
            handle(tid, status);
        }
    }
    printf("held=%d signals=%ld others=%ld\n", count, signals, others);
    // Its end gives all threads free.
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 3 && !strcmp(argv[1], "--attach")) return attach(atoi(argv[2]), atof(argv[3]) / 1000);
    return argc < 2 ? 2 : start(argv + 1);
}
