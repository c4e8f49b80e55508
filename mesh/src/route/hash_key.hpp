// Hash keys of requests, by the rules of their routes: requests that belong together have the same key.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/random.hpp"
#include "http/message.hpp"
#include "route/table.hpp"

namespace hone::mesh {

// HashKey is the hash of the value that the first rule with a value finds in a request.
struct HashKey {
  std::optional<std::uint64_t> hash;
  // A whole Set-Cookie for the response, where a cookie was made; it lies in the arena.
  std::string_view set_cookie = {};
};

// Returns the key of a request. The client's address is empty where there is none.
HashKey hash_key_of(const Head& request, std::string_view client, std::span<const HashRule> rules, Random& random,
                    Arena& arena);

// Returns the value of a cookie in all fields of that name; nothing where there is none.
std::optional<std::string_view> cookie_of(const Headers& headers, std::string_view name);

}  // namespace hone::mesh
