#include "filter/access.hpp"

#include <algorithm>

#include "http/target.hpp"

namespace hone::mesh {
namespace {

bool is_from(const AccessRule& rule, const Passage& passage) {
  if (!rule.identities.empty() && !is_one_of(passage.identity, rule.identities)) return false;
  if (rule.clients.empty()) return true;
  const std::optional<Ip>& client = passage.client;
  return client && std::any_of(rule.clients.begin(), rule.clients.end(),
                               [&](const Network& network) { return network.contains(*client); });
}

}  // namespace

std::string_view Access::refusal_of(const Head& written, const Head* decoded, const Passage& passage) const {
  for (const AccessRule& rule : rules_.deny) {
    if (!is_from(rule, passage)) continue;
    if (rule.match.matches(written) || (decoded != nullptr && rule.match.matches(*decoded))) return rule.name;
  }
  if (rules_.allow.empty()) return {};
  const bool is_allowed = std::any_of(rules_.allow.begin(), rules_.allow.end(), [&](const AccessRule& rule) {
    return is_from(rule, passage) && rule.match.matches(written) &&
           (decoded == nullptr || rule.match.matches(*decoded));
  });
  return is_allowed ? std::string_view() : "not-allowed";
}

Verdict Access::on_request(Passage& passage) const {
  const Head& request = passage.request;
  const std::string_view path = decoded_path(request.path, passage.arena);
  std::string_view refusal;
  if (path == request.path) {
    refusal = refusal_of(request, nullptr, passage);
  } else {
    Head decoded = request;
    decoded.path = path;
    refusal = refusal_of(request, &decoded, passage);
  }
  if (refusal.empty()) return Verdict::kNext;
  if (rules_.is_shadow) {
    passage.metrics.access_shadow.add();
    return Verdict::kNext;
  }
  passage.metrics.access_refused.add();
  passage.detail = refusal;
  passage.answer.status = 403;
  return Verdict::kAnswer;
}

}  // namespace hone::mesh
