#include "filter/cors.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace hone::mesh {
namespace {

void set(Headers& headers, Arena& arena, std::string_view name, std::string_view value) {
  if (!value.empty()) headers.set(arena, {name, value, HeaderId::kOther});
}

}  // namespace

bool Cors::allows(std::string_view origin) const {
  return rule_.origins.empty() || std::any_of(rule_.origins.begin(), rule_.origins.end(),
                                              [&](const TextMatch& match) { return match.matches(origin); });
}

Verdict Cors::on_request(Passage& passage) const {
  const Head& request = passage.request;
  const Header* const origin = request.headers.find("origin");
  if (origin == nullptr || !allows(origin->value)) return Verdict::kNext;
  passage.allowed_origin = origin->value;
  if (request.method != "OPTIONS" || request.headers.find("access-control-request-method") == nullptr) {
    return Verdict::kNext;
  }
  Headers& headers = passage.answer.headers;
  set(headers, passage.arena, "access-control-allow-methods", rule_.methods);
  set(headers, passage.arena, "access-control-allow-headers", rule_.headers);
  set(headers, passage.arena, "access-control-max-age", rule_.max_age_s);
  return Verdict::kAnswer;
}

void Cors::on_response(Passage& passage, Head& head) const {
  Headers& headers = head.headers;
  // Caches must not serve to one origin a response that was meant for another, or for a request without one.
  if (!rule_.origins.empty()) {
    const Header* const vary = headers.find("vary");
    if (vary == nullptr || !list_has(vary->value, "origin")) {
      headers.add(passage.arena, {"vary", "origin", HeaderId::kOther});
    }
  }
  if (passage.allowed_origin.empty()) return;
  set(headers, passage.arena, "access-control-allow-origin",
      rule_.origins.empty() ? std::string_view("*") : passage.allowed_origin);
  headers.remove("access-control-allow-credentials");
  if (rule_.has_credentials) set(headers, passage.arena, "access-control-allow-credentials", "true");
  set(headers, passage.arena, "access-control-expose-headers", rule_.expose);
}

}  // namespace hone::mesh
