// C string functions over data of all lengths, sorting through a callback, numbers to text and back.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t seed = 12345;

static uint32_t next(void) { return seed = seed * 1664525u + 1013904223u; }

// With `tzcnt`, which a CPU that does not know it takes for `bsf`.
__attribute__((target("bmi"), noinline)) static uint32_t zeros(uint32_t x) { return x ? (uint32_t)__builtin_ctz(x) : 32; }

static int by_text(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int main(void) {
  enum { WORDS = 300, ROOM = 400 };
  static char room[WORDS][ROOM], copy[ROOM * 2];
  static char *words[WORDS];
  unsigned long sum = 0;
  for (int round = 0; round < 1000000; round++) {
    for (int i = 0; i < WORDS; i++) {
      size_t length = next() >> 8 & (i % 7 ? 31 : 255);
      memset(room[i], 'a' + i % 5, length);
      if (length) room[i][next() % length] = (char)('a' + next() % 26);
      room[i][length] = 0;
      words[i] = room[i];
    }
    qsort(words, WORDS, sizeof *words, by_text);
    for (int i = 1; i < WORDS; i++) {
      memcpy(copy, words[i], strlen(words[i]) + 1);
      strcat(copy, words[i - 1]);
      const char *found = strstr(copy, "ab");
      sum += found ? (unsigned long)(found - copy) : strlen(copy);
      sum += strcspn(copy, "xyz") + (strchr(copy, 'q') != NULL) + (strrchr(copy, 'e') != NULL);
      sum += memcmp(copy, words[i], 16) > 0;
      sum += zeros(next());
      memmove(copy + 3, copy, strlen(copy) + 1);
      char number[64];
      snprintf(number, sizeof number, "%d %08x %.6g", i, next(), next() / 977.0);
      sum += strtoul(number, NULL, 10) + (unsigned long)strtod(number, NULL) + strncmp(number, copy, 5);
    }
  }
  printf("%lu\n", sum);
  return 0;
}
