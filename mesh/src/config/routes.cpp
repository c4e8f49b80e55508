#include "config/routes.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "config/match.hpp"
#include "filter/chain.hpp"

namespace hone::mesh::config {
namespace {

constexpr std::uint64_t kMostWeight = 1'000'000;

void read_shares(const Value& value, const RouteContext& context, Forward& forward) {
  std::uint64_t total = 0;
  for (const Value& one : value.list()) {
    Share share;
    if (one.is_map()) {
      const Section section(one, {"cluster", "weight"});
      const auto cluster = section.need("cluster", "write cluster: and its name");
      if (cluster) share.cluster = read_cluster_name(*cluster, context.clusters, context.speech);
      section.set("weight", share.weight, [](const Value& weight) { return weight.number(0, kMostWeight); });
    } else {
      share.cluster = read_cluster_name(one, context.clusters, context.speech);
    }
    total += share.weight;
    forward.shares.push_back(share);
  }
  if (total == 0) value.fault("no cluster gets anything", "give one of them a weight");
  if (forward.shares.size() > 1000) value.fault("there are more than 1000 clusters", "leave some out");
  forward.total_weight = static_cast<std::uint32_t>(std::min<std::uint64_t>(total, 0xffffffff));
}

RetryRule read_retry(const Value& value) {
  RetryRule rule;
  const Section section(value, {"attempts", "on", "statuses", "grpc", "per_try_timeout", "backoff"});
  section.set("attempts", rule.attempts, [](const Value& one) { return one.number(0, 10); });
  section.set("per_try_timeout", rule.per_try_timeout, kDuration);
  section.set("backoff", rule.backoff, kDuration);
  if (const auto on = section.find("on")) {
    rule.on_connect_failure = false;
    enum class On { kConnect, kReset, kTimeout };
    for (const Value& one : on->list()) {
      const auto word =
          one.choice<On>({{"connect-failure", On::kConnect}, {"reset", On::kReset}, {"timeout", On::kTimeout}});
      if (!word) continue;
      if (*word == On::kConnect) rule.on_connect_failure = true;
      if (*word == On::kReset) rule.on_reset = true;
      if (*word == On::kTimeout) rule.on_timeout = true;
    }
  }
  if (const auto statuses = section.find("statuses")) {
    for (const Value& one : statuses->list()) {
      if (const auto status = one.number(400, 599)) rule.on_statuses.push_back(static_cast<int>(*status));
    }
  }
  if (const auto codes = section.find("grpc")) {
    for (const Value& one : codes->list()) {
      const auto code = one.choice<std::uint32_t>({{"cancelled", 1},
                                                   {"deadline-exceeded", 4},
                                                   {"resource-exhausted", 8},
                                                   {"aborted", 10},
                                                   {"internal", 13},
                                                   {"unavailable", 14}});
      if (code) rule.on_codes.add(*code);
    }
  }
  return rule;
}

HashRule read_hash_rule(const Value& value, Speech speech) {
  using Kind = HashRule::Kind;
  HashRule rule;
  if (!value.is_map()) {
    const auto client = [](const Value& one) { return one.choice<Kind>({{"client", Kind::kClient}}); };
    rule.kind = client(value).value_or(Kind::kClient);
    return rule;
  }
  const Section section(value, {"header", "cookie", "query", "lives"});
  int count = 0;
  for (const auto& [key, kind] :
       {std::pair{"header", Kind::kHeader}, {"cookie", Kind::kCookie}, {"query", Kind::kQuery}}) {
    const auto found = section.find(key);
    if (!found) continue;
    ++count;
    rule.kind = kind;
    if (kind != Kind::kHeader && speech == Speech::kThrift) {
      found->fault("calls of Thrift have none", "write header: and the name of a fact of the TTHeader, or client");
    }
    rule.name = found->text().value_or("");
    if (kind == Kind::kHeader) std::transform(rule.name.begin(), rule.name.end(), rule.name.begin(), lower);
    if (kind != Kind::kQuery && !is_token(rule.name)) {
      found->fault("\"" + rule.name + "\" is no name", "write letters, digits and dashes");
    }
  }
  if (count != 1) value.fault("a rule looks at one thing", "write one of client, header:, cookie: and query:");
  if (const auto lives = section.find("lives")) {
    rule.made_for = lives->duration();
    if (rule.kind != Kind::kCookie) lives->fault("this is for cookies", "take it out");
  }
  return rule;
}

Forward read_forward(const Section& route, const Value& to, const PathMatch& path, const RouteContext& context) {
  Forward forward;
  read_shares(to, context, forward);
  if (const auto found = route.find("rewrite")) {
    const Section rewrite(*found, {"prefix", "host"});
    rewrite.set("prefix", forward.prefix_rewrite, kText);
    rewrite.set("host", forward.host_rewrite, kAuthority);
    if (forward.prefix_rewrite && path.kind != PathMatch::Kind::kPrefix) {
      found->fault("only a prefix can be rewritten by prefix", "match by prefix:, or take it out");
    }
  }
  route.set("timeout", forward.timeout, [](const Value& one) { return one.duration(true); });
  if (const auto found = route.find("retry")) forward.retry = read_retry(*found);
  if (const auto found = route.find("hash")) {
    for (const Value& one : found->list()) forward.hash.push_back(read_hash_rule(one, context.speech));
  }
  return forward;
}

Redirect read_redirect(const Value& value, const PathMatch& path) {
  Redirect redirect;
  const Section section(value, {"status", "scheme", "host", "path", "prefix"});
  section.set("status", redirect.status, [](const Value& one) {
    return one.choice<int>({{"301", 301}, {"302", 302}, {"303", 303}, {"307", 307}, {"308", 308}});
  });
  section.set("scheme", redirect.scheme,
              [](const Value& one) { return one.choice<std::string_view>({{"http", "http"}, {"https", "https"}}); });
  section.set("host", redirect.host, kText);
  section.set("path", redirect.path, kText);
  section.set("prefix", redirect.prefix, kText);
  if (redirect.path && redirect.prefix) value.fault("path and prefix exclude each other", "leave one of them");
  if (redirect.prefix && path.kind != PathMatch::Kind::kPrefix) {
    value.fault("only a prefix can be changed by prefix", "match by prefix:, or write path:");
  }
  for (const std::string& text : {redirect.host, redirect.path.value_or(""), redirect.prefix.value_or("")}) {
    const bool is_clean = std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
    if (!is_clean) value.fault("\"" + text + "\" cannot stand in a URL", "encode it");
  }
  return redirect;
}

DirectReply read_reply(const Value& value) {
  DirectReply reply;
  const Section section(value, {"status", "body", "content_type"});
  section.set("status", reply.status, [](const Value& one) { return one.number(200, 599); });
  section.set("body", reply.body, kText);
  section.set("content_type", reply.content_type, kText);
  const std::string& type = reply.content_type;
  const bool is_clean = std::all_of(type.begin(), type.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
  if (type.empty() || !is_clean) value.fault("\"" + type + "\" is no content type", "write one such as text/html");
  return reply;
}

// Returns the filters of a route: those of the listener that it does not skip, and behind them its own.
std::shared_ptr<const Chain> read_chain(const Section& route, const RouteContext& context) {
  const ListenerFilters& filters = context.filters;
  const auto own = route.find("filters");
  const auto skip = route.find("skip");
  if (!own && !skip) return filters.chain;
  FilterList all = filters.list;
  if (skip) {
    for (const Value& one : skip->list()) {
      const std::string kind = one.text().value_or("");
      const auto is_of_kind = [&](const NamedFilter& filter) { return filter.kind == kind; };
      if (std::erase_if(all, is_of_kind) == 0) {
        one.fault("the listener has no filter \"" + kind + "\"", "leave it out");
      }
    }
  }
  if (own) {
    FilterList read = read_filters(*own);
    if (context.speech == Speech::kThrift) refuse_filters_of_http(*own, read);
    for (NamedFilter& one : read) all.push_back(std::move(one));
  }
  return chain_of(all);
}

// Adds a fault for each part of a route that calls of Thrift do not have.
void refuse_http(const Section& route) {
  for (const std::string_view key : {"redirect", "rewrite"}) {
    if (const auto found = route.find(key)) found->fault("this is for listeners of HTTP", "take it out");
  }
  const auto match = route.find("match");
  if (!match || !match->is_map()) return;
  for (const auto& [key, value] : match->entries()) {
    if (key == "query") value.fault("calls of Thrift have no query", "match by path, prefix, methods or headers");
  }
}

// Returns the name of a route for the operator: its listener, its condition, and its line in the configuration.
std::string name_of(const RequestMatch& match, int line, const RouteContext& context) {
  constexpr std::string_view kPathWords[] = {"path ", "prefix ", "regex "};
  std::string name(context.listener);
  name.append(": ");
  for (const std::string& method : match.methods) name.append(method).append(" ");
  name.append(kPathWords[static_cast<std::size_t>(match.path.kind)]).append(match.path.text);
  // Routes of a control plane have no lines.
  return line > 0 ? name.append(", line ").append(std::to_string(line)) : name;
}

Route read_route(const Value& value, const RouteContext& context) {
  const Section section(value, {"match", "to", "redirect", "reply", "rewrite", "timeout", "retry", "hash", "priority",
                                "filters", "skip"});
  Route route;
  route.match = read_match(section);
  route.filters = read_chain(section, context);
  section.set("priority", route.priority, [](const Value& one) {
    return one.choice<Priority>({{"low", Priority::kLow}, {"normal", Priority::kNormal}, {"high", Priority::kHigh}});
  });
  const auto to = section.find("to");
  const auto redirect = section.find("redirect");
  const auto reply = section.find("reply");
  const int count = (to ? 1 : 0) + (redirect ? 1 : 0) + (reply ? 1 : 0);
  if (count != 1) value.fault("a route does one thing", "write one of to:, redirect: and reply:");
  if (context.speech == Speech::kThrift) refuse_http(section);
  if (to) {
    route.action = read_forward(section, *to, route.match.path, context);
    return route;
  }
  for (const std::string_view key : {"rewrite", "timeout", "retry", "hash"}) {
    if (const auto found = section.find(key)) found->fault("this is for routes with to:", "take it out");
  }
  if (redirect) route.action = read_redirect(*redirect, route.match.path);
  if (reply) route.action = read_reply(*reply);
  return route;
}

}  // namespace

std::uint32_t read_cluster_name(const Value& value, const Clusters& clusters, Speech speech) {
  const auto name = value.text();
  if (!name) return 0;
  const auto found = clusters.known.find(*name);
  if (found != clusters.known.end()) {
    const NamedCluster& cluster = found->second;
    if (speech == Speech::kThrift && cluster.speech == Speech::kHttp) {
      value.fault("\"" + *name + "\" speaks HTTP, and the listener Thrift",
                  "give the cluster protocol: framed or ttheader");
    }
    if (speech == Speech::kHttp && cluster.speech == Speech::kThrift) {
      value.fault("\"" + *name + "\" speaks Thrift, which is not spoken here", "give the listener protocol: thrift");
    }
    return cluster.number;
  }
  if (clusters.others != nullptr) return clusters.others->of(*name);
  std::string all;
  for (const auto& [known, cluster] : clusters.known) all.append(all.empty() ? "" : ", ").append(known);
  value.fault("there is no cluster \"" + *name + "\"",
              all.empty() ? "write it below clusters:" : "write one of: " + all);
  return 0;
}

RouteList read_routes(const Value& list, const RouteContext& context) {
  if (!list.is_list()) {
    list.fault("routes are a list", "begin each with a dash");
    return {};
  }
  std::vector<Route> routes;
  for (const Value& one : list.list()) {
    Route& route = routes.emplace_back(read_route(one, context));
    route.number = context.numbers.of(name_of(route.match, one.line(), context)) + 1;
    context.taken.push_back(route.number);
  }
  if (routes.empty()) list.fault("there is no route", "write at least one");
  return RouteList(std::move(routes));
}

}  // namespace hone::mesh::config
