// A child that is stopped and continued by the job control's signals while it computes.
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;

// Waits until the child has used so much more CPU time: how often it is sampled follows from that, on a busy machine too.
static void while_it_uses(pid_t child, long ns) {
    clockid_t clock;
    struct timespec began, now, some = {0, 5000000};
    if (clock_getcpuclockid(child, &clock) != 0 || clock_gettime(clock, &began) != 0) return;
    do {
        nanosleep(&some, 0);
        if (clock_gettime(clock, &now) != 0) return;
    } while ((now.tv_sec - began.tv_sec) * 1000000000L + now.tv_nsec - began.tv_nsec < ns);
}

int main(void) {
    volatile int *over = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (over == MAP_FAILED) return 2;
    pid_t child = fork();
    if (child == 0) {
        for (long i = 0; !*over; i++) sink = sink * 3 + i;
        _exit(6);
    }
    int stops = 0, continues = 0, status;
    for (int i = 0; i < 5; i++) {
        struct timespec some = {0, 30000000};
        while_it_uses(child, 60000000);
        kill(child, SIGSTOP);
        waitpid(child, &status, WUNTRACED);
        stops += WIFSTOPPED(status);
        nanosleep(&some, 0);
        // Still stopped: nothing else to report.
        if (waitpid(child, &status, WNOHANG | WCONTINUED) != 0) return 1;
        kill(child, SIGCONT);
        waitpid(child, &status, WCONTINUED);
        continues += WIFCONTINUED(status);
    }
    *over = 1;
    waitpid(child, &status, 0);
    printf("stops=%d continues=%d exit=%d\n", stops, continues, WEXITSTATUS(status));
    return 0;
}
