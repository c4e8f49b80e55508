#ifdef ODD
extern thread_local unsigned long counter;
thread_local unsigned long counter;
#else
static thread_local unsigned long counter __attribute__((tls_model("initial-exec")));
#endif

unsigned long count(unsigned long x);
static __attribute__((noinline)) void one(unsigned long x) { counter += x; }
unsigned long count(unsigned long x) {
    for (int i = 0; i < 100; i++) one(x + i);
    return counter;
}
