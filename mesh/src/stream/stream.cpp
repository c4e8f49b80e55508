#include "stream/stream.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "http/grpc.hpp"
#include "http/target.hpp"
#include "http/thrift.hpp"

namespace hone::mesh {
namespace {

// The most bytes of a body that are kept for another try.
constexpr std::size_t kMostKept = kHighWater;

// Returns a path whose prefix is replaced, with its query.
std::string_view rewritten(std::string_view path, std::string_view prefix, std::string_view with, Arena& arena) {
  std::string_view rest = path.substr(prefix.size());
  // "/a/" to "/" and "/a" to "/" both leave one slash.
  if (with.ends_with('/') && rest.starts_with('/')) rest.remove_prefix(1);
  if (!with.ends_with('/') && !rest.empty() && rest.front() != '/' && rest.front() != '?') {
    return arena.join(with, "/", rest);
  }
  const std::string_view joined = arena.join(with, rest);
  return joined.empty() || joined.front() != '/' ? arena.join("/", joined) : joined;
}

}  // namespace

Stream::Stream(Surroundings& around, const Client& client, Exchange& exchange)
    : around_(around),
      client_(client),
      downstream_(exchange),
      response_(*this),
      waiter_(response_, Delegate<void(Exchange&)>::of<&Stream::on_connection>(*this),
              Delegate<void(PoolFailure)>::of<&Stream::on_no_connection>(*this)),
      destroy_(Delegate<void()>::of<&Stream::destroy>(*this)),
      timeout_(Delegate<void()>::of<&Stream::on_timeout>(*this)),
      try_timeout_(Delegate<void()>::of<&Stream::on_try_timeout>(*this)),
      backoff_(Delegate<void()>::of<&Stream::begin_try>(*this)),
      began_(around.parts.loop.now()) {}

// The client's side.

void Stream::on_head(Head head) {
  request_ = std::move(head);
  is_grpc_ = !is_thrift(request_) && is_grpc(request_);
  listener_ = client_.listener.held_spec();
  const ListenerSpec& listener = **listener_;
  route_ = listener.hosts.find(request_);
  const Paying paying = pay();
  around_.parts.loop.meter().add_request(payer());
  const Priority priority = route_ == nullptr ? Priority::kNormal : route_->priority;
  if (around_.pressure != nullptr && around_.pressure->sheds(priority, around_.parts.random)) return turn_away();
  const Chain* const filters = route_ == nullptr ? listener.filters.get() : route_->filters.get();
  filters == nullptr ? act() : begin_filters(*filters);
}

void Stream::on_body(Slice slice) {
  const Paying paying = pay();
  bytes_in_ += slice.bytes.size();
  if (upstream_ == nullptr || can_replay_) {
    kept_bytes_ += slice.bytes.size();
    kept_.push(slice);
  }
  if (upstream_ != nullptr) {
    if (kept_bytes_ > kMostKept) {
      can_replay_ = false;
      kept_bytes_ = 0;
      kept_.clear();
    }
    upstream_->write_body(std::move(slice));
    if (upstream_->waiting() > kHighWater) downstream_.set_reading(false);
  } else if (kept_bytes_ > kHighWater) {
    downstream_.set_reading(false);
  }
}

void Stream::on_end(Headers trailers) {
  const Paying paying = pay();
  has_request_end_ = true;
  trailers_ = trailers;
  if (upstream_ != nullptr) upstream_->write_end(trailers_);
}

void Stream::on_reset(Reset reason) {
  const Paying paying = pay();
  switch (reason) {
    case Reset::kProtocol:
      flags_.add(Flag::kClientProtocol);
      if (status_ == 0) status_ = 400;
      break;
    case Reset::kTimeout:
      flags_.add(Flag::kClientStalled);
      if (status_ == 0) status_ = 408;
      break;
    default:
      flags_.add(Flag::kClientGone);
      client_.listener.metrics().requests_abandoned.add();
      break;
  }
  abandon_try();
  done();
}

void Stream::on_room() {
  const Paying paying = pay();
  if (upstream_ != nullptr) upstream_->set_reading(true);
}

// Answers before anything is done for the request, since resources are short.
void Stream::turn_away() {
  flags_.add(Flag::kOverload);
  client_.listener.metrics().requests_shed.add();
  Reply later{.status = 503};
  later.headers.add(downstream_.arena(), {"retry-after", "1", HeaderId::kOther});
  reply(later);
}

// The action of the route.

void Stream::act() {
  if (route_ == nullptr) {
    flags_.add(Flag::kNoRoute);
    return reply({.status = 404});
  }
  if (const auto* rule = std::get_if<Forward>(&route_->action)) return forward(*route_, *rule);
  if (const auto* rule = std::get_if<Redirect>(&route_->action)) return redirect(*route_, *rule);
  const auto& rule = std::get<DirectReply>(route_->action);
  reply({.status = rule.status, .body = rule.body, .content_type = rule.content_type});
}

void Stream::forward(const Route& route, const Forward& rule) {
  rule_ = &rule;
  cluster_ = around_.cluster(rule.pick(around_.parts.random));
  if (!cluster_) {
    flags_.add(Flag::kNoCluster);
    return reply({.status = 503});
  }
  ClusterTotals& totals = *cluster_->spec().totals;
  if (totals.requests.load(std::memory_order_relaxed) >= cluster_->spec().limits.requests) {
    return failed(Failure::kOverflow);
  }
  totals.requests.fetch_add(1, std::memory_order_relaxed);
  counts_in_cluster_ = true;
  if (!rule.hash.empty()) {
    key_ = hash_key_of(request_, client_.address, rule.hash, around_.parts.random, downstream_.arena());
  }
  prepare(route, rule);
  // A stream can become WebSocket only on a connection of HTTP/1: with HTTP/2 the upgrade is dropped.
  waiter_.needs_http1 = !request_.upgrade.empty();
  waiter_.coding = request_.coding;
  if (cluster_->spec().protocol == Protocol::kHttp2) request_.upgrade = {};
  can_replay_ = rule.retry.attempts > 0 || request_.body.kind == Body::Kind::kNone;
  if (const Duration longest = time_of(rule); longest > Duration(0)) {
    around_.parts.loop.set(timeout_, began_ + longest);
  }
  begin_try();
}

// Returns the time that the request may take: that of its route, or the call's own deadline where that is sooner.
Duration Stream::time_of(const Forward& rule) const {
  if (!is_grpc_ && !is_thrift(request_)) return rule.timeout;
  const Header* const header = request_.headers.find(is_grpc_ ? HeaderId::kGrpcTimeout : HeaderId::kRpcTimeout);
  if (header == nullptr) return rule.timeout;
  const std::optional<Duration> own =
      is_grpc_ ? parse_grpc_timeout(header->value) : parse_thrift_timeout(header->value);
  if (!own) return rule.timeout;
  return rule.timeout > Duration(0) ? std::min(rule.timeout, *own) : std::max(*own, Duration(1));
}

void Stream::prepare(const Route& route, const Forward& rule) {
  Arena& arena = downstream_.arena();
  if (rule.prefix_rewrite) {
    request_.path = rewritten(request_.path, route.match.path.text, *rule.prefix_rewrite, arena);
  }
  add_forwarded();
  tell_identity();
  if (!rule.host_rewrite.empty()) request_.authority = rule.host_rewrite;
  request_.scheme = cluster_->spec().scheme();
}

void Stream::tell_identity() {
  const IdentityTold told = (*listener_)->identity_told;
  if (told == IdentityTold::kKeep) return;
  Headers& headers = request_.headers;
  headers.remove(HeaderId::kForwardedClientCert);
  if (told == IdentityTold::kNone || client_.identity.empty()) return;
  Arena& arena = downstream_.arena();
  const bool is_uri = client_.identity.find(':') != client_.identity.npos;
  headers.set(arena, HeaderId::kForwardedClientCert, arena.join(is_uri ? "URI=" : "DNS=", client_.identity));
}

void Stream::add_forwarded() {
  const Forwarded mode = (*listener_)->forwarded;
  if (mode == Forwarded::kKeep) return;
  Arena& arena = downstream_.arena();
  Headers& headers = request_.headers;
  if (!client_.address.empty()) {
    const Header* const before = headers.find(HeaderId::kForwardedFor);
    const bool is_appended = mode == Forwarded::kAppend && before != nullptr && !before->value.empty();
    // Several fields of this name are one list: the client's address is added at its end.
    if (is_appended) {
      Header* last = nullptr;
      for (Header& header : headers.items()) {
        if (header.id == HeaderId::kForwardedFor) last = &header;
      }
      last->value = arena.join(last->value, ", ", client_.address);
    } else {
      headers.set(arena, HeaderId::kForwardedFor, client_.address);
    }
  }
  if (mode == Forwarded::kReplace || headers.find(HeaderId::kForwardedProto) == nullptr) {
    headers.set(arena, HeaderId::kForwardedProto, client_.scheme);
  }
}

void Stream::begin_try() {
  const Paying paying = pay();
  const std::optional<std::size_t> picked = cluster_->pick(tried_, {around_.parts.random, key_.hash});
  if (!picked) return failed(Failure::kNoEndpoint);
  endpoint_ = *picked;
  is_trying_ = true;
  ++tries_;
  try_began_ = around_.parts.loop.now();
  cluster_->began(endpoint_);
  const Duration longest = rule_->retry.per_try_timeout;
  if (longest > Duration(0)) around_.parts.loop.set(try_timeout_, try_began_ + longest);
  cluster_->pool(endpoint_).acquire(waiter_);
}

void Stream::on_connection(Exchange& exchange) {
  const Paying paying = pay();
  upstream_ = &exchange;
  exchange.write_head(request_);
  for (std::size_t at = 0; at < kept_.size(); ++at) exchange.write_body(kept_[at]);
  if (!can_replay_) {
    kept_.clear();
    kept_bytes_ = 0;
  }
  if (has_request_end_) return exchange.write_end(trailers_);
  if (exchange.waiting() <= kHighWater) downstream_.set_reading(true);
}

void Stream::on_no_connection(PoolFailure failure) {
  const Paying paying = pay();
  end_try();
  cluster_->metrics().connect_failures.add();
  detail_ = waiter_.detail;
  if (failure != PoolFailure::kOverflow) cluster_->failed(endpoint_, around_.parts.loop.now());
  failed(failure == PoolFailure::kOverflow ? Failure::kOverflow : Failure::kConnect);
}

// Counts a try as over. Its exchange is over, or there never was one.
void Stream::end_try() {
  if (!is_trying_) return;
  is_trying_ = false;
  upstream_ = nullptr;
  waiter_.take_back();
  try_timeout_.cancel();
  cluster_->ended(endpoint_);
  if (std::exchange(is_retrying_, false)) {
    cluster_->spec().totals->retries.fetch_sub(1, std::memory_order_relaxed);
  }
}

void Stream::abandon_try() {
  Exchange* const upstream = upstream_;
  end_try();
  if (upstream != nullptr) upstream->reset(Reset::kCancelled);
}

void Stream::on_try_timeout() {
  const Paying paying = pay();
  cluster_->metrics().timeouts.add();
  cluster_->failed(endpoint_, around_.parts.loop.now());
  abandon_try();
  failed(Failure::kTimeout);
}

void Stream::on_timeout() {
  const Paying paying = pay();
  if (is_trying_) {
    cluster_->metrics().timeouts.add();
    // An endpoint that has begun to answer is not to blame for a client that is slow.
    if (status_ == 0) cluster_->failed(endpoint_, around_.parts.loop.now());
  }
  abandon_try();
  can_replay_ = false;
  failed(Failure::kTimeout);
}

// The endpoint's side.

// Returns the status that counts for the endpoint's health: a gRPC call that fails at once has it in its own code.
int Stream::status_for_health(const Head& head) const {
  const Header* const code = is_grpc_ ? head.headers.find(HeaderId::kGrpcStatus) : nullptr;
  return code != nullptr && code->value == grpc_status_of(503) ? 503 : head.status;
}

bool Stream::is_to_be_tried_again(const Head& head) const {
  const RetryRule& rule = rule_->retry;
  const auto& statuses = rule.on_statuses;
  if (std::find(statuses.begin(), statuses.end(), head.status) != statuses.end()) return true;
  if (rule.on_codes.is_empty() || !is_grpc_) return false;
  // A call that ends before its first message has its code among the first fields.
  const Header* const code = head.headers.find(HeaderId::kGrpcStatus);
  return code != nullptr && rule.on_codes.contains(code->value);
}

void Stream::on_response_head(Head head) {
  const Paying paying = pay();
  const bool is_switching = head.status == kSwitching;
  if (is_informational(head.status) && !is_switching) return downstream_.write_head(head);
  cluster_->metrics().responses.add(head.status);
  cluster_->answered(endpoint_, status_for_health(head), around_.parts.loop.now());
  if (is_to_be_tried_again(head) && may_try_again(Failure::kStatus)) {
    abandon_try();
    return try_again(Failure::kStatus);
  }
  try_timeout_.cancel();
  // The bytes that follow are no response, and may take any time.
  if (is_switching) timeout_.cancel();
  status_ = head.status;
  detail_ = {};
  can_replay_ = false;
  kept_.clear();
  if (!key_.set_cookie.empty()) {
    head.headers.add(downstream_.arena(), {"set-cookie", key_.set_cookie, HeaderId::kOther});
  }
  filter_response(head);
  downstream_.write_head(head);
}

void Stream::on_response_body(Slice slice) {
  const Paying paying = pay();
  bytes_out_ += slice.bytes.size();
  downstream_.write_body(std::move(slice));
  if (downstream_.waiting() > kHighWater) upstream_->set_reading(false);
}

void Stream::on_response_end(const Headers& trailers) {
  const Paying paying = pay();
  cluster_->metrics().seconds.observe(around_.parts.loop.now() - try_began_);
  end_try();
  Exchange& downstream = downstream_;
  done();
  downstream.write_end(trailers);
}

void Stream::on_response_reset(Reset reason) {
  const Paying paying = pay();
  cluster_->metrics().resets.add();
  if (reason == Reset::kProtocol && !upstream_->fault().empty()) {
    detail_ = downstream_.arena().copy(upstream_->fault());
  }
  // The end of a connection that had been kept, or a request that was not looked at, tells nothing about the endpoint.
  if (reason != Reset::kStale && reason != Reset::kUnseen) {
    const Moment now = around_.parts.loop.now();
    if (status_ == 0) cluster_->failed(endpoint_, now);
    if (status_ != 0 && status_ < 500) cluster_->broke_off(endpoint_, now);
  }
  end_try();
  switch (reason) {
    case Reset::kStale:
      return failed(Failure::kStale);
    case Reset::kUnseen:
      return failed(Failure::kUnseen);
    case Reset::kProtocol:
      return failed(Failure::kProtocol);
    default:
      return failed(Failure::kReset);
  }
}

void Stream::on_response_room() {
  const Paying paying = pay();
  downstream_.set_reading(true);
}

// Own replies.

void Stream::redirect(const Route& route, const Redirect& rule) {
  Arena& arena = downstream_.arena();
  std::string_view path = request_.path;
  if (rule.path) path = arena.join(*rule.path, path.substr(path_of(path).size()));
  if (rule.prefix) path = rewritten(path, route.match.path.text, *rule.prefix, arena);
  const std::string_view scheme = rule.scheme.empty() ? client_.scheme : std::string_view(rule.scheme);
  const std::string_view host = rule.host.empty() ? request_.authority : rule.host;
  Reply elsewhere{.status = rule.status};
  elsewhere.headers.add(arena, HeaderId::kLocation, arena.join(scheme, "://", host, path));
  reply(elsewhere);
}

void Stream::reply(const Reply& reply) {
  Exchange& downstream = downstream_;
  Arena& arena = downstream.arena();
  const bool is_call = is_thrift(request_);
  const bool is_grpc_error = is_grpc_ && reply.status >= 400;
  Head head = is_call ? thrift_head_of(reply) : is_grpc_error ? grpc_head_of(reply, arena) : head_of(reply, arena);
  status_ = is_call ? head.status : reply.status;
  filter_response(head);
  downstream.write_head(head);
  if (is_call) {
    const std::string_view body = thrift_exception_of(reply, request_.coding, arena);
    bytes_out_ = body.size();
    write_copy(downstream, around_.parts.buffers, body);
  } else if (!reply.body.empty() && !is_grpc_error) {
    bytes_out_ = reply.body.size();
    downstream.write_body(Slice{{}, reply.body});
  }
  done();
  downstream.write_end({});
}

// Ends the stream's own part: counts, writes the log, and releases the request. Called before the exchange is over, in
// whose memory the request lies.
void Stream::done() {
  if (std::exchange(is_done_, true)) return;
  timeout_.cancel();
  backoff_.cancel();
  if (is_retrying_) cluster_->spec().totals->retries.fetch_sub(1, std::memory_order_relaxed);
  if (counts_in_cluster_) cluster_->spec().totals->requests.fetch_sub(1, std::memory_order_relaxed);
  client_.listener.metrics().responses.add(status_);
  client_.listener.metrics().seconds.observe(around_.parts.loop.now() - began_);
  if (around_.log != nullptr || (passage_ && !chain_->on_done().empty())) tell();
  request_ = {};
  kept_.clear();
  around_.parts.loop.at_turn_end(destroy_);
}

void Stream::destroy() {
  const Paying paying = pay();
  delete this;
}

// Reports the end of the request to the log and the filters.
void Stream::tell() {
  const auto value = [this](HeaderId id) {
    const Header* const header = request_.headers.find(id);
    return header == nullptr ? std::string_view() : header->value;
  };
  LogRecord record{
      .method = request_.method,
      .path = request_.path,
      .protocol = client_.protocol,
      .authority = request_.authority,
      .peer = client_.address,
      .identity = client_.identity,
      .forwarded_for = value(HeaderId::kForwardedFor),
      .user_agent = value(HeaderId::kUserAgent),
      .request_id = value(HeaderId::kRequestId),
      .trace_id = passage_ ? passage_->span.own.trace_id : std::string_view(),
      .detail = detail_,
      .status = status_,
      .flags = flags_,
      .bytes_in = bytes_in_,
      .bytes_out = bytes_out_,
      .tries = tries_,
      .took = around_.parts.loop.now() - began_,
  };
  std::string endpoint;
  if (cluster_) {
    record.cluster = cluster_->spec().name;
    if (tries_ > 0) endpoint = cluster_->spec().endpoints[endpoint_].address.text();
    record.endpoint = endpoint;
  }
  if (around_.log != nullptr) around_.log->write(record);
  if (!passage_) return;
  for (const Filter* const filter : chain_->on_done()) filter->on_done(*passage_, record);
}

}  // namespace hone::mesh
