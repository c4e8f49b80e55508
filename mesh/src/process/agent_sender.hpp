// Sends the metrics of the process to a hone-agent on the machine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "config/snapshot.hpp"
#include "event/loop.hpp"
#include "observe/metrics.hpp"

namespace hone::mesh {

// AgentSender sends measures to an agent at intervals, counters as increases since the last time, so that the agent's
// sums go on over restarts of this process. It belongs to the main thread.
class AgentSender {
 public:
  // `measure` returns the measures to send.
  AgentSender(Loop& loop, Delegate<Measures()> measure);
  ~AgentSender();

  // Begins to send, goes on with another agent, or ends. An agent that is left gets the rest first.
  void change(const std::optional<AgentSpec>& spec);
  // Sends the measures of this moment, before some of the counters go.
  void send_now();

  // Returns the number of samples that no agent took.
  std::uint64_t lost() const;

 private:
  class Sink;

  // Told holds values of counters by their series, as the agent at an address knows them.
  struct Told {
    std::string address = {};
    std::unordered_map<std::string, std::uint64_t> values = {};
  };

  void begin();
  void end();
  void send();

  Loop& loop_;
  const Delegate<Measures()> measure_;
  std::optional<AgentSpec> spec_;
  Told told_;
  std::unique_ptr<Sink> sink_;
  // The number of samples of earlier sinks that no agent took.
  std::uint64_t lost_before_ = 0;
  Timer timer_;
};

}  // namespace hone::mesh
