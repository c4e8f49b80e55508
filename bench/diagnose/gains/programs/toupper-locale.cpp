// planted: the names of headers become capitals by std::toupper of a std::locale made for each character
// causes: locale|toupper
// build: g++ -O2 -g
#include "work.h"
#include <cctype>
#include <locale>
#include <string>

APART static void capitals(std::string &name) {
    for (char &c : name) {
#ifdef ODD
        c = std::toupper(c, std::locale());
#else
        c = char(std::toupper(static_cast<unsigned char>(c)));
#endif
    }
}

int main() {
    static const char *names[] = {"content-length", "accept-encoding", "x-request-id", "authorization"};
    uint64_t sum = 0;
    for (unsigned i = 0; i < 3600000; i++) {
        std::string name = names[i % 4];
        capitals(name);
        sum = sum * 31 + uint64_t(name[i % 12]);
        sum += honest_work(i, 30);
    }
    return answer(sum);
}
