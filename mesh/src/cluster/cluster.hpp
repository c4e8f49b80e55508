// A cluster as one worker sees it: its endpoints with their connections, and who gets the next request.
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

// Cluster belongs to one worker. It is that of one configuration: another one makes another cluster, and requests that
// are under way end with the one that they began with.
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

  // Picks an endpoint that is up and not among those tried: of the level that the request falls to, then of any, and
  // then among those tried too.
  std::optional<std::size_t> pick(const std::vector<std::size_t>& tried, const Choice& choice);
  // Counts a request that goes to an endpoint, and one that has come back.
  void began(std::size_t endpoint) { endpoints_[endpoint]->began(); }
  void ended(std::size_t endpoint) { endpoints_[endpoint]->ended(); }
  // Notes what a try has come to: an answer, or none that the endpoint is to blame for.
  void answered(std::size_t endpoint, int status, Moment now);
  void failed(std::size_t endpoint, Moment now);
  // Notes that an answer that was told, and was no failure, has broken off.
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
  // As of a version of the cluster's health: endpoints that may be picked, and the share of each level.
  std::vector<bool> is_up_;
  LevelShares shares_;
  std::uint64_t version_ = 0;
  // The level whose endpoints may be picked as the loads are now.
  std::uint32_t level_ = kAnyLevel;
  std::vector<Held<Endpoint>> endpoints_;
};

// Makes a worker's cluster with the balancer that its specification asks for. Endpoints whose connections serve it as
// well are taken over from the cluster before it, which may be nullptr; connections to the others are drained.
Held<Cluster> make_cluster(Parts parts, std::shared_ptr<const ClusterSpec> spec, std::size_t worker, Cluster* before);

}  // namespace hone::mesh
