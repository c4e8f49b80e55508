#include "process/agent_sender.hpp"

#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

#include "hone/agent.hpp"

namespace hone::mesh {

// Sink sends the increases of counters and the values of gauges. It sends nothing for a counter without an increase.
class AgentSender::Sink final : public MeasureSink {
 public:
  // The queue is for all series at once, and the main thread does not wait for a busy agent for long.
  Sink(const std::string& address, std::unordered_map<std::string, std::uint64_t>& told)
      : client_(
            {.address = address, .queue_packets = 1024, .shards = 1, .close_within = std::chrono::milliseconds(100)}),
        told_(told) {}

  const std::string& error() const { return client_.error(); }
  std::uint64_t lost() const { return client_.counts().dropped(); }

  void send(const Measures& measures) {
    before_ = std::exchange(told_, {});
    tell(measures, *this);
    before_ = {};
    client_.flush();
  }

  void series(std::string_view name, Type type, std::string_view) override {
    series_ = name;
    is_gauge_ = type == Type::kGauge;
  }

  void sample(std::string_view suffix, Labels labels, std::uint64_t value, Unit unit) override {
    // A counter at zero needs no place among the counters that were sent.
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
  // Returns the increase of a counter since it was last sent. A counter that was gone meanwhile begins at zero.
  std::uint64_t increase(std::uint64_t value) {
    std::string key = name_;
    for (const agent::Tag& tag : tags_) key.append("\n").append(tag.key).append("=").append(tag.value);
    const auto found = before_.find(key);
    const std::uint64_t before = found == before_.end() ? 0 : found->second;
    told_.emplace(std::move(key), value);
    return value >= before ? value - before : value;
  }

  agent::Client client_;
  // Values of counters by their series: as they were last sent, and, while send runs, as they were sent the time
  // before.
  std::unordered_map<std::string, std::uint64_t>& told_;
  std::unordered_map<std::string, std::uint64_t> before_;
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
  const bool stays = spec && spec_ && spec->address == spec_->address;
  if (!stays) end();
  spec_ = spec;
  if (!spec_) return;
  if (!stays) begin();
  if (sink_) loop_.set(timer_, loop_.now() + spec_->every);
}

void AgentSender::begin() {
  if (told_.address != spec_->address) told_ = {.address = spec_->address};
  sink_ = std::make_unique<Sink>(spec_->address, told_.values);
  if (sink_->error().empty()) return;
  std::fprintf(stderr, "hone-mesh: nothing is sent to the agent: %s; next step: mend that and reload\n",
               sink_->error().c_str());
  sink_.reset();
  spec_.reset();
}

void AgentSender::end() {
  timer_.cancel();
  if (!sink_) return;
  send_now();
  lost_before_ += sink_->lost();
  sink_.reset();
}

void AgentSender::send_now() {
  if (sink_) sink_->send(measure_());
}

void AgentSender::send() {
  send_now();
  loop_.set(timer_, loop_.now() + spec_->every);
}

std::uint64_t AgentSender::lost() const {
  return lost_before_ + (sink_ ? sink_->lost() : 0);
}

}  // namespace hone::mesh
