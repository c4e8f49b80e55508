/* Every operation with every size from 0 to 40, against loops that no compiler may turn into calls. Also C++. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40, ROOM = 64 };
static unsigned char source[ROOM], target[ROOM], wanted[ROOM];

__attribute__((noinline)) void copy(void *to, const void *from, size_t size) { memcpy(to, from, size); }
__attribute__((noinline)) void move(void *to, const void *from, size_t size) { memmove(to, from, size); }
__attribute__((noinline)) void set(void *to, int byte, size_t size) { memset(to, byte, size); }
__attribute__((noinline)) int compare(const void *a, const void *b, size_t size) { return memcmp(a, b, size); }
__attribute__((noinline)) int same(const void *a, const void *b, size_t size) { return memcmp(a, b, size) == 0; }
/* The size is known: nothing to compare it with. */
__attribute__((noinline)) void copy24(void *to, const void *from) { memcpy(to, from, 24); }

static void fill(unsigned char *bytes, unsigned seed) {
  for (int i = 0; i < ROOM; i++) ((volatile unsigned char *)bytes)[i] = (unsigned char)((seed = seed * 69069 + 7) >> 16);
}

static void check(const char *what, size_t size) {
  for (int i = 0; i < ROOM; i++)
    if (((volatile unsigned char *)target)[i] != ((volatile unsigned char *)wanted)[i]) {
      printf("%s of %zu bytes differs at %d\n", what, size, i);
      exit(1);
    }
}

static void expect(unsigned char *to, const unsigned char *from, size_t size) {
  unsigned char old[ROOM];
  for (size_t i = 0; i < size; i++) ((volatile unsigned char *)old)[i] = from[i];
  for (size_t i = 0; i < size; i++) ((volatile unsigned char *)to)[i] = old[i];
}

static int sign(int value) { return (value > 0) - (value < 0); }

static void orders(size_t size) {
  unsigned char a[ROOM], b[ROOM];
  for (size_t at = 0; at <= size; at++)
    for (int less = 0; less < 2; less++) {
      fill(a, 9);
      fill(b, 9);
      /* The byte at `at` decides, if it is among those compared; those behind it say the opposite. */
      a[at] = less ? 3 : 200;
      b[at] = less ? 200 : 3;
      for (size_t i = at + 1; i < ROOM; i++) {
        a[i] = less ? 255 : 0;
        b[i] = less ? 0 : 255;
      }
      int order = at == size ? 0 : less ? -1 : 1;
      if (sign(compare(a, b, size)) != order || same(a, b, size) != (order == 0)) {
        printf("comparing %zu bytes, deciding at %zu: %d\n", size, at, compare(a, b, size));
        exit(1);
      }
    }
}

/* Too much for an object whose size the compiler knows: _FORTIFY_SOURCE has to see it. */
__attribute__((noinline)) static int overflow(size_t size) {
  char room[16];
  memcpy(room, source, size);
  return room[3];
}

int main(int argc, char **argv) {
  (void)argv;
  volatile int too_many = argc;
  if (argc > 1) return overflow((size_t)too_many * 12) & 1;
  for (size_t size = 0; size <= MOST; size++) {
    fill(source, 1), fill(target, 2), fill(wanted, 2);
    copy(target, source, size), expect(wanted, source, size), check("memcpy", size);
    move(target + 3, target, size), expect(wanted + 3, wanted, size), check("memmove up", size);
    move(target, target + 5, size), expect(wanted, wanted + 5, size), check("memmove down", size);
    set(target + 1, 0x1a5, size);
    for (size_t i = 0; i < size; i++) ((volatile unsigned char *)wanted)[i + 1] = 0xa5;
    check("memset", size);
    orders(size);
  }
  copy24(target, source);
  puts("all sizes");
  return 0;
}
