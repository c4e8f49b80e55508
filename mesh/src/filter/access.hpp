// Who may ask for what: rules that allow and deny.
#pragma once

#include <string>
#include <vector>

#include "filter/filter.hpp"
#include "net/identity.hpp"
#include "route/match.hpp"

namespace hone::mesh {

// AccessRule is met by requests that meet all it says.
struct AccessRule {
  // What the access log says of a request that the rule decides.
  std::string name;
  RequestMatch match;
  // Any client where there is none. Clients of Unix sockets are in no network.
  std::vector<Network> clients;
  // Who the client is by its certificate; anybody where there is none.
  std::vector<IdentityMatch> identities;
};

struct AccessRules {
  // A request is refused that meets one of these,
  std::vector<AccessRule> deny;
  // and one that meets none of these, if there are any.
  std::vector<AccessRule> allow;
  // True to count only what would be refused.
  bool is_shadow = false;
};

// Access answers by 403 where the rules refuse a request.
//
// Servers differ in how they read a path. Where it has something that they read differently, rules see it both as it is
// written and as one reads it who decodes it: a rule that denies needs one of them, a rule that allows both.
class Access final : public Filter {
 public:
  explicit Access(AccessRules rules) : rules_(std::move(rules)) {}

  Events events() const override { return {.request = true}; }
  Verdict on_request(Passage& passage) const override;

 private:
  // Returns the word for the log of what refuses a request; nothing where it may pass. `decoded` is nullptr where all
  // servers read the path alike.
  std::string_view refusal_of(const Head& written, const Head* decoded, const Passage& passage) const;

  const AccessRules rules_;
};

}  // namespace hone::mesh
