// A listener as one worker sees it.
#pragma once

#include <memory>
#include <utility>

#include "base/held.hpp"
#include "config/snapshot.hpp"

namespace hone::mesh {

// Listener has the specification for connections and requests that come from now on. Its connections hold the listener,
// also when nothing listens any more.
class Listener {
 public:
  using Spec = Held<std::shared_ptr<const ListenerSpec>>;

  Listener(std::shared_ptr<const ListenerSpec> spec, std::size_t worker)
      : metrics_(spec->metrics->of(worker)), spec_(Spec::make(std::move(spec))) {}

  const ListenerSpec& spec() const { return **spec_; }
  // Returns the specification in its holder, for as long as it is needed.
  const Spec& held_spec() const { return spec_; }
  ListenerMetrics& metrics() const { return metrics_; }
  // Takes another specification with the same metrics.
  void change(std::shared_ptr<const ListenerSpec> spec) { spec_ = Spec::make(std::move(spec)); }

 private:
  ListenerMetrics& metrics_;
  Spec spec_;
};

}  // namespace hone::mesh
