#include "process/agent_sender.hpp"

#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

#include "hone/agent.hpp"

namespace hone::mesh {

// Sink tells increases of counters and values of gauges. Of counters that have not counted it tells nothing.
class AgentSender::Sink final : public MeasureSink {
 public:
  explicit Sink(const std::string& address) : client_({.address = address}) {}

  const std::string& error() const { return client_.error(); }
  std::uint64_t lost() const { return client_.counts().dropped(); }

  void send(const Measures& measures) {
    before_ = std::exchange(now_, {});
    tell(measures, *this);
    client_.flush();
  }

  void series(std::string_view name, Type type, std::string_view) override {
    series_ = name;
    is_gauge_ = type == Type::kGauge;
  }

  void sample(std::string_view suffix, Labels labels, std::uint64_t value, Unit unit) override {
    if (!is_gauge_ && value == 0) return;
    name_.assign(series_).append(suffix);
    tags_.clear();
    for (const auto& [name, of] : labels) tags_.push_back({name, of});
    const std::uint64_t told = is_gauge_ ? value : increase(value);
    if (!is_gauge_ && told == 0) return;
    const double number = unit == Unit::kOne ? static_cast<double>(told) : static_cast<double>(told) / 1e6;
    client_.record(is_gauge_ ? agent::Kind::gauge : agent::Kind::counter, name_, number, tags_);
  }

 private:
  // Returns what has come since a counter was told. One that was gone meanwhile begins at zero.
  std::uint64_t increase(std::uint64_t value) {
    std::string key = name_;
    for (const agent::Tag& tag : tags_) key.append("\n").append(tag.key).append("=").append(tag.value);
    const auto found = before_.find(key);
    const std::uint64_t before = found == before_.end() ? 0 : found->second;
    now_.emplace(std::move(key), value);
    return value >= before ? value - before : value;
  }

  agent::Client client_;
  // Values of counters by their series: when they were told, and as they are told now.
  std::unordered_map<std::string, std::uint64_t> before_;
  std::unordered_map<std::string, std::uint64_t> now_;
  std::string_view series_;
  bool is_gauge_ = false;
  std::string name_;
  std::vector<agent::Tag> tags_;
};

AgentSender::AgentSender(Loop& loop, Delegate<Measures()> measure)
    : loop_(loop), measure_(measure), timer_(Delegate<void()>::of<&AgentSender::send>(*this)) {}

AgentSender::~AgentSender() = default;

void AgentSender::change(const std::optional<AgentSpec>& spec) {
  if (spec == spec_) return;
  if (sink_) sink_->send(measure_());
  // An agent at another address has been told nothing yet.
  sink_.reset();
  timer_.cancel();
  spec_ = spec;
  if (!spec_) return;
  sink_ = std::make_unique<Sink>(spec_->address);
  if (!sink_->error().empty()) {
    std::fprintf(stderr, "hone-mesh: nothing is sent to the agent: %s\n", sink_->error().c_str());
    return sink_.reset();
  }
  loop_.set(timer_, loop_.now() + spec_->every);
}

void AgentSender::send() {
  sink_->send(measure_());
  loop_.set(timer_, loop_.now() + spec_->every);
}

std::uint64_t AgentSender::lost() const {
  return sink_ ? sink_->lost() : 0;
}

}  // namespace hone::mesh
