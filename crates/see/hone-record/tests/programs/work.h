// The work of the safety tests' programs: parsing, hashing, sorting through pointers, floating point, and the
// string functions of the C library. The same bytes give the same answer at any time; a recording that
// disturbs registers, flags, vectors or memory gives another.
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ANSWER_MAX = 64, PAYLOAD_MAX = 16384 };

typedef uint64_t (*Kind)(const char *text, size_t length);

static uint64_t hash(const char *text, size_t length) {
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * 1099511628211u;
    return h;
}

static int by_value(const void *a, const void *b) {
    unsigned char x = *(const unsigned char *)a, y = *(const unsigned char *)b;
    return (x > y) - (x < y);
}

static uint64_t sorted(const char *text, size_t length) {
    char copy[2048];
    size_t taken = length < sizeof copy ? length : sizeof copy;
    memcpy(copy, text, taken);
    qsort(copy, taken, 1, by_value);
    return hash(copy, taken);
}

static uint64_t words(const char *text, size_t length) {
    uint64_t count = 0;
    const char *end = text + length;
    while (text < end) {
        const char *blank = memchr(text, ' ', (size_t)(end - text));
        size_t letters = (size_t)((blank ? blank : end) - text);
        count += letters * letters;
        text += letters + 1;
    }
    return count;
}

static uint64_t numbers(const char *text, size_t length) {
    double sum = 0;
    for (size_t i = 0; i + 8 < length; i += 8) {
        char field[9];
        memcpy(field, text + i, 8);
        field[8] = 0;
        for (char *c = field; *c; c++) *c = (char)('0' + *c % 10);
        sum = sum * 0.5 + strtod(field, NULL);
    }
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return bits;
}

static uint64_t copies(const char *text, size_t length) {
    static __thread char from[PAYLOAD_MAX + 1], to[PAYLOAD_MAX + 1];
    memcpy(from, text, length);
    from[length] = 0;
    uint64_t sum = 0;
    for (size_t shift = 1; shift < 64 && shift < length; shift += 7) {
        memmove(to, from + shift, length - shift + 1);
        sum = sum * 31 + strlen(to) + (uint64_t)(strchr(to, 'q') - to) + !!memcmp(from, to, 40);
    }
    return sum;
}

static const struct {
    const char *name;
    Kind run;
} kinds[] = {{"hash", hash}, {"sorted", sorted}, {"words", words}, {"numbers", numbers}, {"copies", copies}};

enum { KINDS = sizeof kinds / sizeof *kinds };

static inline uint64_t chance(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 33;
}

// Fills a payload; always with one 'q' at the end.
static inline size_t invent(char *payload, size_t length, uint64_t *seed) {
    for (size_t i = 0; i < length; i++) payload[i] = (char)(chance(seed) % 7 ? 'a' + chance(seed) % 26 : ' ');
    payload[length - 1] = 'q';
    return length;
}

// The answer to a request; its length.
static inline size_t answer(size_t kind, const char *payload, size_t length, char *text) {
    return (size_t)snprintf(text, ANSWER_MAX, "%016llx", (unsigned long long)kinds[kind].run(payload, length));
}

static inline double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// One round over every kind; always the same number.
static __attribute__((noinline)) uint64_t one_round(void) {
    char payload[1000];
    uint64_t seed = 7, sum = 0;
    invent(payload, sizeof payload, &seed);
    for (size_t kind = 0; kind < KINDS; kind++) sum = sum * 3 + kinds[kind].run(payload, sizeof payload);
    return sum;
}

// Works until the time comes; how many rounds gave another result than the first.
static inline long wrong_rounds_until(double end) {
    uint64_t first = one_round();
    long wrong = 0;
    while (now() < end) wrong += one_round() != first;
    return wrong;
}

// Says that the recording may begin, and waits until it has.
static inline void wait_at_the_gate(void) {
    puts("ready");
    fflush(stdout);
    // What comes behind the line stays where is_told looks.
    setvbuf(stdin, NULL, _IONBF, 0);
    while (getchar() != '\n' && !feof(stdin)) {}
}

// Whether another line has come since the gate, or the end of all lines.
static inline int is_told(void) {
    struct pollfd input = {0, POLLIN, 0};
    return poll(&input, 1, 0) != 0;
}
