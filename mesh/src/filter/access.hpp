// Access control: rules that allow and deny requests.
#pragma once

#include <string>
#include <vector>

#include "filter/filter.hpp"
#include "net/identity.hpp"
#include "route/match.hpp"

namespace hone::mesh {

// AccessRule is met by requests that meet all of its conditions.
struct AccessRule {
  // The detail in the access log for a request that the rule denies.
  std::string name;
  RequestMatch match;
  // The networks of clients; empty for any client. Clients of Unix sockets are in no network.
  std::vector<Network> clients;
  // The identities of clients by their certificates; empty for anybody.
  std::vector<IdentityMatch> identities;
};

struct AccessRules {
  // A request that meets one of these rules is refused.
  std::vector<AccessRule> deny;
  // Where there are rules here, a request that meets none of them is refused.
  std::vector<AccessRule> allow;
  // True to only count the requests that would be refused.
  bool is_shadow = false;
};

// Access answers with 403 where the rules refuse a request.
//
// Servers differ in how they read a path. Where servers would read a path differently, rules see it both as written and
// decoded: a rule that denies has to match one of the two, and a rule that allows has to match both.
class Access final : public Filter {
 public:
  explicit Access(AccessRules rules) : rules_(std::move(rules)) {}

  Events events() const override { return {.request = true}; }
  Verdict on_request(Passage& passage) const override;

 private:
  // Returns the detail for the log of a refused request; nothing where the request may pass. `decoded` is nullptr where
  // all servers read the path alike.
  std::string_view refusal_of(const Head& written, const Head* decoded, const Passage& passage) const;

  const AccessRules rules_;
};

}  // namespace hone::mesh
