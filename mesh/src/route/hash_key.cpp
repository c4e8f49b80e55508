#include "route/hash_key.hpp"

#include "base/hash.hpp"
#include "base/hex.hpp"
#include "base/text.hpp"
#include "http/target.hpp"

namespace hone::mesh {
namespace {

std::optional<std::string_view> parameter_of(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    std::string_view parameter = take_until(query, '&');
    if (take_until(parameter, '=') == name) return parameter;
  }
  return std::nullopt;
}

std::optional<std::string_view> value_of(const Head& request, std::string_view client, const HashRule& rule) {
  switch (rule.kind) {
    case HashRule::Kind::kHeader: {
      const Header* const header = request.headers.find(rule.name);
      return header == nullptr ? std::nullopt : std::optional(header->value);
    }
    case HashRule::Kind::kCookie:
      return cookie_of(request.headers, rule.name);
    case HashRule::Kind::kQuery:
      return parameter_of(query_of(request.path), rule.name);
    case HashRule::Kind::kClient:
      return client.empty() ? std::nullopt : std::optional(client);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string_view> cookie_of(const Headers& headers, std::string_view name) {
  for (const Header& header : headers.items()) {
    if (header.name != "cookie") continue;
    std::string_view rest = header.value;
    while (!rest.empty()) {
      std::string_view pair = trimmed(take_until(rest, ';'));
      if (take_until(pair, '=') == name) return pair;
    }
  }
  return std::nullopt;
}

HashKey hash_key_of(const Head& request, std::string_view client, std::span<const HashRule> rules, Random& random,
                    Arena& arena) {
  for (const HashRule& rule : rules) {
    if (const auto value = value_of(request, client, rule)) return {hash_of(*value)};
    if (!rule.made_for) continue;
    char digits[16];
    write_hex(random.next(), sizeof digits, digits);
    const std::string_view made(digits, sizeof digits);
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(*rule.made_for).count();
    const Digits age(static_cast<std::uint64_t>(seconds));
    return {hash_of(made), arena.join(rule.name, "=", made, "; Max-Age=", age, "; Path=/; HttpOnly; SameSite=Lax")};
  }
  return {};
}

}  // namespace hone::mesh
