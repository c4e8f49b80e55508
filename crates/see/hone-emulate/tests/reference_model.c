// What reference_cpu.py needs around the module bochscpu, by LD_PRELOAD.
//
// The module takes an early CPU with AVX-512; here the maker of that CPU is replaced by the one that REFERENCE_MODEL
// names. And the module was built with a C library of 2.38, whose names for two old functions Debian 12 does not have.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void *_Z23create_corei3_cnl_cpuidP8BX_CPU_C(void *cpu) {
  const char *name = getenv("REFERENCE_MODEL");
  void *maker = name ? dlsym(RTLD_DEFAULT, name) : NULL;
  if (!maker) {
    fprintf(stderr, "this bochscpu has no maker %s of a CPU\n", name ? name : "(REFERENCE_MODEL is not set)");
    exit(1);
  }
  return ((void *(*)(void *))maker)(cpu);
}

unsigned long long __isoc23_strtoull(const char *text, char **end, int base) {
  return strtoull(text, end, base);
}

int __isoc23_sscanf(const char *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vsscanf(text, format, arguments);
  va_end(arguments);
  return count;
}
