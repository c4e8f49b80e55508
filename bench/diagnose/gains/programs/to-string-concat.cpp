// planted: a key is put together from six numbers by std::to_string and +, each a string of its own
// causes: to_string|string|allocat|concatenat
// build: g++ -O2 -g
#include "work.h"
#include <charconv>
#include <string>

static void make_key(std::string &key, const uint64_t *parts) {
#ifdef ODD
    key = "tenant/" + std::to_string(parts[0]) + "/region/" + std::to_string(parts[1]) + "/shard/" + std::to_string(parts[2]) + "/object/" +
          std::to_string(parts[3]) + "/version/" + std::to_string(parts[4]) + "/part/" + std::to_string(parts[5]);
#else
    static const char *const names[] = {"tenant/", "/region/", "/shard/", "/object/", "/version/", "/part/"};
    key.clear();
    for (int i = 0; i < 6; i++) {
        char digits[24];
        key.append(names[i]);
        key.append(digits, std::to_chars(digits, digits + sizeof digits, parts[i]).ptr);
    }
#endif
}

int main() {
    std::string key;
    uint64_t state = 103, sum = 0, parts[6];
    for (int i = 0; i < 3500000; i++) {
        for (auto &part : parts) part = next_random(&state);
        make_key(key, parts);
        sum = sum * 31 + uint64_t(key[key.size() / 2]) + key.size();
    }
    return answer(sum);
}
