#include "process/pages.hpp"

#include "base/escape.hpp"
#include "base/text.hpp"
#include "cluster/outlier.hpp"

namespace hone::mesh {
namespace {

// Json writes objects and lists, with commas where they belong.
class Json {
 public:
  void open(std::string_view key, char bracket) {
    name(key);
    text_.push_back(bracket);
    is_first_ = true;
  }
  void close(char bracket) {
    text_.push_back(bracket);
    is_first_ = false;
  }
  void text(std::string_view key, std::string_view value) {
    name(key);
    text_.push_back('"');
    append_escaped(text_, value);
    text_.push_back('"');
  }
  void number(std::string_view key, std::uint64_t value) {
    name(key);
    text_.append(Digits(value));
  }
  void truth(std::string_view key, bool value) {
    name(key);
    text_.append(value ? "true" : "false");
  }
  std::string take() { return std::move(text_.append("\n")); }

 private:
  // Items of lists have no name.
  void name(std::string_view key) {
    if (!std::exchange(is_first_, false)) text_.push_back(',');
    if (!key.empty()) text_.append("\"").append(key).append("\":");
  }

  std::string text_;
  bool is_first_ = true;
};

// Returns the number of requests in a million for which local_first draws the endpoint at `at`.
std::uint64_t draws_per_million(std::span<const std::uint32_t> sums, std::size_t at) {
  const std::uint64_t before = at == 0 ? 0 : sums[at - 1];
  return ((sums[at] - before) * 1'000'000 + sums.back() / 2) / sums.back();
}

void add_endpoint(Json& json, const ClusterSpec& cluster, std::size_t at, const EndpointTotals& totals, Moment now) {
  const EndpointSpec& endpoint = cluster.endpoints[at];
  const EndpointHealth& health = *endpoint.health;
  json.open("", '{');
  json.text("address", endpoint.address.text());
  json.number("weight", endpoint.weight);
  json.number("level", endpoint.level);
  if (!cluster.local_first.empty()) {
    json.text("place", endpoint.place);
    json.number("draws_per_million", draws_per_million(cluster.local_first, at));
  }
  json.truth("up", health.is_up());
  json.truth("passes_checks", health.passes_checks.load(std::memory_order_relaxed));
  const std::int64_t until_ns = health.ejected_until_ns.load(std::memory_order_relaxed);
  const std::int64_t left_ms = (until_ns - now.time_since_epoch().count()) / 1'000'000;
  json.number("ejected_for_ms", until_ns == 0 || left_ms < 0 ? 0 : static_cast<std::uint64_t>(left_ms));
  json.number("requests", totals.requests);
  json.number("failures", totals.failures);
  json.close('}');
}

void add_limit(Json& json, std::string_view name, const std::atomic<std::uint32_t>& used, std::uint32_t most) {
  json.open(name, '{');
  json.number("used", used.load(std::memory_order_relaxed));
  json.number("limit", most);
  json.close('}');
}

}  // namespace

std::string clusters_page(const std::map<std::uint32_t, ServedCluster>& clusters, Moment now) {
  Json json;
  json.open("", '[');
  for (const auto& [number, one] : clusters) {
    const ClusterSpec& cluster = *one.spec;
    json.open("", '{');
    json.text("name", cluster.name);
    add_limit(json, "connections", cluster.totals->connections, cluster.limits.connections);
    add_limit(json, "requests", cluster.totals->requests, cluster.limits.requests);
    add_limit(json, "retries", cluster.totals->retries, cluster.limits.retries);
    json.number("ejections", cluster.health->ejections.load(std::memory_order_relaxed));
    json.open("endpoints", '[');
    const std::vector<EndpointTotals> totals = totals_of(cluster);
    for (std::size_t at = 0; at < totals.size(); ++at) add_endpoint(json, cluster, at, totals[at], now);
    json.close(']');
    json.close('}');
  }
  json.close(']');
  return json.take();
}

std::string listeners_page(const std::map<std::string, OpenListener>& listeners) {
  Json json;
  json.open("", '[');
  for (const auto& [name, listener] : listeners) {
    json.open("", '{');
    json.text("name", name);
    json.text("address", listener.bound.text());
    add_limit(json, "connections", *listener.spec->connections_open, listener.spec->connections);
    json.close('}');
  }
  json.close(']');
  return json.take();
}

}  // namespace hone::mesh
