// Recursion of known depth, a callback, a frame larger than what is copied of a stack, a realigned frame; without libc, so that
// all code that runs is in this file.
volatile unsigned sink;
#define NOINLINE __attribute__((noinline, noclone, noipa))
NOINLINE unsigned spin(unsigned n) {
    unsigned x = n;
    for (unsigned i = 0; i < n; i++) x = x * 1664525u + 1013904223u;
    return x;
}
NOINLINE unsigned deep(unsigned depth, unsigned n) {
    unsigned r = depth ? deep(depth - 1, n) : spin(n);
    return r + sink + depth;
}
static NOINLINE int compare(unsigned a, unsigned b) {
    sink += spin(6000);
    return a < b;
}
NOINLINE void sorts(int (*less)(unsigned, unsigned)) {
    unsigned v[12];
    for (unsigned i = 0; i < 12; i++) v[i] = i * 7 % 12;
    for (unsigned i = 1; i < 12; i++)
        for (unsigned j = i; j > 0 && less(v[j], v[j - 1]); j--) {
            unsigned t = v[j];
            v[j] = v[j - 1], v[j - 1] = t;
        }
    sink += v[3];
}
NOINLINE unsigned big(unsigned n) {
    volatile char *room = __builtin_alloca(n);
    for (unsigned i = 0; i < n; i++) room[i] = 1;
    return spin(300000) + room[n / 2] + sink;
}
NOINLINE unsigned aligned(unsigned n) {
    _Alignas(64) volatile char v[256];
    v[n & 255] = 1;
    volatile char *room = __builtin_alloca(n);
    room[0] = 1;
    return spin(300000) + v[3] + room[0] + sink;
}
NOINLINE int work(int rounds) {
    unsigned random = 1;
    for (int i = 0; i < rounds; i++) {
        // Rounds of one length would keep step with the samples, which then never meet some of the functions.
        random = random * 1664525u + 1013904223u, sink += spin(random >> 13);
        sink += deep(20, 300000), sorts(compare), sink += big(40000), sink += aligned(100);
    }
    return 0;
}
__asm__(".globl _start\n.type _start,@function\n_start:\n.cfi_startproc\n.cfi_undefined rip\n"
        "xor %ebp,%ebp\nmov $250,%edi\nand $-16,%rsp\ncall work\n"
        "mov $60,%eax\nxor %edi,%edi\nsyscall\nhlt\n.cfi_endproc\n.size _start,.-_start\n");
