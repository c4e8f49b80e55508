// Checks a compiler: ends with the line number of the first construct that went wrong.
int printf(const char *format, ...);
#define CHECK(condition) do { if (!(condition)) { printf("wrong: %s\n", #condition); return __LINE__ % 255 + 1; } } while (0)
#define JOIN(a, b) a##b
#define TWICE(x) ((x) + (x))

struct point { short x; long long y; };
struct bits { unsigned low : 3, high : 5; int : 0; signed s : 4; };
union word { unsigned u; unsigned char bytes[4]; float f; };
enum colour { RED, GREEN = 5, BLUE };
typedef int (*operation)(int, int);

static const int table[] = { 1, 2, 3, [7] = 8, 9 };
static const char *const names[2][2] = { { "a", "bc" }, { "def", "" } };
static struct point points[] = { { .y = 1LL << 40, .x = -3 }, { 4, 5 } };

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static operation choose(int which) { return which ? sub : add; }
static struct point swapped(struct point p) { struct point q = { (short)p.y, p.x }; return q; }
static double mean(int n, const double *v) { double s = 0; for (int i = 0; i < n; i++) s += v[i]; return s / n; }
static unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int classify(int c) {
  switch (c) {
  case 'a': case 'e': return 1;
  case '0' ... '9': return 2;
  case -1: c = 7; /* falls through */
  default: return c;
  }
}

int main(void) {
  int i, sum = 0;
  for (i = 0; i < 20; i++) { if (i == 3) continue; if (i > 10) break; sum += i; }
  CHECK(sum == 52);
  CHECK(sizeof table / sizeof *table == 9 && table[6] == 0 && table[8] == 9);
  CHECK(names[1][0][2] == 'f' && names[0][1][1] == 'c' && !*names[1][1]);
  CHECK(points[0].y >> 38 == 4 && points[0].x == -3 && sizeof(struct point) == 16);
  CHECK(swapped(points[1]).x == 5 && swapped(points[1]).y == 4);
  CHECK(choose(0)(7, 5) == 12 && choose(1)(7, 5) == 2);
  CHECK(fib(20) == 6765 && JOIN(fi, b)(10) == 55 && TWICE(21) == 42);
  CHECK(classify('e') == 1 && classify('5') == 2 && classify(-1) == 7 && classify(100) == 100);
  CHECK(BLUE == 6 && (RED, GREEN) == 5);

  struct bits b = { 9 & 7, 30, -3 };
  b.low += 2;
  CHECK(b.low == 3 && b.high == 30 && b.s == -3);
  union word w = { .f = 1.0f };
  CHECK(w.u == 0x3f800000 && w.bytes[3] == 0x3f);

  double v[3] = { 1.5, 2.5, 5.0 };
  CHECK(mean(3, v) == 3.0 && (int)-2.7 == -2 && 1e3f == 1000 && 7 / 2.0 == 3.5);
  unsigned long long big = 0xfedcba9876543210ULL;
  CHECK(big >> 60 == 15 && (big ^ ~big) == -1ULL && big / 0x100000000ULL == 0xfedcba98u && big % 10 == 0);
  CHECK((unsigned char)300 == 44 && (signed char)200 == -56 && -7 / 2 == -3 && -7 % 2 == -1 && -8 >> 1 == -4);
  CHECK((1 ? 2 : 0 ? 3 : 4) == 2 && (0 || 3) == 1 && !(0 && 1 / sum));

  int matrix[3][4], *p = &matrix[0][0], n = 0;
  do matrix[n / 4][n % 4] = n * n; while (++n < 12);
  CHECK(p[11] == 121 && *(matrix[1] + 2) == 36 && &matrix[2][0] - p == 8);
again:
  if (--n > 5) goto again;
  CHECK(n == 5);
#if defined BROKEN || 2 * 3 != 6
  n = undeclared;
#elif __LINE__ > 10 && !defined(NOTHING)
  CHECK(n-- == 5 && n++ == 4 && (n <<= 3) == 40);
#endif
  printf("check ok\n");
  return 0;
}
