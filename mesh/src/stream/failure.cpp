// The effect of a failed try: another try, or the end of the request.
#include <algorithm>

#include "http/grpc.hpp"
#include "stream/stream.hpp"

namespace hone::mesh {
namespace {

// True if a request has the same effect when it comes twice (RFC 9110, section 9.2.2).
bool is_idempotent(std::string_view method) {
  return method == "GET" || method == "HEAD" || method == "OPTIONS" || method == "TRACE" || method == "PUT" ||
         method == "DELETE";
}

}  // namespace

bool Stream::may_try_again(Failure failure) {
  if (!can_replay_ || status_ != 0) return false;
  // The endpoint has probably closed the connection before it saw the request; only once, since twice is no accident.
  if (failure == Failure::kStale && is_idempotent(request_.method) && !was_stale_) return true;
  const RetryRule& rule = rule_->retry;
  if (tries_ > rule.attempts + (was_stale_ ? 1 : 0)) return false;
  bool is_covered = false;
  switch (failure) {
    // The request has certainly not been seen.
    case Failure::kUnseen:
    case Failure::kConnect:
      is_covered = rule.on_connect_failure;
      break;
    case Failure::kStale:
    case Failure::kReset:
      is_covered = rule.on_reset;
      break;
    case Failure::kTimeout:
      is_covered = rule.on_timeout;
      break;
    case Failure::kStatus:
      is_covered = true;
      break;
    default:
      break;
  }
  if (!is_covered) return false;
  const ClusterSpec& spec = cluster_->spec();
  return spec.totals->retries.load(std::memory_order_relaxed) < spec.limits.retries;
}

void Stream::try_again(Failure failure) {
  cluster_->metrics().retries.add();
  if (failure == Failure::kStale && !was_stale_) {
    was_stale_ = true;
    waiter_.needs_fresh = true;
    return begin_try();
  }
  is_retrying_ = true;
  cluster_->spec().totals->retries.fetch_add(1, std::memory_order_relaxed);
  tried_.push_back(endpoint_);
  // Anywhere up to the longest wait, so that the requests that failed together do not come back together.
  const Duration longest = rule_->retry.backoff * 2 * (std::int64_t{1} << std::min<std::size_t>(tried_.size() - 1, 6));
  const auto us = static_cast<std::uint32_t>(std::min<std::int64_t>(longest.count() / 1000, 10'000'000));
  const Duration wait = std::chrono::microseconds(around_.parts.random.below(us + 1));
  around_.parts.loop.set(backoff_, around_.parts.loop.now() + wait);
}

void Stream::failed(Failure failure) {
  if (may_try_again(failure)) return try_again(failure);
  flags_.add(flag_of(failure));
  if (tries_ > 1 && failure != Failure::kTimeout) flags_.add(Flag::kRetriesExhausted);
  if (status_ != 0) {
    Exchange& downstream = downstream_;
    if (is_grpc_) {
      // The outcome of a gRPC call stands at its end, whatever came before.
      Headers trailers;
      trailers.add(downstream.arena(), HeaderId::kGrpcStatus, grpc_status_of(status_of(failure)));
      trailers.add(downstream.arena(), HeaderId::kGrpcMessage, reason_of(status_of(failure)));
      done();
      return downstream.write_end(trailers);
    }
    // The response has begun: only its missing end can show the failure.
    done();
    return downstream.reset(Reset::kClosed);
  }
  if (failure == Failure::kOverflow) cluster_->metrics().overflows.add();
  reply({.status = status_of(failure)});
}

Flag Stream::flag_of(Failure failure) const {
  switch (failure) {
    case Failure::kConnect:
      return Flag::kConnectFailure;
    case Failure::kProtocol:
      return Flag::kUpstreamProtocol;
    case Failure::kTimeout:
      return Flag::kUpstreamTimeout;
    case Failure::kNoEndpoint:
      return Flag::kNoEndpoint;
    case Failure::kOverflow:
      return Flag::kOverflow;
    default:
      return Flag::kUpstreamClosed;
  }
}

int Stream::status_of(Failure failure) {
  switch (failure) {
    case Failure::kProtocol:
      return 502;
    case Failure::kTimeout:
      return 504;
    case Failure::kReset:
    case Failure::kUnseen:
    case Failure::kStale:
      return 502;
    default:
      return 503;
  }
}

}  // namespace hone::mesh
