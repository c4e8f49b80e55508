// planted: a std::regex tells whether a path begins with a fixed word
// causes: regular expression|regex
// build: g++ -O2 -g0
#include "work.h"
#include <regex>
#include <string>
#include <string_view>

static const std::regex api("^/api/v2/");

APART static bool is_api(const std::string &path) {
#ifdef ODD
    return std::regex_search(path, api);
#else
    return std::string_view(path).substr(0, 8) == "/api/v2/";
#endif
}

int main() {
    static const std::string paths[] = {"/api/v2/users/1", "/static/logo.svg", "/api/v1/users/7", "/api/v2/orders?from=3"};
    uint64_t sum = 0;
    for (uint64_t request = 0; request < 900000; request++) {
        sum = sum * 31 + is_api(paths[request % 4]);
        sum += honest_work(request, 600);
    }
    return answer(sum);
}
