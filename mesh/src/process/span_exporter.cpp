#include "process/span_exporter.hpp"

#include "cluster/endpoint.hpp"
#include "observe/trace.hpp"

namespace hone::mesh {
namespace {

constexpr Duration kLongestAnswer = std::chrono::seconds(10);
constexpr Duration kBeforeAnother = std::chrono::seconds(1);

// True if a collector may take the spans another time: there was no answer, or one that OTLP calls retryable.
bool may_come_again(int status) {
  return status == 0 || status == 429 || (status >= 502 && status <= 504);
}

std::uint64_t spans_in(std::string_view text) {
  constexpr std::string_view kBegin = "{\"traceId\":";
  std::uint64_t count = 0;
  for (std::size_t at = text.find(kBegin); at != text.npos; at = text.find(kBegin, at + 1)) ++count;
  return count;
}

}  // namespace

SpanExporter::SpanExporter(Parts parts, const ClusterSpec& cluster, const TracingSpec& tracing, Delegate<void()> idle)
    : parts_(parts),
      cluster_(cluster.with_own_totals()),
      tracing_(tracing),
      idle_(idle),
      again_(Delegate<void()>::of<&SpanExporter::send>(*this)) {
  for (const EndpointSpec& endpoint : cluster_.endpoints) {
    askers_.push_back(std::make_unique<Asker>(parts, make_pool(parts, cluster_, endpoint.address),
                                              Delegate<void(const Answer&)>::of<&SpanExporter::on_answer>(*this)));
  }
}

void SpanExporter::take(TextRing& ring) {
  std::string spans;
  while (ring.pop(spans)) {
    if (waiting_.size() == kMostWaiting) {
      lose(spans);
    } else {
      waiting_.push_back(std::move(spans));
    }
  }
  if (!is_sending_ && !waiting_.empty()) send();
}

void SpanExporter::send() {
  is_sending_ = true;
  ++tries_;
  body_ = otlp_request(tracing_.service, waiting_.front());
  authority_ = tracing_.host.empty() ? cluster_.endpoints[at_].address.authority() : tracing_.host;
  askers_[at_]->ask({.method = "POST",
                     .scheme = cluster_.scheme(),
                     .authority = authority_,
                     .path = tracing_.path,
                     .content_type = "application/json",
                     .body = body_},
                    kLongestAnswer);
}

void SpanExporter::on_answer(const Answer& answer) {
  const bool is_taken = answer.status >= 200 && answer.status < 300;
  if (!is_taken && may_come_again(answer.status) && tries_ < kMostTries) {
    at_ = (at_ + 1) % askers_.size();
    return parts_.loop.set(again_, parts_.loop.now() + kBeforeAnother);
  }
  if (!is_taken) lose(waiting_.front());
  waiting_.pop_front();
  tries_ = 0;
  is_sending_ = !waiting_.empty();
  if (!is_sending_) return idle_();
  // Not at once: the code that reported the answer is still running.
  parts_.loop.set(again_, parts_.loop.now());
}

void SpanExporter::lose(const std::string& spans) {
  lost_ += spans_in(spans);
}

}  // namespace hone::mesh
