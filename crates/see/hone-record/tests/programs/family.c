// Burns CPU in a thread, in a forked child and in a program that a child becomes.
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned long sink;

#define BURN(name)                                                    \
    static void name(void) {                                          \
        for (long i = 0; i < 1200000000; i++) sink = sink * 3 + i;     \
    }
BURN(in_thread)
BURN(in_child)
BURN(in_program)

static void *thread(void *unused) {
    in_thread();
    return unused;
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "program")) {
        in_program();
        return 5;
    }
    pthread_t id;
    pthread_create(&id, 0, thread, 0);
    pid_t child = fork();
    if (child == 0) {
        in_child();
        _exit(4);
    }
    pid_t other = vfork();
    if (other == 0) {
        execl(argv[0], argv[0], "program", (char *)0);
        _exit(1);
    }
    int first, second;
    waitpid(child, &first, 0);
    waitpid(other, &second, 0);
    pthread_join(id, 0);
    printf("%d %d\n", WEXITSTATUS(first), WEXITSTATUS(second));
    return 3;
}
