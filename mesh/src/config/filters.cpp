#include "config/filters.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "config/match.hpp"
#include "config/tls.hpp"
#include "filter/access.hpp"
#include "filter/cors.hpp"
#include "filter/fault.hpp"
#include "filter/header_change.hpp"
#include "filter/rate_limit.hpp"
#include "filter/request_id.hpp"
#include "filter/trace.hpp"

namespace hone::mesh::config {
namespace {

constexpr std::uint64_t kMostRequests = 1'000'000;
// The longest time to fill a bucket: a year. A bucket's number can hold more.
constexpr double kLongestFill_ns = 365.0 * 24 * 3600 * 1e9;
// The longest time for which a request may be held up on purpose.
constexpr Duration kLongestDelay = std::chrono::minutes(1);

// Reads tokens, and joins them to a list with commas. "*" stands for all of them.
std::string read_tokens(const Section& section, std::string_view key, std::string_view otherwise) {
  const auto found = section.find(key);
  if (!found) return std::string(otherwise);
  std::string all;
  for (const Value& one : found->list()) {
    const std::string token = one.text().value_or("");
    if (!is_token(token)) one.fault("\"" + token + "\" is no name", "write letters, digits and dashes");
    all.append(all.empty() ? "" : ", ").append(token);
  }
  return all;
}

std::shared_ptr<const Filter> read_request_id(const Value& value) {
  RequestIdRule rule;
  const Section section(value, {"keep", "respond"});
  section.set("keep", rule.keep, kTruth);
  section.set("respond", rule.respond, kTruth);
  return std::make_shared<RequestId>(rule);
}

std::shared_ptr<const Filter> read_trace(const Value& value) {
  TraceRule rule;
  const Section section(value, {"percent", "keep"});
  section.set("percent", rule.share, kShare);
  section.set("keep", rule.keep, kTruth);
  return std::make_shared<Trace>(rule);
}

TextMatch read_origin(const Value& value) {
  TextMatch match = read_text_match(value);
  const bool is_host = match.text.find('/') == match.text.npos;
  if (match.kind == TextMatch::Kind::kExact && (is_host || match.text.ends_with('/'))) {
    value.fault("\"" + match.text + "\" is no origin", "write one such as https://example.com, without a path");
  }
  // "evilexample.com" ends with "example.com", and "https://example.com.evil.com" begins with "https://example.com".
  if (match.kind == TextMatch::Kind::kSuffix && !match.text.starts_with('.')) {
    value.fault("\"" + match.text + "\" is the end of names of others too", "begin with a dot");
  }
  if (match.kind == TextMatch::Kind::kPrefix) {
    value.fault("origins that begin alike may be anybody's", "write exact:, suffix: or regex:");
  }
  return match;
}

std::shared_ptr<const Filter> read_cors(const Value& value) {
  CorsRule rule;
  const Section section(value, {"origins", "methods", "headers", "expose", "credentials", "max_age"});
  if (const auto origins = section.need("origins", "write origins: [https://example.com], or [\"*\"] for all")) {
    const std::vector<Value> list = origins->list();
    const bool is_any = list.size() == 1 && !list[0].is_map() && list[0].text() == "*";
    if (!is_any) {
      for (const Value& one : list) rule.origins.push_back(read_origin(one));
      if (list.empty()) origins->fault("there is no origin", "write at least one");
    }
  }
  rule.methods = read_tokens(section, "methods", "GET, HEAD, POST");
  rule.headers = read_tokens(section, "headers", "");
  rule.expose = read_tokens(section, "expose", "");
  section.set("credentials", rule.has_credentials, kTruth);
  if (rule.has_credentials && rule.origins.empty()) {
    value.fault("credentials for all origins would give them to anybody", "name the origins");
  }
  Duration max_age{};
  section.set("max_age", max_age, kDuration);
  if (max_age > Duration(0)) rule.max_age_s = std::to_string(std::chrono::ceil<std::chrono::seconds>(max_age).count());
  return std::make_shared<Cors>(std::move(rule));
}

AccessRule read_access_rule(const Value& value) {
  AccessRule rule;
  const Section section(value, {"name", "match", "clients", "identities"});
  rule.name = value.where();
  section.set("name", rule.name, kText);
  rule.match = read_match(section);
  if (const auto clients = section.find("clients")) {
    for (const Value& one : clients->list()) {
      const std::string text = one.text().value_or("");
      if (const auto network = Network::parse(text)) {
        rule.clients.push_back(*network);
      } else {
        one.fault("\"" + text + "\" is no network", "write 10.0.0.0/8 or ::1, say, with no bit beyond the length");
      }
    }
    if (rule.clients.empty()) clients->fault("there is no client", "write at least one, or take it out");
  }
  if (const auto found = section.find("identities")) rule.identities = read_identities(*found);
  return rule;
}

std::shared_ptr<const Filter> read_access(const Value& value) {
  AccessRules rules;
  const Section section(value, {"deny", "allow", "shadow"});
  const auto list = [&](std::string_view key, std::vector<AccessRule>& into) {
    const auto found = section.find(key);
    if (!found) return;
    for (const Value& one : found->list()) into.push_back(read_access_rule(one));
    // Nobody who leaves the list empty means that all may pass.
    if (into.empty()) found->fault("there is no rule", "write at least one, or take it out");
  };
  list("deny", rules.deny);
  list("allow", rules.allow);
  section.set("shadow", rules.is_shadow, kTruth);
  if (!section.has("deny") && !section.has("allow")) value.fault("there are no rules", "write deny:, allow: or both");
  return std::make_shared<Access>(std::move(rules));
}

std::shared_ptr<const Filter> read_rate_limit(const Value& value) {
  RateLimitRule rule;
  const auto number = [](const Value& one) { return one.number(1, kMostRequests); };
  const Section section(value, {"requests", "per", "burst", "shadow"});
  section.need("requests", "write requests: 100, say, which is for one second where there is no per:");
  section.set("requests", rule.requests, number);
  section.set("per", rule.per, kDuration);
  rule.burst = rule.requests;
  section.set("burst", rule.burst, number);
  const double fills_ns = static_cast<double>(rule.per.count()) / rule.requests * rule.burst;
  if (fills_ns > kLongestFill_ns) {
    value.fault("it takes years until the bucket is full", "write a smaller burst:");
    rule = {};
  }
  section.set("shadow", rule.is_shadow, kTruth);
  return std::make_shared<RateLimit>(rule);
}

std::shared_ptr<const Filter> read_fault(const Value& value) {
  FaultRule rule;
  const Section section(value, {"abort", "delay"});
  if (const auto found = section.find("abort")) {
    const Section abort(*found, {"percent", "status"});
    abort.need("percent", "write percent: 10, say");
    abort.set("percent", rule.abort_share, kShare);
    abort.set("status", rule.abort_status, [](const Value& one) { return one.number(400, 599); });
  }
  if (const auto found = section.find("delay")) {
    const Section delay(*found, {"percent", "time", "waiting"});
    delay.need("percent", "write percent: 10, say");
    delay.set("percent", rule.delay_share, kShare);
    delay.need("time", "write time: 200ms, say");
    delay.set("time", rule.delay, kDuration);
    delay.set("waiting", rule.most_waiting, [](const Value& one) { return one.number(1, kMostRequests); });
    if (rule.delay > kLongestDelay) found->fault("a delay has at most a minute", "write a shorter time");
  }
  if (!section.has("abort") && !section.has("delay")) value.fault("there is no fault", "write abort:, delay: or both");
  return std::make_shared<Fault>(rule);
}

// Returns the name of a field that may be changed, in lower case.
std::string read_field_name(const Value& value, std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), lower);
  if (!is_token(name)) value.fault("\"" + name + "\" is no name of a field", "write letters, digits and dashes");
  constexpr std::string_view kFraming[] = {
      "connection", "content-length",    "expect",        "host", "keep-alive", "proxy-connection", "te", "trailer",
      "upgrade",    "transfer-encoding", "http2-settings"};
  if (std::find(std::begin(kFraming), std::end(kFraming), name) != std::end(kFraming)) {
    value.fault("\"" + name + "\" belongs to the connection", "leave it out; Host is changed by rewrite:");
  }
  return name;
}

using Fields = std::vector<std::pair<std::string, std::string>>;

void read_fields(const Section& section, std::string_view key, Fields& fields) {
  const auto found = section.find(key);
  if (!found) return;
  for (const auto& [name, value] : found->entries()) {
    const std::string text = value.text().value_or("");
    const bool is_clean = std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
    if (!is_clean || trimmed(text) != text) {
      value.fault("\"" + text + "\" is no value of a field", "write printable ASCII, with no space around it");
    }
    fields.emplace_back(read_field_name(value, name), text);
  }
}

FieldChanges read_changes(const Section& section, std::string_view key) {
  FieldChanges changes;
  const auto found = section.find(key);
  if (!found) return changes;
  const Section side(*found, {"remove", "set", "add"});
  if (const auto remove = side.find("remove")) {
    for (const Value& one : remove->list()) changes.remove.push_back(read_field_name(one, one.text().value_or("")));
  }
  read_fields(side, "set", changes.set);
  read_fields(side, "add", changes.add);
  if (changes.is_empty()) found->fault("nothing is changed", "write set:, add: or remove:");
  return changes;
}

std::shared_ptr<const Filter> read_headers(const Value& value) {
  const Section section(value, {"request", "response"});
  if (!section.has("request") && !section.has("response")) {
    value.fault("nothing is changed", "write request:, response: or both");
  }
  return std::make_shared<HeaderChange>(read_changes(section, "request"), read_changes(section, "response"));
}

struct FilterKind {
  std::string_view name;
  std::shared_ptr<const Filter> (*read)(const Value&);
};
constexpr FilterKind kKinds[] = {{"request_id", read_request_id},
                                 {"cors", read_cors},
                                 {"access", read_access},
                                 {"rate_limit", read_rate_limit},
                                 {"fault", read_fault},
                                 {"headers", read_headers},
                                 {"trace", read_trace}};

NamedFilter read_filter(const Value& value) {
  std::string names;
  for (const FilterKind& kind : kKinds) names.append(names.empty() ? "" : ", ").append(kind.name);
  const auto entries = value.is_map() ? value.entries() : std::vector<std::pair<std::string, Value>>();
  if (value.is_map() ? entries.size() != 1 : !value.is_text()) {
    value.fault("a filter is one word with what it says", "begin each with a dash, and one of: " + names);
    return {};
  }
  const std::string name = value.is_map() ? entries.front().first : value.text().value_or("");
  for (const FilterKind& kind : kKinds) {
    if (kind.name == name) return {name, kind.read(value.is_map() ? entries.front().second : value.nothing())};
  }
  value.fault("there is no filter \"" + name + "\"", "write one of: " + names);
  return {};
}

}  // namespace

FilterList read_filters(const Value& list) {
  FilterList filters;
  for (const Value& one : list.list()) {
    if (NamedFilter read = read_filter(one); read.filter != nullptr) filters.push_back(std::move(read));
  }
  return filters;
}

void refuse_filters_of_http(const Value& list, const FilterList& filters) {
  for (const NamedFilter& one : filters) {
    if (one.kind == "cors") list.fault("the filter cors is for listeners of HTTP", "take it out");
  }
}

std::shared_ptr<const Chain> chain_of(const FilterList& filters) {
  if (filters.empty()) return nullptr;
  std::vector<std::shared_ptr<const Filter>> all;
  for (const NamedFilter& one : filters) all.push_back(one.filter);
  return std::make_shared<const Chain>(std::move(all));
}

}  // namespace hone::mesh::config
