#include "cluster/health_check.hpp"

#include <utility>

#include "net/socket.hpp"

namespace hone::mesh {
namespace {

// The message of an answer has two bytes.
constexpr std::size_t kMostBody = 64;
constexpr std::size_t kFrameHead = 5;

// Returns a message of HealthCheckRequest with this service, in a frame of gRPC.
std::string grpc_question(const std::string& service) {
  std::string message;
  if (!service.empty()) message = std::string("\x0a") + static_cast<char>(service.size()) + service;
  return std::string("\0\0\0\0", 4) + static_cast<char>(message.size()) + message;
}

// Takes a number of protobuf's form off the front; nothing where there is none.
std::optional<std::uint64_t> take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> parse_grpc_health(std::string_view body) {
  // Not compressed, and one message: its length takes four bytes, of which all but the last are zero.
  if (body.size() < kFrameHead || body.substr(0, 4) != std::string_view("\0\0\0\0", 4)) return std::nullopt;
  const auto size = static_cast<unsigned char>(body[4]);
  body.remove_prefix(kFrameHead);
  if (body.size() != size) return std::nullopt;
  std::uint64_t status = 0;
  while (!body.empty()) {
    const auto key = take_varint(body);
    if (!key) return std::nullopt;
    const auto value = take_varint(body);
    if (!value) return std::nullopt;
    constexpr std::uint64_t kLengthDelimited = 2;
    constexpr std::uint64_t kStatus = 1 << 3;
    if (*key == kStatus) status = *value;
    if ((*key & 7) == 0) continue;
    // Further fields of later versions.
    if ((*key & 7) != kLengthDelimited || *value > body.size()) return std::nullopt;
    body.remove_prefix(static_cast<std::size_t>(*value));
  }
  return status;
}

HealthCheck::HealthCheck(Parts parts, const ClusterSpec& cluster, const EndpointSpec& endpoint,
                         std::unique_ptr<Pool> pool)
    : parts_(parts),
      cluster_(cluster),
      endpoint_(endpoint),
      rule_(*cluster.check),
      pool_(std::move(pool)),
      authority_(!rule_.host.empty()          ? rule_.host
                 : endpoint.address.is_unix() ? std::string("localhost")
                                              : endpoint.address.text()),
      message_(grpc_question(rule_.service)),
      next_(Delegate<void()>::of<&HealthCheck::ask>(*this)),
      timeout_(Delegate<void()>::of<&HealthCheck::on_timeout>(*this)),
      waiter_(*this, Delegate<void(Exchange&)>::of<&HealthCheck::on_exchange>(*this),
              Delegate<void(PoolFailure)>::of<&HealthCheck::on_no_exchange>(*this)) {
  const auto jitter_us = static_cast<std::uint32_t>(rule_.jitter.count() / 1000);
  parts_.loop.set(next_, parts_.loop.now() + std::chrono::microseconds(parts_.random.below(jitter_us + 1)));
}

HealthCheck::~HealthCheck() {
  give_up();
}

void HealthCheck::ask() {
  parts_.loop.set(timeout_, parts_.loop.now() + rule_.timeout);
  if (rule_.kind == HealthRule::Kind::kTcp) return connect();
  has_good_status_ = false;
  body_.clear();
  pool_->acquire(waiter_);
}

void HealthCheck::connect() {
  Dialled dialled = dial(endpoint_.address);
  if (!dialled.socket) return end(false);
  connecting_.emplace(std::move(dialled.socket), Delegate<void(Ready)>::of<&HealthCheck::on_connected>(*this));
  parts_.loop.watch(connecting_->watch, {.readable = false, .writable = true});
}

void HealthCheck::on_connected(Ready) {
  end(connect_error(connecting_->socket.get()) == 0);
}

void HealthCheck::on_exchange(Exchange& exchange) {
  exchange_ = &exchange;
  Head head;
  Arena& arena = exchange.arena();
  head.scheme = cluster_.tls == nullptr ? "http" : "https";
  head.authority = authority_;
  head.headers.add(arena, HeaderId::kUserAgent, "hone-mesh");
  if (rule_.kind == HealthRule::Kind::kHttp) {
    head.method = "GET";
    head.path = rule_.path;
    exchange.write_head(head);
    return exchange.write_end({});
  }
  head.method = "POST";
  head.path = "/grpc.health.v1.Health/Check";
  head.body = {Body::Kind::kSized, message_.size()};
  head.headers.add(arena, HeaderId::kContentType, "application/grpc");
  head.headers.add(arena, HeaderId::kTe, "trailers");
  exchange.write_head(head);
  exchange.write_body(Slice{{}, message_});
  exchange.write_end({});
}

void HealthCheck::on_head(Head head) {
  if (is_informational(head.status)) return;
  has_good_status_ = head.status >= rule_.least_status && head.status <= rule_.most_status;
}

void HealthCheck::on_body(Slice slice) {
  if (rule_.kind == HealthRule::Kind::kGrpc && body_.size() < kMostBody) body_.append(slice.bytes.substr(0, kMostBody));
}

void HealthCheck::on_end(Headers trailers) {
  exchange_ = nullptr;
  if (rule_.kind == HealthRule::Kind::kHttp) return end(has_good_status_);
  const Header* const status = trailers.find(HeaderId::kGrpcStatus);
  constexpr std::uint64_t kServing = 1;
  end(has_good_status_ && status != nullptr && status->value == "0" && parse_grpc_health(body_) == kServing);
}

void HealthCheck::on_reset(Reset reason) {
  exchange_ = nullptr;
  if (reason != Reset::kStale || waiter_.needs_fresh) return end(false);
  // The endpoint has closed a connection that was kept: that is no failure.
  waiter_.needs_fresh = true;
  pool_->acquire(waiter_);
}

void HealthCheck::on_timeout() {
  give_up();
  end(false);
}

void HealthCheck::give_up() {
  waiter_.take_back();
  if (exchange_ != nullptr) std::exchange(exchange_, nullptr)->reset(Reset::kCancelled);
  disconnect();
}

// Closes the socket of a check of TCP. Its watch stays until the next one, since its handler may be running.
void HealthCheck::disconnect() {
  if (!connecting_) return;
  parts_.loop.forget(connecting_->watch);
  connecting_->socket = Descriptor();
}

void HealthCheck::end(bool is_well) {
  timeout_.cancel();
  waiter_.needs_fresh = false;
  disconnect();
  const bool was_well = endpoint_.health->passes_checks.load(std::memory_order_relaxed);
  in_a_row_ = is_well == was_well ? 0 : in_a_row_ + 1;
  if (in_a_row_ >= (was_well ? rule_.failures : rule_.successes)) {
    in_a_row_ = 0;
    endpoint_.health->passes_checks.store(is_well, std::memory_order_relaxed);
    cluster_.health->changed();
  }
  const auto jitter_us = static_cast<std::uint32_t>(rule_.jitter.count() / 1000);
  const Duration jitter = std::chrono::microseconds(parts_.random.below(jitter_us + 1));
  parts_.loop.set(next_, parts_.loop.now() + rule_.interval + jitter);
}

}  // namespace hone::mesh
