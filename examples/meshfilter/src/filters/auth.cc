// Who asks, and may they? A bearer token or an API key names the subject; scopes guard paths.

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/string_matcher.h"
#include "core/text.h"
#include "filters/builtin.h"
#include "filters/token.h"

namespace mesh {

namespace {

struct ScopeRule {
  StringMatcherPtr path;
  std::string scope;
};

struct AuthConfig {
  std::string issuer;
  std::string subjectHeader;
  std::vector<TokenKey> keys;
  std::unordered_map<std::string, std::string, StringHash, std::equal_to<>> apiKeys;
  std::vector<StringMatcherPtr> anonymousPaths;
  std::vector<ScopeRule> scopeRules;
  StatsHub* stats = nullptr;
  MetricId allowed;
  MetricId denied;
};

class AuthFilter : public PassThroughFilter {
 public:
  AuthFilter(const AuthConfig& config, StreamCallbacks& callbacks)
      : config_(config), callbacks_(callbacks) {}

  FilterStatus onRequestHeaders(HeaderMap& headers, bool) override {
    if (!config_.subjectHeader.empty()) headers.remove(std::string_view(config_.subjectHeader));
    const std::string_view path = headers.get(HeaderId::kPath).value_or("");
    for (const StringMatcherPtr& anonymous : config_.anonymousPaths) {
      if (anonymous->matches(path)) return FilterStatus::kContinue;
    }
    Claims claims;
    const std::string_view problem = identify(headers, claims);
    if (!problem.empty()) return reject(401, problem);
    for (const ScopeRule& rule : config_.scopeRules) {
      if (rule.path->matches(path) && !claims.hasScope(rule.scope)) {
        return reject(403, "missing_scope");
      }
    }
    config_.stats->add(config_.allowed);
    callbacks_.info().subject = claims.subject;
    headers.remove(HeaderId::kApiKey);
    if (!config_.subjectHeader.empty()) {
      headers.set(std::string_view(config_.subjectHeader), claims.subject);
    }
    return FilterStatus::kContinue;
  }

  void onResponseHeaders(HeaderMap& headers) override {
    if (challenge_) headers.set(HeaderId::kWwwAuthenticate, "Bearer realm=\"mesh\"");
  }

 private:
  /// Fills the claims, or returns why nobody could be identified.
  std::string_view identify(const HeaderMap& headers, Claims& claims) const {
    if (const auto apiKey = headers.get(HeaderId::kApiKey)) {
      const auto found = config_.apiKeys.find(*apiKey);
      if (found == config_.apiKeys.end()) return "api_key_unknown";
      claims.subject = found->second;
      claims.scopes = "service";
      return {};
    }
    const auto authorization = headers.get(HeaderId::kAuthorization);
    if (!authorization) return "no_credentials";
    std::string_view token = *authorization;
    if (!equalsIgnoreCase(cutToken(token, ' '), "bearer")) return "scheme_unknown";
    const TokenError error = readToken(trimBlanks(token), config_.keys, claims);
    if (error != TokenError::kNone) return tokenErrorText(error);
    if (claims.issuer != config_.issuer) return "token_foreign_issuer";
    if (claims.expiresS <= callbacks_.time().nowUs() / 1'000'000) return "token_expired";
    return {};
  }

  FilterStatus reject(unsigned status, std::string_view detail) {
    config_.stats->add(config_.denied);
    challenge_ = status == 401;
    callbacks_.sendLocalReply(status, status == 401 ? "who are you?\n" : "not for you\n", detail);
    return FilterStatus::kStop;
  }

  const AuthConfig& config_;
  StreamCallbacks& callbacks_;
  bool challenge_ = false;
};

class AuthFactory : public FilterFactory {
 public:
  explicit AuthFactory(AuthConfig config) : config_(std::move(config)) {}
  std::unique_ptr<StreamFilter> create(StreamCallbacks& callbacks) override {
    return std::make_unique<AuthFilter>(config_, callbacks);
  }

 private:
  const AuthConfig config_;
};

}  // namespace

std::unique_ptr<FilterFactory> makeAuth(const Directive& directive, FilterContext& context) {
  AuthConfig config;
  config.stats = &context.stats;
  config.allowed = context.stats.counter("auth.allowed");
  config.denied = context.stats.counter("auth.denied");
  for (const Directive& child : directive.children) {
    if (child.name == "issuer") {
      child.expectArgs(1, 1);
      config.issuer = child.arg(0);
    } else if (child.name == "key") {
      child.expectArgs(2, 2);
      config.keys.push_back({child.arg(0), SipKey::fromSecret(child.arg(1))});
    } else if (child.name == "api_key") {
      child.expectArgs(2, 2);
      if (!config.apiKeys.emplace(child.arg(0), child.arg(1)).second) {
        child.fail("this API key stands here twice");
      }
    } else if (child.name == "anonymous") {
      config.anonymousPaths.push_back(makeStringMatcher(child, 0));
    } else if (child.name == "require_scope") {
      child.expectArgs(3, 3);
      config.scopeRules.push_back({makeStringMatcher(child, 1), child.arg(0)});
    } else if (child.name == "subject_header") {
      child.expectArgs(1, 1);
      config.subjectHeader = child.arg(0);
    } else {
      child.failUnknown("filter auth");
    }
  }
  if (config.keys.empty() && config.apiKeys.empty()) {
    directive.fail("auth needs a 'key' or an 'api_key': nobody could pass");
  }
  return std::make_unique<AuthFactory>(std::move(config));
}

}  // namespace mesh
