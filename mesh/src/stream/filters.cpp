// A request on its way through the filters of its route.
#include "stream/stream.hpp"

namespace hone::mesh {

void Stream::begin_filters(const Chain& chain) {
  chain_ = &chain;
  passage_.emplace(Passage{.request = request_,
                           .arena = downstream_.arena(),
                           .client = client_.ip,
                           .identity = client_.identity,
                           .parts = around_.parts,
                           .metrics = client_.listener.metrics(),
                           .flags = flags_,
                           .detail = detail_,
                           .spans = around_.spans,
                           .go_on = Delegate<void(Verdict)>::of<&Stream::go_on>(*this)});
  go_on(Verdict::kNext);
}

void Stream::go_on(Verdict verdict) {
  const Paying paying = pay();
  // A filter's wait may end in the very turn in which the client went away.
  if (is_done_) return;
  const std::span<const Filter* const> filters = chain_->on_request();
  while (verdict == Verdict::kNext && filters_passed_ < filters.size()) {
    verdict = filters[filters_passed_++]->on_request(*passage_);
  }
  if (verdict == Verdict::kNext) return act();
  if (verdict == Verdict::kAnswer) reply(passage_->answer);
}

void Stream::filter_response(Head& head) {
  if (!passage_) return;
  for (const Filter* const filter : chain_->on_response()) filter->on_response(*passage_, head);
}

}  // namespace hone::mesh
