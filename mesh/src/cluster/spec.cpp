#include "cluster/spec.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace hone::mesh {
namespace {

bool is_same(const std::shared_ptr<Tls>& left, const std::shared_ptr<Tls>& right) {
  return left == right || (left != nullptr && right != nullptr && left->wants_like(*right));
}

bool is_same(const std::shared_ptr<const HashTable>& left, const std::shared_ptr<const HashTable>& right) {
  return left == right || (left != nullptr && right != nullptr && *left == *right);
}

}  // namespace

bool ConnectionSpec::is_like(const ConnectionSpec& other) const {
  return protocol == other.protocol && is_same(tls, other.tls) && connect_timeout == other.connect_timeout &&
         idle_timeout == other.idle_timeout && limits == other.limits;
}

void ConnectionSpec::keep_tls_of(const ConnectionSpec& before) {
  if (tls == nullptr || before.tls == nullptr || !tls->wants_like(*before.tls)) return;
  before.tls->take(*tls);
  tls = before.tls;
}

bool ClusterSpec::is_like(const ClusterSpec& other) const {
  const auto are_like = [](const EndpointSpec& left, const EndpointSpec& right) { return left.is_like(right); };
  return ConnectionSpec::is_like(other) && name == other.name && number == other.number &&
         std::equal(endpoints.begin(), endpoints.end(), other.endpoints.begin(), other.endpoints.end(), are_like) &&
         balance == other.balance && is_same(table, other.table) && local_first == other.local_first &&
         outlier == other.outlier && check == other.check && panic_percent == other.panic_percent;
}

void ClusterSpec::go_on_from(const ClusterSpec* before, std::size_t workers) {
  // An address may stand for several endpoints.
  std::unordered_multimap<std::string_view, const EndpointSpec*> known;
  if (before == nullptr) {
    metrics = std::make_shared<PerWorker<ClusterMetrics>>(workers);
  } else {
    totals = before->totals;
    health = before->health;
    metrics = before->metrics;
    for (const EndpointSpec& endpoint : before->endpoints) known.emplace(endpoint.address.bytes(), &endpoint);
  }
  for (EndpointSpec& endpoint : endpoints) {
    const auto found = known.find(endpoint.address.bytes());
    if (found == known.end()) {
      endpoint.counts = std::make_shared<PerWorker<EndpointCounts>>(workers);
      continue;
    }
    endpoint.health = found->second->health;
    endpoint.counts = found->second->counts;
    known.erase(found);
  }
  // Endpoints that are gone are ejected no longer.
  for (const auto& [address, endpoint] : known) {
    if (endpoint->health->ejected_until_ns.exchange(0, std::memory_order_relaxed) != 0) {
      health->ejected.fetch_sub(1, std::memory_order_relaxed);
    }
  }
}

}  // namespace hone::mesh
