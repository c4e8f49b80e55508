// An endpoint as one worker sees it: its connections, and its requests that are under way.
#pragma once

#include <memory>

#include "cluster/balancer.hpp"
#include "cluster/pool.hpp"
#include "cluster/spec.hpp"
#include "net/parts.hpp"

namespace hone::mesh {

// Endpoint stays when the configuration of its cluster changes and the part about connections does not. Clusters of the
// earlier configuration hold it too, as long as they have requests under way.
class Endpoint {
 public:
  // Makes the pool when a request first needs it.
  Endpoint(Parts parts, std::shared_ptr<const ConnectionSpec> spec, const Address& address)
      : parts_(parts), spec_(std::move(spec)), address_(address) {}
  Endpoint(Parts parts, std::unique_ptr<Pool> pool) : parts_(parts), pool_(std::move(pool)) {}
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;

  Pool& pool();
  const Address& address() const { return address_; }
  // Closes connections that carry nothing, and others with their last exchange.
  void drain() {
    if (pool_ != nullptr) pool_->drain();
  }

  void began() { tell(active_ + 1); }
  void ended() { tell(active_ - 1); }
  // Has a balancer's load follow the number of requests under way, in place of an earlier cluster's load.
  void follow(Load& load) {
    load_ = &load;
    load.active = active_;
  }
  // Ends that, if `load` is the one that follows.
  void unfollow(const Load& load) {
    if (load_ == &load) load_ = nullptr;
  }

 private:
  void tell(std::uint32_t active) {
    active_ = active;
    if (load_ != nullptr) load_->active = active;
  }

  const Parts parts_;
  const std::shared_ptr<const ConnectionSpec> spec_;
  const Address address_;
  std::unique_ptr<Pool> pool_;
  std::uint32_t active_ = 0;
  Load* load_ = nullptr;
};

// Makes the pool for an endpoint that its cluster's protocol needs.
std::unique_ptr<Pool> make_pool(Parts parts, const ConnectionSpec& spec, const Address& address);

}  // namespace hone::mesh
