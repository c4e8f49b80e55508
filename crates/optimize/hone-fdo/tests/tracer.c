// Steps through a program, one instruction at a time, from its entry to its end: the dynamic linker's work before is left out. The program gets
// no environment and is at the same addresses each time.
//
// usage: tracer PROGRAM
// Writes into the working directory:
//     mappings      what the kernel says of the program's memory at its entry
//     code          its executable memory there: for each piece its start and its size, in eight bytes each, and its bytes
//     instructions  the address of each instruction that ran, in eight bytes; a repeated string instruction once for each time
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;

static void die(const char *what) {
  perror(what);
  if (child > 0) kill(child, SIGKILL);
  exit(1);
}

static FILE *opened(const char *name, const char *mode) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", child, name);
  FILE *file = fopen(*mode == 'r' ? path : name, mode);
  if (!file) die(name);
  return file;
}

// Waits for the next stop; 0 when the program has ended well.
static int stops(void) {
  int status;
  if (waitpid(child, &status, 0) != child) die("waitpid");
  if (WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP) return 1;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
  fprintf(stderr, "the program ends with status %#x\n", status);
  exit(1);
}

static uint64_t entry(void) {
  FILE *file = opened("auxv", "r");
  Elf64_auxv_t word;
  while (fread(&word, sizeof word, 1, file) == 1)
    if (word.a_type == AT_ENTRY) {
      fclose(file);
      return word.a_un.a_val;
    }
  die("no AT_ENTRY");
  return 0;
}

static void run_to(uint64_t address) {
  long word = ptrace(PTRACE_PEEKTEXT, child, address, 0);
  if (ptrace(PTRACE_POKETEXT, child, address, (word & ~0xffL) | 0xcc)) die("PTRACE_POKETEXT");
  if (ptrace(PTRACE_CONT, child, 0, 0) || !stops()) die("it does not come to its entry");
  if (ptrace(PTRACE_POKETEXT, child, address, word)) die("PTRACE_POKETEXT");
  if (ptrace(PTRACE_POKEUSER, child, offsetof(struct user_regs_struct, rip), address)) die("PTRACE_POKEUSER");
}

static void copy_memory(void) {
  FILE *maps = opened("maps", "r"), *memory = opened("mem", "r");
  FILE *mappings = opened("mappings", "w"), *code = opened("code", "w");
  char line[4096];
  while (fgets(line, sizeof line, maps)) {
    fputs(line, mappings);
    uint64_t range[2];
    char permissions[5];
    if (sscanf(line, "%lx-%lx %4s", &range[0], &range[1], permissions) != 3) die("a mapping");
    // The page of old system calls cannot be read, nor run any more.
    if (permissions[2] != 'x' || range[0] >> 63) continue;
    range[1] -= range[0];
    char *bytes = malloc(range[1]);
    if (fseeko(memory, (off_t)range[0], SEEK_SET) || fread(bytes, 1, range[1], memory) != range[1]) die("memory");
    fwrite(range, sizeof range, 1, code);
    fwrite(bytes, 1, range[1], code);
    free(bytes);
  }
  if (fclose(mappings) || fclose(code)) die("a file");
}

int main(int count, char **arguments) {
  if (count != 2) return 2;
  child = fork();
  if (child < 0) die("fork");
  if (child == 0) {
    int null = open("/dev/null", O_RDWR);
    dup2(null, 0), dup2(null, 1);
    personality(ADDR_NO_RANDOMIZE);
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    char *program[] = {arguments[1], NULL}, *nothing[] = {NULL};
    execve(arguments[1], program, nothing);
    _exit(127);
  }
  if (!stops()) die("it does not start");
  ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_EXITKILL);
  run_to(entry());
  copy_memory();
  FILE *instructions = opened("instructions", "w");
  do {
    uint64_t at = (uint64_t)ptrace(PTRACE_PEEKUSER, child, offsetof(struct user_regs_struct, rip), 0);
    fwrite(&at, sizeof at, 1, instructions);
    if (ptrace(PTRACE_SINGLESTEP, child, 0, 0)) die("PTRACE_SINGLESTEP");
  } while (stops());
  if (fclose(instructions)) die("a file");
  return 0;
}
