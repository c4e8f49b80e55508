// What the process counts, on its way to a hone-agent on the machine.
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

// AgentSender tells an agent every so often what has come since, so that its sums go on over restarts of this process.
// It belongs to the main thread.
class AgentSender {
 public:
  // `measure` says what is told.
  AgentSender(Loop& loop, Delegate<Measures()> measure);
  ~AgentSender();

  // Begins, goes on elsewhere, or ends; whoever was told before is told the rest.
  void change(const std::optional<AgentSpec>& spec);
  // Tells what has come until now, before something that counts goes.
  void send_now();

  // Samples that no agent took.
  std::uint64_t lost() const;

 private:
  class Sink;

  // Told are values of counters by their series, as the agent at an address knows them.
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
  // Samples of sinks before this one that no agent took.
  std::uint64_t lost_before_ = 0;
  Timer timer_;
};

}  // namespace hone::mesh
