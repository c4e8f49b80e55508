// std::regex for a simple form, and a comparison by hand.
#include "planted.h"
#include <regex>
#include <string>

static std::string line = "key=1234567";

unsigned long work(unsigned long x) {
    for (int i = 0; i < 20; i++) {
        line[4] = static_cast<char>('0' + x % 10);
#ifdef ODD
        static const std::regex form("[a-z]+=([0-9]+)");
        x += std::regex_match(line, form);
#else
        size_t at = line.find('=');
        x += at != std::string::npos && line.find_first_not_of("0123456789", at + 1) == std::string::npos;
#endif
        x = calm(x, 500);
    }
    return x;
}
