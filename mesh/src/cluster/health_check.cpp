#include "cluster/health_check.hpp"

#include <utility>

#include "net/socket.hpp"

namespace hone::mesh {
namespace {

constexpr std::size_t kFrameHead = 5;

// Returns a message of HealthCheckRequest with this service, in a frame of gRPC.
std::string grpc_question(const std::string& service) {
  std::string message;
  if (!service.empty()) message = std::string("\x0a") + static_cast<char>(service.size()) + service;
  return std::string("\0\0\0\0", 4) + static_cast<char>(message.size()) + message;
}

// Takes a varint of protobuf off the front; nothing where there is none.
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
      connection_(cluster),
      address_(endpoint.address),
      rule_(*cluster.check),
      health_(endpoint.health),
      cluster_health_(cluster.health),
      authority_(rule_.host.empty() ? endpoint.address.authority() : rule_.host),
      message_(grpc_question(rule_.service)),
      asker_(parts, std::move(pool), Delegate<void(const Answer&)>::of<&HealthCheck::on_answer>(*this)),
      next_(Delegate<void()>::of<&HealthCheck::ask>(*this)),
      timeout_(Delegate<void()>::of<&HealthCheck::on_timeout>(*this)) {
  parts_.loop.set(next_, after(Duration(0)));
}

HealthCheck::~HealthCheck() {
  disconnect();
}

bool HealthCheck::is_for(const ClusterSpec& cluster, const EndpointSpec& endpoint) const {
  return cluster.check == rule_ && endpoint.health == health_ && connection_.is_like(cluster);
}

void HealthCheck::ask() {
  if (rule_.kind == HealthRule::Kind::kTcp) return connect();
  if (rule_.kind == HealthRule::Kind::kHttp) {
    return asker_.ask({.scheme = connection_.scheme(), .authority = authority_, .path = rule_.path}, rule_.timeout);
  }
  asker_.ask({.method = "POST",
              .scheme = connection_.scheme(),
              .authority = authority_,
              .path = "/grpc.health.v1.Health/Check",
              .content_type = "application/grpc",
              .body = message_},
             rule_.timeout);
}

void HealthCheck::on_answer(const Answer& answer) {
  const bool is_good = answer.status >= rule_.least_status && answer.status <= rule_.most_status;
  if (rule_.kind == HealthRule::Kind::kHttp) return end(is_good);
  constexpr std::uint64_t kServing = 1;
  end(is_good && answer.grpc_status == "0" && parse_grpc_health(answer.body) == kServing);
}

void HealthCheck::connect() {
  Dialled dialled = dial(address_);
  if (!dialled.socket) return end(false);
  parts_.loop.set(timeout_, parts_.loop.now() + rule_.timeout);
  connecting_.emplace(std::move(dialled.socket), Delegate<void(Ready)>::of<&HealthCheck::on_connected>(*this));
  parts_.loop.watch(connecting_->watch, {.readable = false, .writable = true});
}

void HealthCheck::on_connected(Ready) {
  end(connect_error(connecting_->socket.get()) == 0);
}

void HealthCheck::on_timeout() {
  end(false);
}

// Closes the socket of a check of TCP. The watch stays until the next check, since its handler may be running.
void HealthCheck::disconnect() {
  if (!connecting_) return;
  parts_.loop.forget(connecting_->watch);
  connecting_->socket = Descriptor();
}

void HealthCheck::end(bool is_well) {
  timeout_.cancel();
  disconnect();
  const bool was_well = health_->passes_checks.load(std::memory_order_relaxed);
  in_a_row_ = is_well == was_well ? 0 : in_a_row_ + 1;
  if (in_a_row_ >= (was_well ? rule_.failures : rule_.successes)) {
    in_a_row_ = 0;
    health_->passes_checks.store(is_well, std::memory_order_relaxed);
    cluster_health_->changed();
  }
  parts_.loop.set(next_, after(rule_.interval));
}

// Returns the time after a pause and a random part of the jitter.
Moment HealthCheck::after(Duration pause) const {
  const auto jitter_us = static_cast<std::uint32_t>(rule_.jitter.count() / 1000);
  return parts_.loop.now() + pause + std::chrono::microseconds(parts_.random.below(jitter_us + 1));
}

}  // namespace hone::mesh
