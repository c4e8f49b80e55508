// A cluster as one worker sees it: its endpoints with their connections, and who gets the next request.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "base/counter.hpp"
#include "cluster/balancer.hpp"
#include "cluster/levels.hpp"
#include "cluster/pool.hpp"
#include "cluster/spec.hpp"
#include "net/parts.hpp"

namespace hone::mesh {

// EndpointCounts are what a worker has seen of an endpoint, for others to read.
struct EndpointCounts {
  Counter requests;
  // Answers of 5xx and tries without an answer.
  Counter failures;
};

// Cluster belongs to one worker.
class Cluster {
 public:
  // Pools are in the order of the endpoints.
  Cluster(const ClusterSpec& spec, std::unique_ptr<Balancer> balancer, std::vector<std::unique_ptr<Pool>> pools);

  const ClusterSpec& spec() const { return spec_; }
  Pool& pool(std::size_t endpoint) { return *pools_[endpoint]; }

  // Picks an endpoint that is up and not among those tried: of the level that the request falls to, then of any, and
  // then among those tried too.
  std::optional<std::size_t> pick(const std::vector<std::size_t>& tried, const Choice& choice);
  // Counts a request that goes to an endpoint, and one that has come back.
  void began(std::size_t endpoint) { ++loads_[endpoint].active; }
  void ended(std::size_t endpoint) { --loads_[endpoint].active; }
  // Notes what a try has come to: an answer, or none that the endpoint is to blame for.
  void answered(std::size_t endpoint, int status, Moment now);
  void failed(std::size_t endpoint, Moment now);
  // Notes that an answer that was told, and was no failure, has broken off.
  void broke_off(std::size_t endpoint, Moment now);
  const EndpointCounts& counts(std::size_t endpoint) const { return counts_[endpoint]; }

  void drain();

 private:
  using Tried = std::vector<std::size_t>;

  void look_at_health();
  std::uint32_t level_for(const Choice& choice) const;
  std::optional<std::size_t> pick_of(std::uint32_t level, const Tried& tried, const Choice& choice);

  const ClusterSpec& spec_;
  std::unique_ptr<Balancer> balancer_;
  std::vector<Load> loads_;
  // As of a version of the cluster's health: endpoints that may be picked, and the share of each level.
  std::vector<bool> is_up_;
  LevelShares shares_;
  std::uint64_t version_ = 0;
  // The level whose endpoints may be picked as the loads are now.
  std::uint32_t level_ = kAnyLevel;
  std::vector<std::unique_ptr<Pool>> pools_;
  std::deque<EndpointCounts> counts_;
};

// Makes the connections to an endpoint that its cluster's protocol asks for.
std::unique_ptr<Pool> make_pool(Parts parts, const ClusterSpec& spec, const EndpointSpec& endpoint);

// Makes a cluster with the balancer and the pools that its specification asks for.
std::unique_ptr<Cluster> make_cluster(Parts parts, const ClusterSpec& spec);

}  // namespace hone::mesh
