#include "config/routes.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "http/target.hpp"

namespace hone::mesh::config {
namespace {

constexpr std::uint64_t kMostWeight = 1'000'000;

const auto kText = [](const Value& value) { return value.text(); };

// Compiles an expression that has to match the whole text.
std::unique_ptr<const re2::RE2> read_regex(const Value& value) {
  const auto text = value.text();
  if (!text) return nullptr;
  re2::RE2::Options options;
  options.set_log_errors(false);
  // What an expression may take when it is compiled: 1 MiB, a thousand times what an ordinary one does.
  options.set_max_mem(1 << 20);
  auto regex = std::make_unique<const re2::RE2>(*text, options);
  if (regex->ok()) return regex;
  value.fault("\"" + *text + "\" is no regular expression: " + regex->error(), "write it in RE2's syntax");
  return nullptr;
}

void read_path(const Section& section, PathMatch& path) {
  const auto exact = section.find("path");
  const auto prefix = section.find("prefix");
  const auto regex = section.find("regex");
  const int count = (exact ? 1 : 0) + (prefix ? 1 : 0) + (regex ? 1 : 0);
  if (count > 1) return section.value().fault("path, prefix and regex exclude each other", "leave one of them");
  path.text = "/";
  if (regex) {
    path.kind = PathMatch::Kind::kRegex;
    path.regex = read_regex(*regex);
  }
  const auto& plain = exact ? exact : prefix;
  if (!plain) return;
  path.kind = exact ? PathMatch::Kind::kExact : PathMatch::Kind::kPrefix;
  path.text = plain->text().value_or("/");
  const bool is_any = exact && path.text == "*";
  if (!is_any && (!path.text.starts_with('/') || path.text.find_first_of("?# ") != path.text.npos)) {
    plain->fault("\"" + path.text + "\" is no path", "begin with a slash, without a query");
  }
}

FieldMatch read_field(const Value& value, bool is_header) {
  FieldMatch field;
  const Section section(value, {"name", "exact", "prefix", "suffix", "regex", "absent"});
  if (const auto name = section.need("name", "write name: and that of the field")) {
    field.name = name->text().value_or("");
    if (is_header) std::transform(field.name.begin(), field.name.end(), field.name.begin(), lower);
    if (field.name == "host") name->fault("host is not matched here", "write hosts: with names:");
  }
  int count = 0;
  const auto plain = [&](std::string_view key, TextMatch::Kind kind) {
    if (const auto found = section.find(key)) {
      ++count;
      field.value.kind = kind;
      field.value.text = found->text().value_or("");
    }
  };
  plain("exact", TextMatch::Kind::kExact);
  plain("prefix", TextMatch::Kind::kPrefix);
  plain("suffix", TextMatch::Kind::kSuffix);
  if (const auto found = section.find("regex")) {
    ++count;
    field.value.kind = TextMatch::Kind::kRegex;
    field.value.regex = read_regex(*found);
  }
  if (count > 1) value.fault("exact, prefix, suffix and regex exclude each other", "leave one of them");
  section.set("absent", field.is_inverted,
              [](const Value& one) { return one.choice<bool>({{"true", true}, {"false", false}}); });
  return field;
}

RequestMatch read_match(const Section& route) {
  RequestMatch match;
  match.path.text = "/";
  const auto found = route.find("match");
  if (!found) return match;
  const Section section(*found, {"path", "prefix", "regex", "methods", "headers", "query"});
  read_path(section, match.path);
  if (const auto methods = section.find("methods")) {
    for (const Value& one : methods->list()) match.methods.push_back(one.text().value_or(""));
  }
  if (const auto headers = section.find("headers")) {
    for (const Value& one : headers->list()) match.headers.push_back(read_field(one, true));
  }
  if (const auto query = section.find("query")) {
    for (const Value& one : query->list()) match.query.push_back(read_field(one, false));
  }
  return match;
}

void read_shares(const Value& value, const Clusters& clusters, Forward& forward) {
  std::uint64_t total = 0;
  for (const Value& one : value.list()) {
    Share share;
    if (one.is_map()) {
      const Section section(one, {"cluster", "weight"});
      const auto cluster = section.need("cluster", "write cluster: and its name");
      if (cluster) share.cluster = read_cluster_name(*cluster, clusters);
      section.set("weight", share.weight, [](const Value& weight) { return weight.number(0, kMostWeight); });
    } else {
      share.cluster = read_cluster_name(one, clusters);
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
  const Section section(value, {"attempts", "on", "statuses", "per_try_timeout", "backoff"});
  section.set("attempts", rule.attempts, [](const Value& one) { return one.number(0, 10); });
  section.set("per_try_timeout", rule.per_try_timeout, [](const Value& one) { return one.duration(); });
  section.set("backoff", rule.backoff, [](const Value& one) { return one.duration(); });
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
  return rule;
}

Forward read_forward(const Section& route, const Value& to, const PathMatch& path, const Clusters& clusters) {
  Forward forward;
  read_shares(to, clusters, forward);
  if (const auto found = route.find("rewrite")) {
    const Section rewrite(*found, {"prefix", "host"});
    rewrite.set("prefix", forward.prefix_rewrite, kText);
    rewrite.set("host", forward.host_rewrite, kText);
    if (forward.prefix_rewrite && path.kind != PathMatch::Kind::kPrefix) {
      found->fault("only a prefix can be rewritten by prefix", "match by prefix:, or take it out");
    }
    if (!forward.host_rewrite.empty() && !is_authority(forward.host_rewrite)) {
      found->fault("\"" + forward.host_rewrite + "\" is no host", "write a name, with a port if need be");
    }
  }
  route.set("timeout", forward.timeout, [](const Value& one) { return one.duration(true); });
  if (const auto found = route.find("retry")) forward.retry = read_retry(*found);
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

Route read_route(const Value& value, const Clusters& clusters) {
  const Section section(value, {"match", "to", "redirect", "reply", "rewrite", "timeout", "retry"});
  Route route;
  route.match = read_match(section);
  const auto to = section.find("to");
  const auto redirect = section.find("redirect");
  const auto reply = section.find("reply");
  const int count = (to ? 1 : 0) + (redirect ? 1 : 0) + (reply ? 1 : 0);
  if (count != 1) value.fault("a route does one thing", "write one of to:, redirect: and reply:");
  if (to) {
    route.action = read_forward(section, *to, route.match.path, clusters);
    return route;
  }
  for (const std::string_view key : {"rewrite", "timeout", "retry"}) {
    if (const auto found = section.find(key)) found->fault("this is for routes with to:", "take it out");
  }
  if (redirect) route.action = read_redirect(*redirect, route.match.path);
  if (reply) route.action = read_reply(*reply);
  return route;
}

}  // namespace

std::size_t read_cluster_name(const Value& value, const Clusters& clusters) {
  const auto name = value.text();
  if (!name) return 0;
  const auto found = clusters.find(*name);
  if (found != clusters.end()) return found->second;
  std::string all;
  for (const auto& [known, place] : clusters) all.append(all.empty() ? "" : ", ").append(known);
  value.fault("there is no cluster \"" + *name + "\"",
              all.empty() ? "write it below clusters:" : "write one of: " + all);
  return 0;
}

RouteList read_routes(const Value& list, const Clusters& clusters) {
  std::vector<Route> routes;
  if (!list.is_list()) list.fault("routes are a list", "begin each with a dash");
  for (const Value& one : list.list()) {
    if (list.is_list()) routes.push_back(read_route(one, clusters));
  }
  if (routes.empty() && list.is_list()) list.fault("there is no route", "write at least one");
  return RouteList(std::move(routes));
}

}  // namespace hone::mesh::config
