// A child that is stopped and continued by the job control's signals while it computes.
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;

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
        nanosleep(&some, 0);
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
