// What the process counts, on its way to a hone-agent on the machine.
#pragma once

#include <memory>
#include <optional>

#include "config/snapshot.hpp"
#include "event/loop.hpp"
#include "observe/metrics.hpp"

namespace hone::mesh {

// AgentSender tells an agent every so often what has come since, so that its sums go on over restarts of this process.
// It belongs to the main thread.
class AgentSender {
 public:
  // `measure` says what is told.
  AgentSender(Loop& loop, Delegate<Measures()> measure);
  ~AgentSender();

  // Begins, goes on elsewhere, or ends; whoever was told before is told the rest.
  void change(const std::optional<AgentSpec>& spec);

  // Samples that no agent took.
  std::uint64_t lost() const;

 private:
  class Sink;

  void send();

  Loop& loop_;
  const Delegate<Measures()> measure_;
  std::optional<AgentSpec> spec_;
  std::unique_ptr<Sink> sink_;
  Timer timer_;
};

}  // namespace hone::mesh
