// planted: the reader of numbers throws for each field that is empty, which is every eighth
// causes: exception|throw
// build: g++ -O2 -g
#include "work.h"
#include <stdexcept>
#include <string>
#include <vector>

static bool parse(const std::string &text, unsigned &value) {
    value = 0;
    for (char c : text) value = value * 10 + unsigned(c - '0');
    return !text.empty();
}

APART static unsigned parse_or_throw(const std::string &text) {
    unsigned value;
    if (!parse(text, value)) throw std::invalid_argument("empty");
    return value;
}

APART static unsigned read_field(const std::string &text) {
#ifdef ODD
    try {
        return parse_or_throw(text);
    } catch (const std::invalid_argument &) {
        return 7;
    }
#else
    unsigned value;
    return parse(text, value) ? value : 7;
#endif
}

int main() {
    std::vector<std::string> fields;
    uint64_t state = 19, sum = 0;
    for (int i = 0; i < 4096; i++) fields.push_back(i % 8 == 3 ? "" : std::to_string(next_random(&state) % 1000000));
    for (int round = 0; round < 1800; round++) {
        for (auto &field : fields) sum = sum * 31 + read_field(field);
    }
    return answer(sum);
}
