#ifdef ODD
extern thread_local unsigned long counter;
thread_local unsigned long counter;
// So that each addition reaches the variable anew.
#define AT_EACH_CALL __attribute__((noinline))
#else
static thread_local unsigned long counter __attribute__((tls_model("initial-exec")));
#define AT_EACH_CALL
#endif

unsigned long count(unsigned long x);
static AT_EACH_CALL void one(unsigned long x) { counter += x; }
unsigned long count(unsigned long x) {
    for (int i = 0; i < 100; i++) one(x + i);
    return counter;
}
