// HTTP filters: those of a listener, for all of its requests, and those that a route has in their place.
#include "base/text.hpp"
#include "envoy/parts.hpp"

namespace hone::mesh::envoy {
namespace {

constexpr char kHttp[] = "envoy.extensions.filters.http.";

bool is_kind(const Fields& config, std::string_view rest) {
  return config.kind() == std::string(kHttp).append(rest);
}

YAML::Node named(const char* kind, YAML::Node rule) {
  YAML::Node filter(YAML::NodeType::Map);
  filter[kind] = rule;
  return filter;
}

// Splits words with commas between them.
YAML::Node words_of(std::string_view text) {
  YAML::Node words(YAML::NodeType::Sequence);
  while (!text.empty()) {
    const std::string word(trimmed(take_until(text, ',')));
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

// Returns whether a filter is on. It is on or off for all requests here: any share but none and all is refused.
bool is_on(Fields& config, std::string_view name, bool otherwise) {
  if (!config.has(name)) return otherwise;
  const double percent = config.percent(name).value_or(100);
  if (percent != 0 && percent != 100) config.refuse(name, "a filter is for all requests, or for none");
  return percent != 0;
}

YAML::Node cors_of(Fields policy) {
  YAML::Node rule(YAML::NodeType::Map);
  for (Fields& origin : policy.list("allow_origin_string_match")) {
    YAML::Node match(YAML::NodeType::Map);
    if (put_text(std::move(origin), match)) rule["origins"].push_back(match);
  }
  if (const auto methods = policy.text("allow_methods")) rule["methods"] = words_of(*methods);
  if (const auto headers = policy.text("allow_headers")) rule["headers"] = words_of(*headers);
  if (const auto expose = policy.text("expose_headers")) rule["expose"] = words_of(*expose);
  if (const auto age = policy.text("max_age")) rule["max_age"] = *age + "s";
  if (policy.truth("allow_credentials").value_or(false)) rule["credentials"] = "true";
  return is_on(policy, "filter_enabled", true) ? named("cors", rule) : YAML::Node();
}

YAML::Node rate_limit_of(Fields limit) {
  limit.pass_over({"stat_prefix"});
  YAML::Node rule(YAML::NodeType::Map);
  if (auto bucket = limit.message("token_bucket")) {
    rule["requests"] = whole(bucket->number("tokens_per_fill").value_or(1));
    rule["burst"] = whole(bucket->number("max_tokens").value_or(0));
    put(rule, "per", bucket->duration("fill_interval"));
  }
  const bool is_enabled = is_on(limit, "filter_enabled", false);
  if (!is_on(limit, "filter_enforced", false)) rule["shadow"] = "true";
  if (auto status = limit.message("status")) {
    const auto code = status->word("code");
    if (code && *code != "TooManyRequests") status->refuse("code", "what is over a limit is answered by 429");
  }
  if (!is_enabled && rule["requests"]) limit.note("filter_enabled", "without it, the limit is for no request");
  return is_enabled && rule["requests"] ? named("rate_limit", rule) : YAML::Node();
}

YAML::Node fault_of(Fields fault) {
  YAML::Node rule(YAML::NodeType::Map);
  if (auto abort = fault.message("abort")) {
    rule["abort"]["percent"] = fraction(abort->percent("percentage").value_or(0));
    rule["abort"]["status"] = whole(abort->number("http_status").value_or(503));
  }
  if (auto delay = fault.message("delay")) {
    rule["delay"]["percent"] = fraction(delay->percent("percentage").value_or(0));
    put(rule["delay"], "time", delay->duration("fixed_delay"));
  }
  return rule.size() > 0 ? named("fault", rule) : YAML::Node();
}

// Puts the conditions of a Permission into a match. Returns false where the permission was refused.
bool put_permission(Fields permission, YAML::Node match) {
  if (permission.truth("any").value_or(false)) return true;
  auto all = permission.message("and_rules");
  auto either = permission.message("or_rules");
  if (all || either) {
    std::vector<Fields> rules = (all ? all : either)->list("rules");
    bool is_known = all || rules.size() == 1;
    if (!is_known) either->refuse("rules", "a permission is one of a policy's: write them as several");
    for (Fields& one : rules) is_known &= put_permission(std::move(one), match);
    return is_known;
  }
  if (auto header = permission.message("header")) {
    std::vector<Fields> one;
    one.push_back(*std::move(header));
    put_headers(std::move(one), match);
    return true;
  }
  if (auto path = permission.message("url_path")) {
    if (auto matcher = path->message("path")) put_path(*std::move(matcher), match);
    return true;
  }
  return false;
}

// Principals are the clients that a policy is for: those in some networks, those with some identities, or anybody.
struct Principals {
  YAML::Node clients = YAML::Node(YAML::NodeType::Sequence);
  YAML::Node identities = YAML::Node(YAML::NodeType::Sequence);
  bool is_any = false;

  void put(Fields principal);

 private:
  void put_authenticated(Fields authenticated);
};

void Principals::put_authenticated(Fields authenticated) {
  auto name = authenticated.message("principal_name");
  if (!name) return identities.push_back("*");
  if (const auto identity = identity_in(*name)) return identities.push_back(*identity);
  name->refuse_whole("identities are matched by exact, without a star at the end, or prefix");
}

void Principals::put(Fields principal) {
  is_any |= principal.truth("any").value_or(false);
  auto either = principal.message("or_ids");
  auto all = principal.message("and_ids");
  if (either || all) {
    std::vector<Fields> ids = (either ? either : all)->list("ids");
    if (all && ids.size() != 1) all->refuse("ids", "a client is one of several, and not several at once");
    for (Fields& one : ids) put(std::move(one));
    return;
  }
  if (auto authenticated = principal.message("authenticated")) return put_authenticated(*std::move(authenticated));
  for (const char* const name : {"direct_remote_ip", "source_ip"}) {
    auto network = principal.message(name);
    if (!network) continue;
    const std::string address = network->text("address_prefix").value_or("");
    const double longest = address.find(':') == address.npos ? 32 : 128;
    clients.push_back(address + "/" + whole(network->number("prefix_len").value_or(longest)));
  }
}

// Makes the rules of a policy: for each of its permissions, one by networks and one by identities, or one for anybody.
void put_policy(const std::string& name, Fields policy, YAML::Node rules) {
  Principals principals;
  for (Fields& principal : policy.list("principals")) principals.put(std::move(principal));
  for (Fields& permission : policy.list("permissions")) {
    YAML::Node rule(YAML::NodeType::Map);
    rule["name"] = name;
    rule["match"] = YAML::Node(YAML::NodeType::Map);
    if (!put_permission(std::move(permission), rule["match"])) continue;
    const auto push_for = [&](const char* key, const YAML::Node& who) {
      if (who.size() == 0) return;
      YAML::Node one = YAML::Clone(rule);
      one[key] = YAML::Clone(who);
      rules.push_back(one);
    };
    if (principals.is_any) {
      rules.push_back(rule);
    } else {
      push_for("clients", principals.clients);
      push_for("identities", principals.identities);
    }
  }
}

YAML::Node access_of(Fields rbac) {
  auto rules = rbac.message("rules");
  if (!rules) return {};
  const std::string action = rules->word("action").value_or("ALLOW");
  if (action == "LOG") rules->refuse("action", "rules allow or deny");
  YAML::Node all(YAML::NodeType::Sequence);
  for (auto& [name, policy] : rules->entries("policies")) put_policy(name, std::move(policy), all);
  // Without a policy, ALLOW refuses everybody, and DENY refuses nobody.
  if (all.size() == 0 && action == "ALLOW") rbac.refuse("rules", "no policy is left that allows anything");
  if (all.size() == 0) return {};
  YAML::Node rule(YAML::NodeType::Map);
  rule[action == "DENY" ? "deny" : "allow"] = all;
  return named("access", rule);
}

}  // namespace

YAML::Node filter_of(Fields config, Slot& slot) {
  YAML::Node filter;
  if (is_kind(config, "cors.v3.Cors")) {
    slot.kind = "cors";
  } else if (is_kind(config, "rbac.v3.RBAC")) {
    slot.kind = "access";
    filter = access_of(std::move(config));
  } else if (is_kind(config, "local_ratelimit.v3.LocalRateLimit")) {
    slot.kind = "rate_limit";
    filter = rate_limit_of(std::move(config));
  } else if (is_kind(config, "fault.v3.HTTPFault")) {
    slot.kind = "fault";
    filter = fault_of(std::move(config));
  } else if (is_kind(config, "grpc_stats.v3.FilterConfig")) {
    config.note("", "calls of gRPC are counted as all others are");
    config.pass_over_all();
  } else {
    config.refuse_kind("the filter ");
  }
  slot.is_on_listener = !filter.IsNull();
  return filter;
}

YAML::Node route_filter_of(Fields config) {
  if (is_kind(config, "cors.v3.CorsPolicy")) return cors_of(std::move(config));
  if (is_kind(config, "local_ratelimit.v3.LocalRateLimit")) return rate_limit_of(std::move(config));
  if (is_kind(config, "fault.v3.HTTPFault")) return fault_of(std::move(config));
  if (is_kind(config, "rbac.v3.RBACPerRoute")) {
    auto rbac = config.message("rbac");
    return rbac ? access_of(*std::move(rbac)) : YAML::Node();
  }
  config.refuse_kind("the filter ");
  return {};
}

void put_header_changes(Fields& fields, YAML::Node filters) {
  // A map has each name once: a change to a name that it already has goes into another filter.
  std::vector<YAML::Node> made;
  const auto set = [&](const char* side, const char* what, const std::string& name, const std::string& value) {
    for (YAML::Node& one : made) {
      if (one[side][what][name]) continue;
      one[side][what][name] = value;
      return;
    }
    YAML::Node fresh(YAML::NodeType::Map);
    fresh[side][what][name] = value;
    made.push_back(fresh);
  };
  YAML::Node removed(YAML::NodeType::Map);
  for (const char* const side : {"request", "response"}) {
    const std::string prefix = std::string(side) + "_headers_to_";
    for (const std::string& name : fields.texts(prefix + "remove")) removed[side]["remove"].push_back(name);
    for (Fields& option : fields.list(prefix + "add")) {
      auto header = option.message("header");
      if (!header) continue;
      const std::string value = header->text("value").value_or("");
      if (value.find('%') != value.npos) header->refuse("value", "values of fields are plain texts");
      const std::string action = option.word("append_action").value_or("APPEND_IF_EXISTS_OR_ADD");
      const bool is_set = action == "OVERWRITE_IF_EXISTS_OR_ADD" || !option.truth("append").value_or(true);
      if (action != "APPEND_IF_EXISTS_OR_ADD" && !is_set) option.refuse("append_action", action + " is not supported");
      set(side, is_set ? "set" : "add", header->text("key").value_or(""), value);
    }
  }
  if (removed.size() > 0) filters.push_back(named("headers", removed));
  for (const YAML::Node& one : made) filters.push_back(named("headers", one));
}

}  // namespace hone::mesh::envoy
