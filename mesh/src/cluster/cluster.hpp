// A cluster as one worker sees it: its endpoints with their connections, and the choice of the endpoint for a request.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/held.hpp"
#include "cluster/balancer.hpp"
#include "cluster/endpoint.hpp"
#include "cluster/levels.hpp"
#include "cluster/spec.hpp"
#include "net/parts.hpp"

namespace hone::mesh {

// Cluster belongs to one worker and one configuration: another configuration makes another cluster, and requests that
// are under way end with the cluster that they began with.
class Cluster {
 public:
  // Endpoints are in the order of the specification.
  Cluster(std::shared_ptr<const ClusterSpec> spec, std::unique_ptr<Balancer> balancer,
          std::vector<Held<Endpoint>> endpoints, std::size_t worker = 0);
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;
  ~Cluster();

  const ClusterSpec& spec() const { return *spec_; }
  ClusterMetrics& metrics() { return metrics_; }
  Pool& pool(std::size_t endpoint) { return endpoints_[endpoint]->pool(); }

  // Picks an endpoint that is up and not in `tried`: first of the level that the request falls to, then of any level,
  // and then also one of `tried`.
  std::optional<std::size_t> pick(const std::vector<std::size_t>& tried, const Choice& choice);
  // Count a request that goes to an endpoint, and one that has come back.
  void began(std::size_t endpoint) { endpoints_[endpoint]->began(); }
  void ended(std::size_t endpoint) { endpoints_[endpoint]->ended(); }
  // Note the outcome of a try: an answer, or a failure that the endpoint is to blame for.
  void answered(std::size_t endpoint, int status, Moment now);
  void failed(std::size_t endpoint, Moment now);
  // Notes that an answer has broken off that `answered` had counted as no failure.
  void broke_off(std::size_t endpoint, Moment now);

  // Closes connections that carry nothing, and others with their last exchange.
  void drain();

 private:
  friend Held<Cluster> make_cluster(Parts parts, std::shared_ptr<const ClusterSpec> spec, std::size_t worker,
                                    Cluster* before);
  using Tried = std::vector<std::size_t>;

  void look_at_health();
  std::uint32_t level_for(const Choice& choice) const;
  std::optional<std::size_t> pick_of(std::uint32_t level, const Tried& tried, const Choice& choice);

  EndpointCounts& counts(std::size_t endpoint) { return spec_->endpoints[endpoint].counts->of(worker_); }

  const std::shared_ptr<const ClusterSpec> spec_;
  const std::size_t worker_;
  ClusterMetrics& metrics_;
  std::unique_ptr<Balancer> balancer_;
  std::vector<Load> loads_;
  // State as of version_ of the cluster's health: endpoints that may be picked, and the share of each level.
  std::vector<bool> is_up_;
  LevelShares shares_;
  std::uint64_t version_ = 0;
  // The level whose endpoints the loads now allow to be picked.
  std::uint32_t level_ = kAnyLevel;
  std::vector<Held<Endpoint>> endpoints_;
};

// Makes a worker's cluster with the balancer that its specification names. Endpoints whose connections suit it are
// taken over from `before`, which may be nullptr; connections to its other endpoints are drained.
Held<Cluster> make_cluster(Parts parts, std::shared_ptr<const ClusterSpec> spec, std::size_t worker, Cluster* before);

}  // namespace hone::mesh
