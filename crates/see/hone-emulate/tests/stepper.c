// A stepping server: the CPU as the reference that the emulator is checked against.
//
//     stepper PROGRAM [ARGUMENT...]   traces a program that it starts itself, from a moment after its start on
//     stepper --whole PROGRAM ...     from its very first instruction on, and at the same addresses each time
//     stepper                         traces a scratch process of its own, for single instructions
//
// It speaks a small binary protocol on its standard input and output; every number is little-endian and
// every command is one letter with fixed arguments:
//
//     I                     -> u32 pid, u32 size of the vector state, u32 offsets of ymm, k, zmm_hi, hi16
//     R u32 microseconds    -> u8 0 (stopped in user code) or 1 (the program has ended)
//     G                     -> registers (27 u64), vector state
//     P u64 page            -> u8 readable, then 4096 bytes if so
//     N u32 n               -> u8 status as for R or 2 (a signal came), u32 count, then count u64: rip after each
//                              instruction; the rounds of a repeated string instruction count as one
//     T registers, vector state, u8 length, code, u32 length, data
//                           -> u8 signal, registers, vector state, data
//
// Only programs that it started itself are ever stepped: a tracer killed in the middle of a step takes
// its target with it.
#define _GNU_SOURCE
#include <cpuid.h>
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define SCRATCH_CODE 0x10000000ul
#define SCRATCH_DATA 0x20000000ul
#define SCRATCH_DATA_BYTES 8192

static pid_t child;
static uint32_t xstate_size;
static unsigned char xstate[65536];

static void get(void *out, size_t size) {
  if (fread(out, 1, size, stdin) != size) exit(0);
}

static void put(const void *bytes, size_t size) { fwrite(bytes, 1, size, stdout); }

static void put8(uint8_t value) { put(&value, 1); }

static void put32(uint32_t value) { put(&value, 4); }

static uint32_t get32(void) {
  uint32_t value;
  get(&value, 4);
  return value;
}

static void die(const char *what) {
  perror(what);
  exit(1);
}

// Waits for the next stop: the signal, or -1 when the child is gone.
static int wait_stop(int *event) {
  int status;
  if (waitpid(child, &status, __WALL) < 0 || WIFEXITED(status) || WIFSIGNALED(status)) return -1;
  if (event) *event = status >> 16;
  return WSTOPSIG(status);
}

static void get_registers(struct user_regs_struct *registers) {
  if (ptrace(PTRACE_GETREGS, child, 0, registers)) die("PTRACE_GETREGS");
}

static void get_xstate(void) {
  struct iovec vector = {xstate, sizeof xstate};
  if (ptrace(PTRACE_GETREGSET, child, (void *)NT_X86_XSTATE, &vector)) die("PTRACE_GETREGSET");
  xstate_size = vector.iov_len;
}

static uint32_t offset_of(uint32_t component) {
  uint32_t a, b, c, d;
  return __get_cpuid_count(0xd, component, &a, &b, &c, &d) ? b : 0;
}

static void info(void) {
  get_xstate();
  put32(child);
  put32(xstate_size);
  put32(offset_of(2));
  put32(offset_of(5));
  put32(offset_of(6));
  put32(offset_of(7));
}

static void put_state(void) {
  struct user_regs_struct registers;
  get_registers(&registers);
  get_xstate();
  put(&registers, sizeof registers);
  put(xstate, xstate_size);
}

// Other threads of the program: they stand still while the first one is looked at and stepped, so that
// its memory changes only by what it does itself.
enum { THREADS_MAX = 256 };
static struct {
  pid_t tid;
  int signal;
} threads[THREADS_MAX];
static int thread_count;

static int is_known(pid_t tid) {
  for (int i = 0; i < thread_count; i++)
    if (threads[i].tid == tid) return 1;
  return 0;
}

static int stop_new_threads(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", child);
  DIR *directory = opendir(path);
  int found = 0;
  for (struct dirent *entry; directory && (entry = readdir(directory));) {
    pid_t tid = atoi(entry->d_name);
    if (tid <= 0 || tid == child || is_known(tid) || thread_count == THREADS_MAX) continue;
    // A thread seen before is seized already; only the interrupt counts then.
    ptrace(PTRACE_SEIZE, tid, 0, PTRACE_O_EXITKILL);
    int status;
    if (ptrace(PTRACE_INTERRUPT, tid, 0, 0) || waitpid(tid, &status, __WALL) != tid || !WIFSTOPPED(status))
      continue;
    int event = status >> 16, signal = WSTOPSIG(status);
    threads[thread_count].tid = tid;
    threads[thread_count++].signal = event || signal == SIGTRAP ? 0 : signal;
    found = 1;
  }
  if (directory) closedir(directory);
  return found;
}

static void stop_others(void) {
  while (stop_new_threads()) continue;
}

static void resume_others(void) {
  for (int i = 0; i < thread_count; i++)
    ptrace(PTRACE_CONT, threads[i].tid, 0, (long)threads[i].signal);
  thread_count = 0;
}

// Lets the program run, then stops it in user code: not in a system call, whose registers are not yet
// those that the program will see.
static void run(uint32_t microseconds) {
  resume_others();
  for (int tries = 0; tries < 1000; tries++) {
    int signal = 0, event;
    if (ptrace(PTRACE_CONT, child, 0, 0)) die("PTRACE_CONT");
    usleep(microseconds);
    ptrace(PTRACE_INTERRUPT, child, 0, 0);
    while ((signal = wait_stop(&event)) >= 0 && event != PTRACE_EVENT_STOP)
      if (ptrace(PTRACE_CONT, child, 0, (long)(signal == SIGTRAP ? 0 : signal))) die("PTRACE_CONT");
    if (signal < 0) break;
    struct user_regs_struct registers;
    get_registers(&registers);
    if ((long)registers.orig_rax == -1) {
      stop_others();
      put8(0);
      return;
    }
  }
  put8(1);
}

static uint64_t rip_of_child(void) {
  errno = 0;
  return ptrace(PTRACE_PEEKUSER, child, offsetof(struct user_regs_struct, rip), 0);
}

static void step(uint32_t count) {
  uint64_t *rips = malloc(8ul * (count + 1));
  uint32_t done = 0;
  uint8_t status = 0;
  uint64_t before = rip_of_child();
  for (uint64_t steps = 0; done < count && steps < 64ul * count + 1000000; steps++) {
    if (ptrace(PTRACE_SINGLESTEP, child, 0, 0)) die("PTRACE_SINGLESTEP");
    int event = 0, signal = wait_stop(&event);
    if (signal < 0) {
      status = 1;
      break;
    }
    if (signal != SIGTRAP || event) {
      status = 2;
      break;
    }
    uint64_t now = rip_of_child();
    if (now == before) continue;
    rips[done++] = now;
    before = now;
  }
  put8(status);
  put32(done);
  put(rips, 8ul * done);
  free(rips);
}

static void page(void) {
  uint64_t address;
  unsigned char bytes[4096];
  get(&address, 8);
  struct iovec here = {bytes, sizeof bytes}, there = {(void *)address, sizeof bytes};
  int readable = process_vm_readv(child, &here, 1, &there, 1, 0) == sizeof bytes;
  put8(readable);
  if (readable) put(bytes, sizeof bytes);
}

static void write_child(uint64_t address, void *bytes, size_t size) {
  struct iovec here = {bytes, size}, there = {(void *)address, size};
  if (process_vm_writev(child, &here, 1, &there, 1, 0) != (ssize_t)size) die("process_vm_writev");
}

static void try_one(void) {
  struct user_regs_struct registers;
  unsigned char code[256], data[SCRATCH_DATA_BYTES];
  uint8_t code_size;
  get(&registers, sizeof registers);
  get(xstate, xstate_size);
  get(&code_size, 1);
  get(code, code_size);
  uint32_t data_size = get32();
  if (data_size > sizeof data) exit(1);
  get(data, data_size);
  write_child(registers.rip, code, code_size);
  write_child(SCRATCH_DATA, data, data_size);
  struct user_regs_struct own;
  get_registers(&own);
  registers.cs = own.cs, registers.ss = own.ss, registers.ds = own.ds, registers.es = own.es;
  registers.fs = own.fs, registers.gs = own.gs, registers.orig_rax = -1;
  struct iovec vector = {xstate, xstate_size};
  if (ptrace(PTRACE_SETREGS, child, 0, &registers)) die("PTRACE_SETREGS");
  if (ptrace(PTRACE_SETREGSET, child, (void *)NT_X86_XSTATE, &vector)) die("PTRACE_SETREGSET");
  int signal = SIGTRAP;
  for (int rounds = 0; rounds < 100000; rounds++) {
    if (ptrace(PTRACE_SINGLESTEP, child, 0, 0)) die("PTRACE_SINGLESTEP");
    signal = wait_stop(NULL);
    if (signal < 0) die("scratch process");
    if (signal != SIGTRAP || rip_of_child() != registers.rip) break;
  }
  put8(signal);
  put_state();
  struct iovec here = {data, data_size}, there = {(void *)SCRATCH_DATA, data_size};
  if (process_vm_readv(child, &here, 1, &there, 1, 0) != (ssize_t)data_size) die("process_vm_readv");
  put(data, data_size);
}

static void scratch(void) {
  int all = PROT_READ | PROT_WRITE | PROT_EXEC, how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  mmap((void *)SCRATCH_CODE, 4096, all, how, -1, 0);
  mmap((void *)SCRATCH_DATA, SCRATCH_DATA_BYTES, PROT_READ | PROT_WRITE, how, -1, 0);
  for (;;) raise(SIGSTOP);
}

// Keeps the program on the CPU it starts on: the kernel writes the CPU's number into memory of the program (rseq(2)),
// and no instruction of its own would account for that.
static void stay_on_this_cpu(void) {
  cpu_set_t here;
  CPU_ZERO(&here);
  CPU_SET(sched_getcpu(), &here);
  if (sched_setaffinity(0, sizeof here, &here)) _exit(1);
}

static void start(char **arguments) {
  int is_whole = *arguments && !strcmp(*arguments, "--whole");
  if (is_whole) arguments++;
  int go[2];
  if (pipe(go)) die("pipe");
  child = fork();
  if (child < 0) die("fork");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    stay_on_this_cpu();
    int null = open("/dev/null", O_RDWR);
    dup2(null, 0), dup2(null, 1), dup2(null, 2);
    char byte;
    if (read(go[0], &byte, 1) != 1) _exit(1);
    close(go[0]), close(go[1]);
    if (!*arguments) scratch();
    if (is_whole) personality(ADDR_NO_RANDOMIZE);
    execvp(*arguments, arguments);
    _exit(127);
  }
  long options = PTRACE_O_EXITKILL | (is_whole ? PTRACE_O_TRACEEXEC : 0);
  if (ptrace(PTRACE_SEIZE, child, 0, options)) die("PTRACE_SEIZE");
  if (write(go[1], "", 1) != 1) die("write");
  if (*arguments && !is_whole) {
    // The loader comes first; what follows is the program's own.
    usleep(20000);
    ptrace(PTRACE_INTERRUPT, child, 0, 0);
  }
  int event = 0;
  for (;;) {
    int signal = wait_stop(&event);
    if (signal < 0) die("the program ended at once");
    if (event == PTRACE_EVENT_STOP || event == PTRACE_EVENT_EXEC || signal == SIGSTOP) break;
    ptrace(PTRACE_CONT, child, 0, signal == SIGTRAP ? 0 : signal);
  }
}

int main(int count, char **arguments) {
  (void)count;
  static char buffer[1 << 16];
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  start(arguments + 1);
  for (;;) {
    int command = fgetc(stdin);
    switch (command) {
      case 'I': info(); break;
      case 'R': run(get32()); break;
      case 'G': put_state(); break;
      case 'P': page(); break;
      case 'N': step(get32()); break;
      case 'T': try_one(); break;
      default: kill(child, SIGKILL); return 0;
    }
    fflush(stdout);
  }
}
